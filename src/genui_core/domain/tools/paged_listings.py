"""A host's walks through ``tools/list``, told apart by the cursors they have come to."""

from collections.abc import Callable

from attrs import define, field

from genui_core.domain.tools.registry import Listing

_MOST_UNDER_WAY = 16


@define
class PagedListings:
    """The listings of one host that wait for their next page; the oldest is let go when there are too many."""

    _begin: Callable[[], Listing]
    _at: dict[str, Listing] = field(factory=dict)

    def take(self, cursor: object) -> Listing:
        """Return the listing that goes on at a cursor; one whose first pages are unknown is not whole."""
        if cursor is None:
            return self._begin()
        known = self._at.pop(cursor, None) if isinstance(cursor, str) else None
        if known is not None:
            return known
        partial = self._begin()
        partial.is_whole = False
        return partial

    def keep(self, cursor: str, listing: Listing) -> None:
        """Keep a listing for its next page."""
        self._at[cursor] = listing
        if len(self._at) > _MOST_UNDER_WAY:
            del self._at[next(iter(self._at))]
