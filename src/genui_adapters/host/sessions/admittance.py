"""Tracks whether an upstream has ever accepted the credentials: if it never has, retries are useless."""

import anyio
from attrs import define, field

from genui_core.errors import UpstreamForbidden


@define(eq=False)
class Admittance:
    """The upstream's reaction to the credentials.

    Attributes:
        refusal: The first refusal, if the upstream had never accepted them before.
    """

    refusal: UpstreamForbidden | None = None
    _was_let_in: bool = False
    _refused: anyio.Event = field(factory=anyio.Event)

    def let_in(self) -> None:
        """Record that the upstream has answered: a later refusal may be temporary."""
        self._was_let_in = True

    def refused(self, error: UpstreamForbidden) -> None:
        """Record a refusal."""
        if not self._was_let_in and self.refusal is None:
            self.refusal = error
            self._refused.set()

    async def until_refused(self) -> None:
        """Wait until there is a refusal that will not pass."""
        await self._refused.wait()
