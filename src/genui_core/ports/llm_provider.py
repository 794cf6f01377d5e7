"""A language model, asked for one completion at a time (SPEC §10)."""

from abc import abstractmethod
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from genui_core.errors import GenUiError


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


class ProviderErrorCode(StrEnum):
    """Every way in which a completion fails."""

    TIMEOUT = "TIMEOUT"
    RATE_LIMIT = "RATE_LIMIT"
    SERVER_ERROR = "SERVER_ERROR"
    NETWORK_ERROR = "NETWORK_ERROR"
    INVALID_REQUEST = "INVALID_REQUEST"
    AUTHENTICATION = "AUTHENTICATION"
    CONTENT_FILTERED = "CONTENT_FILTERED"
    ABORTED = "ABORTED"


_RETRYABLE = frozenset(
    (
        ProviderErrorCode.TIMEOUT,
        ProviderErrorCode.RATE_LIMIT,
        ProviderErrorCode.SERVER_ERROR,
        ProviderErrorCode.NETWORK_ERROR,
    )
)


class ProviderFailed(GenUiError):
    """A completion failed.

    Args:
        code: How.
        message: What the provider said, for a person; holds no key.
        retryable: Whether another try may work; by the code where nothing is given.
        retry_after_ms: How long the provider wants to be left alone, where it says.
    """

    def __init__(
        self,
        code: ProviderErrorCode,
        message: str,
        *,
        retryable: bool | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        self.code = code
        self.retryable = code in _RETRYABLE if retryable is None else retryable
        self.retry_after_ms = retry_after_ms
        super().__init__(f"{code}: {message}")


OnDelta = Callable[[str], None]
"""Takes the pieces of the text as they come; must not block or raise."""


class LLMProvider(Protocol):
    """A language model.

    Completions may run at the same time, in one event loop. A completion that is cancelled ends
    its connection at once. One call is one request: whoever calls decides about another try, and
    about the time it may take.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What the provider is called in configuration, logs and cache keys."""
        ...

    @property
    @abstractmethod
    def model(self) -> str:
        """The model that is asked where a request names none."""
        ...

    @abstractmethod
    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Have the model answer.

        Raises:
            ProviderFailed: It did not, for one of the eight reasons; also when a stream broke off
                after a part of the text, or ended without saying that it was complete.
        """
        ...

    @abstractmethod
    async def close(self) -> None:
        """Give up connections. May be called again; afterwards nothing is asked any more."""
        ...
