"""A provider whose library is loaded when it is first asked: that takes seconds."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, field

from genui_core.domain.completion import Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import LLMProvider, OnDelta

if TYPE_CHECKING:  # loaded with the generation worker, not before the tools are listed
    from anyio import Lock


@define
class DeferredProvider(LLMProvider):
    """Stands for a provider until it is needed, and then asks it.

    Args:
        name: The provider's.
        model: The provider's.
        make: Makes it. It runs in a thread, so that the loop goes on.
    """

    name: str
    model: str
    make: Callable[[], LLMProvider]
    _made: LLMProvider | None = field(default=None, init=False)
    _turn: "Lock | None" = field(default=None, init=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Have the provider answer.

        Raises:
            ProviderFailed: It did not, or it cannot be loaded.
        """
        from anyio import Lock  # noqa: PLC0415 -- see above

        self._turn = self._turn or Lock()
        async with self._turn:
            provider = self._made = self._made or await self._loaded()
        return await provider.complete(request, on_delta)

    async def close(self) -> None:
        """Close the provider, if it was ever needed."""
        if self._made is not None:
            await self._made.close()

    async def _loaded(self) -> LLMProvider:
        from anyio.to_thread import run_sync  # noqa: PLC0415 -- see above

        try:
            return await run_sync(self.make, abandon_on_cancel=True)
        except ImportError as error:
            text = f"the library of {self.name} cannot be loaded: {error}"
            raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text) from error
