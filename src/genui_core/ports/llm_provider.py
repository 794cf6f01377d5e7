"""A language model, asked for one completion at a time (requirement L2)."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from genui_core.domain.generation.completion import Completion, CompletionRequest

OnDelta = Callable[[str], None]
"""Takes the pieces of the text as they come; must not block or raise."""


class LLMProvider(Protocol):
    """A language model.

    Completions may run at the same time, in one event loop, which serves nothing else: a completion that
    blocks it delays other completions only. A completion that is cancelled ends
    its connection at once. One call is one request: the caller decides about retries and
    timeouts.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What the provider is called in configuration, logs and cache keys."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The model that is asked where a request names none."""

    @abstractmethod
    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Have the model answer.

        Raises:
            ProviderFailed: The model gave no answer, for one of the eight reasons; also when a stream
                aborted after a part of the text, or ended without a final event.
        """

    @abstractmethod
    async def close(self) -> None:
        """Give up connections. May be called again; afterwards nothing is asked any more."""
