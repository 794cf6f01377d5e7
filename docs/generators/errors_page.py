"""Generates the reference of errors from the error classes, their codes and the exit codes."""

from collections.abc import Iterator
from typing import Final

from genui_cli import cli_error
from genui_core import errors
from genui_core.domain.generation.outcome import FailureKind
from genui_core.errors import ProviderErrorCode, ProviderFailed

_HEAD: Final = """\
# Errors

<!-- Written by `python docs/generators`; a test compares the two. -->

The wrapper forwards an error of your server unchanged: its code, its message, its data. This page lists the
wrapper's own errors.

## What a host sees

If the wrapper cannot answer a request, it returns a JSON-RPC error with the code -32000, a `message` for a
person, and `data` with `toolName`, `errorType`, `fallbackUsed`, `retryable` and `requestId`; the log has the
request under the same id. There are two exceptions. The error for an unknown resource has the code -32001, or
-32602 in protocol version 2026-07-28. [The wrapper's own tools](tools.md#errors) (`_ui_refine` and the like) return
a result with `isError`: its text explains the error to the model, and its `structuredContent` has the fields of `data`.
Reading the view of an existing tool never fails: if the tool has no rich view, the wrapper serves the minimal
view, and a line in it says why.

| `errorType` | what happened | what to do |
|---|---|---|
"""
_TYPES: Final[dict[str, tuple[str, str]]] = {
    "UPSTREAM_UNREACHABLE": (
        "your server is not connected, or it refused the credentials",
        "try again: the wrapper restarts a server that stopped; for a URL, give credentials (`-H`)",
    ),
    "UPSTREAM_DIED": (
        "your server stopped while the answer was outstanding",
        "look for its last words in the log; call again once you know that doing it twice does no harm",
    ),
    "UPSTREAM_TIMEOUT": (
        "your server did not answer within `upstream.callTimeoutMs` or the time of the protocol",
        "try again, or give it more time",
    ),
    "RESOURCE_NOT_FOUND": ("the tool behind a `ui://` address is gone", "list the tools again"),
    "UNKNOWN_TOOL": (
        "the arguments of one of the wrapper's tools name a tool that your server does not have",
        "use a name that the message suggests",
    ),
    "INVALID_ARGUMENTS": (
        "one of the wrapper's tools got invalid arguments",
        "the message names the argument",
    ),
    "GENERATION_TIMEOUT": (
        "writing a view took longer than `generation.timeoutMs`",
        "the minimal view stands in; a faster model, or more time",
    ),
    "GENERATION_FAILED": (
        "the model gave no view: no credential, no network, a refusal, a limit",
        "the minimal view stands in; the reason is in the view, in `_ui_inspect` and in the log",
    ),
    "VALIDATION_FAILED": (
        "what the model wrote breaks a rule, also after a repair",
        "the minimal view stands in; `_ui_inspect` has the findings, [Rules](../rules.md) what they mean",
    ),
}
_PROVIDER: Final[dict[ProviderErrorCode, str]] = {
    ProviderErrorCode.TIMEOUT: "the provider took too long",
    ProviderErrorCode.RATE_LIMIT: "too many requests, or the account has no credit left",
    ProviderErrorCode.SERVER_ERROR: "the fault is with the provider",
    ProviderErrorCode.NETWORK_ERROR: "the provider is unreachable, or the connection broke",
    ProviderErrorCode.INVALID_REQUEST: "the provider rejected the request: a wrong model, a prompt that is too long",
    ProviderErrorCode.AUTHENTICATION: "the key is missing or wrong",
    ProviderErrorCode.CONTENT_FILTERED: "the model refused to answer",
    ProviderErrorCode.ABORTED: "the caller cancelled the request",
}
_CODES: Final[dict[str, tuple[str, str]]] = {
    "OK": ("all well", ""),
    "FAILED": ("a check failed, or something unexpected happened", "`--debug` shows where it comes from"),
    "USAGE": ("wrong usage, or a wrong configuration", "the hint beneath; `mcp-gen-ui config check`"),
    "NOT_LET_IN": (
        "not let in: a credential of a model or of the upstream is missing or wrong",
        "`-H`, or the variable that is named",
    ),
    "UPSTREAM_UNREACHABLE": (
        "the upstream could not be started, or stopped before it ever answered",
        "run its command by itself; its last words are in the log",
    ),
    "TOOL_OR_MODEL_FAILED": ("a tool or a model failed", "the message says which"),
    "INTERRUPTED": ("interrupted", ""),
}


def errors_page() -> str:
    """Return the page."""
    return (
        _HEAD
        + "".join(f"| `{name}` | {what} | {todo} |\n" for name, (what, todo) in _types().items())
        + "\n## What a provider answers with\n\nThe reason of a `GENERATION_FAILED`. The wrapper retries where the table says so, up to `generation.maxRetries` times.\n\n"
        + "| code | what happened | tried again |\n|---|---|---|\n"
        + "".join(f"| `{code}` | {_PROVIDER[code]} | {_tried_again(code)} |\n" for code in ProviderErrorCode)
        + "\n## Exit codes of the command\n\n| code | what happened | what to do |\n|---|---|---|\n"
        + "".join(
            f"| {code} | {_CODES[name][0]} | {_CODES[name][1]} |\n" for name, code in _exit_codes().items()
        )
        + "\n## In Python\n\nEverything that the core raises on purpose is a `genui_core.errors.GenUiError`; its text is meant for a person.\n\n"
        + "| error | what happened |\n|---|---|\n"
        + "".join(f"| {_kind(each)} | {_meaning(each)} |\n" for each in _raised())
    )


def _types() -> dict[str, tuple[str, str]]:
    known = {*(each.error_type for each in _raised()), *map(str, FailureKind)}
    if {*_TYPES} != known:
        raise ValueError(f"the page and the code differ: {sorted({*_TYPES} ^ known)}")
    return _TYPES


def _tried_again(code: ProviderErrorCode) -> str:
    return "yes" if ProviderFailed(code, "").retryable else "no"


def _exit_codes() -> dict[str, int]:
    return {
        name: value for name, value in vars(cli_error).items() if name.isupper() and isinstance(value, int)
    }


def _raised() -> Iterator[type[errors.GenUiError]]:
    """Yield the errors of the core, each with a text of its own."""
    for each in vars(errors).values():
        if isinstance(each, type) and issubclass(each, errors.GenUiError) and each is not errors.GenUiError:
            yield each


def _kind(error: type[errors.GenUiError]) -> str:
    """Return the name of an error, and of what it is a kind of besides."""
    base = error.__bases__[0]
    return f"`{error.__name__}`" + ("" if base is errors.GenUiError else f", a `{base.__name__}`")


def _meaning(error: type[errors.GenUiError]) -> str:
    return str(error.__doc__).partition("\n")[0]
