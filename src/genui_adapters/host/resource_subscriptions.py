"""The resources that hosts want to be told of, subscribed to at the upstream once for all of them."""

from attrs import define, field

from genui_core.ports.tool_source import Result, ToolSource


@define(eq=False)
class ResourceSubscriptions:
    """Counts who wants to be told of what."""

    _holders: dict[str, int] = field(factory=dict)

    async def hold(self, uri: str, source: ToolSource) -> Result:
        """Be told of a resource on behalf of one more host; return what its subscription is answered.

        Raises:
            GenUiError: The upstream refuses, or cannot be asked.
        """
        first = not self._holders.get(uri)
        result = await source.request("resources/subscribe", {"uri": uri}) if first else {}
        self._holders[uri] = self._holders.get(uri, 0) + 1
        return result

    async def release(self, uri: str, source: ToolSource) -> Result:
        """Take back one `hold`; the last one ends the subscription.

        Raises:
            GenUiError: The upstream refuses, or cannot be asked.
        """
        holders = self._holders.pop(uri, 0)
        if holders > 1:
            self._holders[uri] = holders - 1
            return {}
        return await source.request("resources/unsubscribe", {"uri": uri})
