"""What all providers do that stand on a library of their provider's."""

from abc import abstractmethod

from genui_adapters.llm.failures import transport_failure
from genui_adapters.llm.options import ProviderOptions
from genui_core.domain.generation.completion import Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import LLMProvider, OnDelta


class SdkProvider(LLMProvider):
    """Asks through a library, and says in our words what goes wrong in it."""

    _options: ProviderOptions

    @property
    def model(self) -> str:
        """The model from the options."""
        return self._options.model

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask for one answer."""
        try:
            return await self._answer(request, on_delta)
        except ProviderFailed:
            raise
        except Exception as error:
            known = self._failure(error, request.model or self.model) or transport_failure(error)
            raise known or ProviderFailed(ProviderErrorCode.INVALID_REQUEST, str(error)) from error

    @abstractmethod
    async def _answer(self, request: CompletionRequest, on_delta: OnDelta | None) -> Completion:
        """Ask; errors of the library may come through."""

    @abstractmethod
    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:
        """Return what an error of the library means, or None for one that is not the library's."""
