"""The provider port: a language model that answers requests (requirement L2)."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from genui_core.domain.generation.completion import Completion, CompletionRequest

OnDelta = Callable[[str], None]
"""Gets each piece of the text in order, in the event loop of `complete`; must not block or raise."""


class LLMProvider(Protocol):
    """A language model.

    Completions may run at the same time, in one event loop that serves nothing else: a completion that
    blocks it delays other completions only. Cancelling a completion ends its connection at once. A provider
    does not retry: the caller decides about retries and timeouts.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The provider's name in settings, logs and cache keys."""

    @property
    @abstractmethod
    def model(self) -> str:
        """The model for requests that name none."""

    @abstractmethod
    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Send a request to the model, and return its whole answer when it is complete.

        Raises:
            ProviderFailed: The model gave no answer; its ``code`` says why. Also if a stream aborted after a
                part of the text, or ended without a final event.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close the connections. May be called again; `complete` is not called afterwards."""
