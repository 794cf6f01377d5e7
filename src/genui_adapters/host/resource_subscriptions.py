"""The hosts' resource subscriptions, with one subscription at the upstream for all hosts."""

from attrs import define, field

from genui_core.ports.tool_source import Result, ToolSource


@define(eq=False)
class ResourceSubscriptions:
    """Counts the hosts that subscribe to each resource."""

    _holders: dict[str, int] = field(factory=dict)

    async def hold(self, uri: str, source: ToolSource) -> Result:
        """Subscribe one more host to a resource; return the answer to its request.

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
