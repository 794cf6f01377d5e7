"""A provider's failure as it may be told to anybody: in words that hold no secret, whoever wrote the provider.

What a failure says ends up on a page, in a store, in the answers of our tools and in the log.
"""

from collections.abc import Collection

from genui_core.domain.redaction import redacted
from genui_core.domain.whole_text import whole_text
from genui_core.errors import ModelNotLent, ProviderErrorCode, ProviderFailed

_MOST_READ = 8192
_MOST_TOLD = 500
"""Characters. A text is looked through before it is cut to them, since a secret may stand where it is cut."""


def sound_failure(error: Exception, provider: str, secrets: Collection[str] = ()) -> ProviderFailed:
    """Return what went wrong at a provider, fit to be told and to be acted on.

    Args:
        error: What it raised. One that is no `ProviderFailed` is the provider's own fault, and is
            told under its name; one whose parts are not what they should be loses those.
        provider: The provider's name.
        secrets: What is known to be secret; what looks like it is left out anyway.
    """
    words = redacted(whole_text(_said(error))[:_MOST_READ], secrets)
    if not isinstance(error, ProviderFailed):
        return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{provider}: {words}"[:_MOST_TOLD])
    code = _code_of(error)
    words = words.removeprefix(f"{code}: ")[:_MOST_TOLD]
    if isinstance(error, ModelNotLent):
        return ModelNotLent(words)
    return ProviderFailed(
        code,
        words,
        retryable=bool(getattr(error, "retryable", False)),
        retry_after_ms=_wait_of(error),
    )


def _said(error: Exception) -> str:
    try:
        return str(error) if isinstance(error, ProviderFailed) else repr(error)
    except Exception:  # noqa: BLE001 -- a stranger's error, which cannot even be told
        return type(error).__name__


def _code_of(error: ProviderFailed) -> ProviderErrorCode:
    code = getattr(error, "code", None)
    return ProviderErrorCode(code) if code in tuple(ProviderErrorCode) else ProviderErrorCode.INVALID_REQUEST


def _wait_of(error: ProviderFailed) -> int | None:
    wait = getattr(error, "retry_after_ms", None)
    return wait if isinstance(wait, int) else None
