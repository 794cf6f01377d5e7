"""What a model is asked, and what it answers (SPEC §10)."""

from enum import StrEnum

from attrs import frozen


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
