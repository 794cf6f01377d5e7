"""The edits the relay makes in the upstream's answers on their way to the host."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import loads

from attrs import frozen

from genui_core.application.stdio.request_answers import ToolKnowledge
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import PagedListings, ToolDiff
from genui_core.domain.mcp.envelope import cacheable_fields, list_hints, server_info_of
from genui_core.domain.mcp.json_text import ListPage, list_page, member, members
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND, json_text
from genui_core.domain.session.upstream_answers import AnswerEditor, Edited
from genui_core.domain.tools.decoration import (
    with_capabilities,
    with_content_item,
    with_resources,
    with_result_meta,
    with_tool_addresses,
)


@frozen
class CapabilityEditor(AnswerEditor):
    """Learns from the answers to ``initialize`` and ``server/discover``, and announces what views need.

    Args:
        learn: Called with what the upstream says of itself: the members of its answer.
        announces: Whether the host gets views at all.
    """

    _learn: Callable[[Mapping[str, object]], None]
    _announces: bool = True

    def edit_result(self, result: str) -> Edited:
        """Announce resources and changes, after noting what the upstream says of itself."""
        self._learn({each.key: each.value for each in members(result)})
        return Edited(with_capabilities(result) if self._announces else result)


@frozen
class ToolListEditor(AnswerEditor):
    """Ties the listed tools to their views, appends the wrapper's own, and learns of changes."""

    _views: ToolViews
    _listings: PagedListings
    _knowledge: ToolKnowledge
    _cursor: object
    _age_mark: int
    _changed: Callable[[ToolDiff], None]
    _stateless: bool
    _own_tools: Callable[[], Iterable[Mapping[str, object]]]
    _gets_apps: bool = True

    @property
    def memo_key(self) -> str | None:
        """A listing of one page is reused until the tools were listed to the end, or changed, another time."""
        if self._cursor is not None:
            return None
        return f"tools/list {self._views.tools.listing_number} {self._age_mark} {self._stateless} {self._gets_apps}"

    def edit_result(self, result: str) -> Edited:
        """Return the page with addresses, and with our tools after the last one."""
        page = list_page(result, "tools")
        self._views.tools.know_upstream(server_info_of({"_meta": page.meta}))
        listing = self._listings.take(self._cursor)
        listing.add_page([each.value for each in page.elements])
        if page.next_cursor is not None:
            self._listings.keep(page.next_cursor, listing)
            return Edited(self._with_additions(page, ()))
        diff = self._views.finish_listing(listing, shows_views=self._gets_apps)
        if listing.is_whole:
            self._knowledge.listed(self._age_mark if self._cursor is None else 0)
        edited = self._with_additions(page, self._own_tools())
        self._changed(diff)
        return Edited(edited, reusable=self._cursor is None)

    def _with_additions(self, page: ListPage, own_tools: Iterable[Mapping[str, object]]) -> str:
        hints = list_hints(stateless=self._stateless)
        address_of = self._views.address_of if self._gets_apps else _no_address
        return with_tool_addresses(page, address_of, own_tools, hints)


def _no_address(_definition: Mapping[str, object]) -> None:
    """Tie no tool to a view: the host shows none."""


@frozen
class ResourceListEditor(AnswerEditor):
    """Appends entries to the upstream's list, or returns them alone if the upstream has no such list."""

    _key: str
    _entries: Sequence[Mapping[str, object]]
    _stateless: bool

    def edit_result(self, result: str) -> Edited:
        """Append the entries to the last page."""
        page = list_page(result, self._key)
        hints = list_hints(stateless=self._stateless)
        return Edited(with_resources(page, self._entries, hints) if page.is_last else result)

    def replace_error(self, error: Mapping[str, object]) -> str | None:
        """Give the entries alone where the upstream does not know the method."""
        if error.get("code") != METHOD_NOT_FOUND:
            return None
        return json_text({self._key: list(self._entries), **cacheable_fields(stateless=self._stateless)})


@frozen
class MissingResourceEditor(AnswerEditor):
    """Replaces "method not found" by "resource not found" where the upstream has no resources."""

    _not_found: Callable[[], Mapping[str, object]]

    def edit_result(self, result: str) -> Edited:
        """Forward a resource of the upstream as it is."""
        return Edited(result)

    def replace_error(self, error: Mapping[str, object]) -> Mapping[str, object] | None:
        """Say that the resource is missing; other errors are the upstream's."""
        return self._not_found() if error.get("code") == METHOD_NOT_FOUND else None


@frozen
class LinkEditor(AnswerEditor):
    """Adds an address to the text of a call's result (``companion.linkInResults``)."""

    _address: Callable[[], str]

    def edit_result(self, result: str) -> Edited:
        """Add the address as the last item of the content; a result without content stays as it is."""
        item = {"type": "text", "text": f"As an interactive view: {self._address()}"}
        return Edited(with_content_item(result, item))


@frozen
class CallResultEditor(AnswerEditor):
    """Adds a view or its address to the result of a call (``host.stampResults``, ``host.embedResults``)."""

    _views: ToolViews
    _name: str
    _arguments: object
    _gets_apps: bool

    def edit_result(self, result: str) -> Edited:
        """Make the additions, unless the result asks for input instead of being one."""
        kind = member(result, "resultType")
        asks = kind is not None and kind.value == "input_required"
        if asks:
            return Edited(result)
        meta = self._views.result_meta(self._name) if self._gets_apps else None
        if self._views.embeds_views:
            item = self._views.embedded_view(self._name, self._arguments, loads(result))
            result = result if item is None else with_content_item(result, item)
        return Edited(result if meta is None else with_result_meta(result, meta))
