"""From flags to keys of the configuration: which of them says what."""

from collections.abc import Mapping
from typing import Any

from genui_adapters.llm.choice import split_name
from genui_cli.cli_error import CliError
from genui_cli.configuration.loading import Flags, Typed

FlagValues = Mapping[str, Any]
"""By the names of their parameters; of what type each is, its flag alone knows."""

_KEYS = {
    "apps": ("--apps", "host.apps"),
    "log_level": ("--log-level", "logging.level"),
    "log_format": ("--log-format", "logging.format"),
    "protocol": ("--protocol", "upstream.protocol"),
    "transport": ("--transport", "serve.transport"),
    "host": ("--host", "serve.host"),
    "port": ("--port", "serve.port"),
    "token": ("--token", "serve.token"),
    "allowed_hosts": ("--allowed-host", "serve.allowedHosts"),
    "allowed_origins": ("--allowed-origin", "serve.allowedOrigins"),
    "model": ("--model", "llm.model"),
}


def typed_from(values: FlagValues, *, names_upstream: bool = False, needs_upstream: bool = True) -> Typed:
    """Return what the values of flags say about the configuration.

    Raises:
        CliError: Two of them do not go together.
    """
    return Typed(
        file=values.get("config"),
        server=values.get("server"),
        flags={**_llm(values.get("llm")), **_plain(values)},
        names_upstream=names_upstream,
        needs_upstream=needs_upstream,
        cache=not values.get("no_cache"),
        debug=bool(values.get("debug")),
        frozen=_frozen(values),
        export_dir=values.get("export_dir"),
        serving_flags=tuple(_KEYS[each][0] for each in ("host", "port") if values.get(each) is not None),
    )


def _frozen(values: FlagValues) -> str | None:
    folder: str | None = values.get("frozen")
    if folder is not None and values.get("llm") not in (None, "none"):
        raise CliError(
            "--frozen serves views without a model, and --llm names one", hint="leave one of them out"
        )
    return folder


def _plain(values: FlagValues) -> Flags:
    given = {parameter: values.get(parameter) for parameter in _KEYS}
    return {
        _KEYS[parameter][1]: (_KEYS[parameter][0], list(value) if isinstance(value, tuple) else value)
        for parameter, value in given.items()
        if value not in (None, ())
    }


def _llm(text: str | None) -> Flags:
    if not text:
        return {}
    provider, model = split_name(text)
    named = {"llm.provider": ("--llm", provider)}
    return named if model is None else {**named, "llm.model": ("--llm", model)}
