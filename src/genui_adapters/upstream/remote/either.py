"""A link to a URL: Streamable HTTP, and SSE where the server turns out to know only that."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define

from genui_adapters.upstream.link import AskDifferently, Inbox, Link, LinkOpener, Rejected

_ONLY_SSE = (400, 404, 405)
"""What servers of 2024-11-05 answer to a POST at the address of their stream."""


@define(eq=False)
class RemoteLinkOpener(LinkOpener):
    """Opens links of one kind, and turns to the other where that is refused as the protocol foresees."""

    streamable: LinkOpener
    sse: LinkOpener
    _refused: Rejected | None = None

    @asynccontextmanager
    async def __call__(self, inbox: Inbox) -> AsyncIterator[Link]:
        """Open a link.

        What the first request on it meets comes through here: raises `AskDifferently` where the
        next link should be of the other kind.
        """
        opened = (
            self._over_streamable(inbox) if self._refused is None else self._over_sse(inbox, self._refused)
        )
        async with opened as link:
            yield link

    @asynccontextmanager
    async def _over_streamable(self, inbox: Inbox) -> AsyncIterator[Link]:
        try:
            async with self.streamable(inbox) as link:
                yield link
        except Rejected as refused:
            if refused.status not in _ONLY_SSE:
                raise
            self._refused = refused
            raise AskDifferently(refused.reason) from refused

    @asynccontextmanager
    async def _over_sse(self, inbox: Inbox, refused: Rejected) -> AsyncIterator[Link]:
        try:
            async with self.sse(inbox) as link:
                yield link
        except Rejected:
            self._refused = None
            raise refused from None
