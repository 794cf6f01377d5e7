"""What a host is told when views are other ones than they were (SPEC U6)."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import Factory, define

from genui_core.domain.mcp.subscriptions import RESOURCE_UPDATED, RESOURCES_CHANGED, TOOLS_CHANGED
from genui_core.domain.tools.tool import ui_address

LISTS_OF_VIEWS = (TOOLS_CHANGED, RESOURCES_CHANGED)
"""The lists that change with a view: the address that a tool advertises, and what can be read."""

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

    def __iter__(self) -> Iterator[str]:
        """Give the remembered addresses, the oldest first."""
        return iter(self._followed)


def view_news(
    tool_names: Collection[str], held: Iterable[str], *, knows_tools: bool = False
) -> list[tuple[str, Mapping[str, object]]]:
    """Return the notifications, each a method with its params, that tell of changed views.

    Args:
        tool_names: The tools whose views are other ones now, or gone.
        held: The addresses that the host holds, of any version; those of these views are told one by one.
        knows_tools: Whether the host has just been given the tools, so that they are no news.
    """
    bare = set(map(ui_address, tool_names))
    lists = LISTS_OF_VIEWS[1:] if knows_tools else LISTS_OF_VIEWS
    updated = [uri for uri in held if uri.partition("?")[0] in bare]
    return [*((method, {}) for method in lists), *((RESOURCE_UPDATED, {"uri": uri}) for uri in updated)]
