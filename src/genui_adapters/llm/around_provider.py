"""A provider that has another one answer."""

from attrs import frozen

from genui_core.ports.llm_provider import LLMProvider


@frozen
class AroundProvider(LLMProvider):
    """Goes by the other one's name and model, so that views do not depend on what is done around it.

    Args:
        inner: The other provider.
    """

    inner: LLMProvider

    @property
    def name(self) -> str:
        """That of the other provider."""
        return self.inner.name

    @property
    def model(self) -> str:
        """That of the other provider."""
        return self.inner.model

    async def close(self) -> None:
        """Close the other provider."""
        await self.inner.close()
