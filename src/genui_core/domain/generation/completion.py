"""The request to a model, its answer and its failure, checked and without secrets (requirement L2).

Other packages bring providers too, and some break the port's promises. The text of a failure ends up on a
page, in a store, in the answers of the wrapper's tools and in the log: it must hold no secret. The text of a
model must be encodable as UTF-8.
"""

from collections.abc import Collection
from enum import StrEnum

from attrs import evolve, frozen

from genui_core.domain.logging.redaction import redacted
from genui_core.errors import NoSampling, ProviderErrorCode, ProviderFailed


class FinishReason(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    MAX_TOKENS = "max_tokens"


@frozen(kw_only=True)
class CompletionRequest:
    """A request to a model.

    Attributes:
        system: The system prompt; the same for many requests, so that a provider may cache it.
        prompt: The user prompt.
        max_tokens: The most tokens that the model may write.
        request_id: Sent along where the provider's API has a place for it, and logged.
        model: A model to use instead of the provider's default, for short questions.
        temperature: A hint, 0 to 2; left out where the model's API refuses it.
        stop: Texts at which the model stops, if its API can; the answer may or may not end with one.
    """

    system: str
    prompt: str
    max_tokens: int
    request_id: str
    model: str | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()


@frozen(kw_only=True)
class Completion:
    """A model's answer.

    Attributes:
        text: The part of the answer that is meant for the reader: no thoughts, no tool calls.
        model: The model that wrote it, as the provider names it.
        finish: Whether the model stopped by itself or reached ``max_tokens``.
        input_tokens: The tokens that the model read, cached or not; 0 if the provider does not say.
        output_tokens: The tokens that the model wrote; 0 if the provider does not say.
        request_id: The id of the request.
    """

    text: str
    model: str
    finish: FinishReason
    request_id: str
    input_tokens: int = 0
    output_tokens: int = 0


def whole_text(text: str) -> str:
    """Return a text with U+FFFD for each lone surrogate, which UTF-8 cannot encode."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


MOST_READ_CHARACTERS = 8192
"""The characters of an error's text that are searched for secrets, before the text is cut."""
_MAX_ERROR_CHARACTERS = 500
"""The characters of an error's text that a person reads."""

_PARTS = {"text": str, "model": str, "finish": str, "input_tokens": int, "output_tokens": int}


def sound_completion(answer: object, provider: str) -> Completion:
    """Return a provider's answer, with U+FFFD for each lone surrogate.

    Raises:
        ProviderFailed: The answer is no `Completion`, or a field of it has the wrong type.
    """
    if not isinstance(answer, Completion):
        raise _wrong_type(provider, "the answer", Completion, answer)
    for name, kind in _PARTS.items():
        part = getattr(answer, name)
        if not isinstance(part, kind):
            raise _wrong_type(provider, f"the answer's {name}", kind, part)
    return evolve(answer, text=whole_text(answer.text), model=whole_text(answer.model))


def _wrong_type(provider: str, what: str, wanted: type, found: object) -> ProviderFailed:
    words = f"{provider}: {what} should be of type {wanted.__name__}, and is of type {type(found).__name__}"
    return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, words)


def sound_failure(error: BaseException, provider: str, secrets: Collection[str] = ()) -> ProviderFailed:
    """Return a provider's error as a `ProviderFailed` without secrets and with fields of the right types.

    Args:
        error: The provider's exception. One that is no `ProviderFailed` becomes an invalid request whose
            text begins with the provider's name; a field of the wrong type gets its default.
        provider: The provider's name.
        secrets: The known secrets; whatever looks like a secret is redacted anyway.
    """
    words = safe_error_text(error, secrets)
    if not isinstance(error, ProviderFailed):
        return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{provider}: {words}")
    code, wait_ms = getattr(error, "code", None), getattr(error, "retry_after_ms", None)
    code = ProviderErrorCode(code) if code in tuple(ProviderErrorCode) else ProviderErrorCode.INVALID_REQUEST
    words = words.removeprefix(f"{code}: ")
    if isinstance(error, NoSampling):
        return NoSampling(words)
    return ProviderFailed(
        code,
        words,
        retryable=bool(getattr(error, "retryable", False)),
        retry_after_ms=wait_ms if isinstance(wait_ms, int) else None,
    )


def safe_error_text(error: BaseException, secrets: Collection[str] = ()) -> str:
    """Return the text of an error, redacted and cut to a length that a person reads.

    The text of an error that is no `Exception` (`SystemExit`, a cancellation) is the name of its type.
    """
    return redacted(whole_text(_error_text(error))[:MOST_READ_CHARACTERS], secrets)[:_MAX_ERROR_CHARACTERS]


def _error_text(error: BaseException) -> str:
    if not isinstance(error, Exception):
        return type(error).__name__
    try:
        return str(error) if isinstance(error, ProviderFailed) else repr(error)
    except Exception:  # noqa: BLE001 -- another package's error may fail to print itself
        return type(error).__name__
