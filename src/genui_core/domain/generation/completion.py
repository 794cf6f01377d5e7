"""What a model is asked, and what it answers (requirement L2).

Providers come from other packages too, and not each keeps the port's promises. What a failure says ends up
on a page, in a store, in the answers of the wrapper's tools and in the log: it must hold no secret. What a
model wrote must be a text that can be encoded.
"""

from collections.abc import Collection
from enum import StrEnum

from attrs import evolve, frozen

from genui_core.domain.logging.redaction import redacted
from genui_core.errors import ModelNotLent, ProviderErrorCode, ProviderFailed


class FinishReason(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    MAX_TOKENS = "max_tokens"


@frozen(kw_only=True)
class CompletionRequest:
    """What a model is asked.

    Attributes:
        system: The system prompt; the same for many requests, so that a provider may cache it.
        prompt: The user's part.
        max_tokens: The most the model may write.
        request_id: Sent along where the provider's API has a place for it, and logged.
        model: Another model than the provider's own, for short questions.
        temperature: A hint, 0 to 2; left out where the model's API refuses it.
        stop: Texts at which the model stops, where its API can; they may or may not end the text.
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
    """What a model answered.

    Attributes:
        text: All it wrote that is meant for the reader: no thoughts, no tool calls.
        model: The model that wrote it, as the provider names it.
        finish: Whether it ended by itself or was cut.
        input_tokens: What was read, cached or not; 0 where the provider does not say.
        output_tokens: What was written; 0 where the provider does not say.
        request_id: That of the request.
    """

    text: str
    model: str
    finish: FinishReason
    request_id: str
    input_tokens: int = 0
    output_tokens: int = 0


def whole_text(text: str) -> str:
    """Return a text with U+FFFD for each half of a character that stands alone: UTF-8 has no way to write those."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


MOST_READ_CHARACTERS = 8192
"""How much of a failure's words is looked through for secrets; one may stand where a text is cut before."""
_MOST_TOLD = 500
"""Characters. What a person reads of them."""

_PARTS = {"text": str, "model": str, "finish": str, "input_tokens": int, "output_tokens": int}


def sound_completion(answer: object, provider: str) -> Completion:
    """Return what a provider answered, with U+FFFD for each lone half of a character.

    Raises:
        ProviderFailed: It is no completion, or a part of it is not what it should be.
    """
    if not isinstance(answer, Completion):
        raise _unsound(provider, "the answer", Completion, answer)
    for name, kind in _PARTS.items():
        part = getattr(answer, name)
        if not isinstance(part, kind):
            raise _unsound(provider, f"the answer's {name}", kind, part)
    return evolve(answer, text=whole_text(answer.text), model=whole_text(answer.model))


def _unsound(provider: str, what: str, wanted: type, found: object) -> ProviderFailed:
    words = f"{provider}: {what} should be of type {wanted.__name__}, and is of type {type(found).__name__}"
    return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, words)


def sound_failure(error: BaseException, provider: str, secrets: Collection[str] = ()) -> ProviderFailed:
    """Return what went wrong at a provider, fit to be told and to be acted on.

    Args:
        error: What it raised. One that is no `ProviderFailed` is the provider's own fault, and is
            told under its name; one whose parts are not what they should be loses those.
        provider: The provider's name.
        secrets: What is known to be secret; what looks like it is left out anyway.
    """
    words = safe_error_text(error, secrets)
    if not isinstance(error, ProviderFailed):
        return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{provider}: {words}")
    code, wait_ms = getattr(error, "code", None), getattr(error, "retry_after_ms", None)
    code = ProviderErrorCode(code) if code in tuple(ProviderErrorCode) else ProviderErrorCode.INVALID_REQUEST
    words = words.removeprefix(f"{code}: ")
    if isinstance(error, ModelNotLent):
        return ModelNotLent(words)
    return ProviderFailed(
        code,
        words,
        retryable=bool(getattr(error, "retryable", False)),
        retry_after_ms=wait_ms if isinstance(wait_ms, int) else None,
    )


def safe_error_text(error: BaseException, secrets: Collection[str] = ()) -> str:
    """Return an error in words that may be told: without secrets, of a length to be read, whatever it is.

    Of one that is none in the common sense (`SystemExit`, a stray cancellation) that is its kind.
    """
    return redacted(whole_text(_said(error))[:MOST_READ_CHARACTERS], secrets)[:_MOST_TOLD]


def _said(error: BaseException) -> str:
    if not isinstance(error, Exception):
        return type(error).__name__
    try:
        return str(error) if isinstance(error, ProviderFailed) else repr(error)
    except Exception:  # noqa: BLE001 -- a stranger's error, which cannot even be told
        return type(error).__name__
