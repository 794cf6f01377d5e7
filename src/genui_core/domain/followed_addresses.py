"""Which addresses of views a host has read, so that it can be told when they hold something else (SPEC U6)."""

from collections.abc import Collection

from attrs import Factory, define

from genui_core.domain.ui_address import ui_address

_MOST_FOLLOWED = 1000


@define
class FollowedAddresses:
    """The newest thousand addresses that a host has read or subscribed to."""

    _followed: dict[str, None] = Factory(dict)

    def follow(self, uri: str) -> None:
        """Remember an address."""
        self._followed[uri] = None
        if len(self._followed) > _MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    def of_tools(self, names: Collection[str]) -> list[str]:
        """Return the remembered addresses of these tools' views, of any version."""
        bare = set(map(ui_address, names))
        return [uri for uri in self._followed if uri.partition("?")[0] in bare]
