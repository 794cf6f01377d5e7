"""A provider whose failures hold no secret, whatever a server says in them."""

from attrs import field, frozen

from genui_adapters.llm.around_provider import AroundProvider
from genui_core.domain.completion import Completion, CompletionRequest
from genui_core.domain.provider_soundness import sound_failure
from genui_core.ports.llm_provider import OnDelta


@frozen
class RedactingProvider(AroundProvider):
    """Has another provider answer, and takes secrets out of what it says when it does not.

    A server may answer a request with the very key that came with it. What a failure says goes
    to pages, stores and logs; so it is cleared here, where it comes in.

    Args:
        inner: The other provider.
        secrets: What is known to be secret.
    """

    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the other provider.

        Raises:
            ProviderFailed: It gave no answer, or raised an error of its own.
        """
        try:
            return await self.inner.complete(request, on_delta)
        except Exception as error:  # noqa: BLE001 -- an error of a library's may hold a key as well
            # Without its cause, which a traceback would show.
            raise sound_failure(error, self.name, self.secrets) from None
