"""Whether an upstream has ever let us in: one that refuses from the start will go on refusing."""

import anyio
from attrs import define, field

from genui_core.errors import UpstreamForbidden


@define(eq=False)
class Admittance:
    """What became of our credentials.

    Attributes:
        refusal: How we were refused, if that was before we were ever let in.
    """

    refusal: UpstreamForbidden | None = None
    _was_let_in: bool = False
    _refused: anyio.Event = field(factory=anyio.Event)

    def let_in(self) -> None:
        """Take note that the upstream has answered: a later refusal may pass."""
        self._was_let_in = True

    def refused(self, error: UpstreamForbidden) -> None:
        """Take note of a refusal."""
        if not self._was_let_in and self.refusal is None:
            self.refusal = error
            self._refused.set()

    async def until_refused(self) -> None:
        """Wait until there is a refusal that will not pass."""
        await self._refused.wait()
