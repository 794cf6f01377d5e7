"""The edits the relay makes in the upstream's answers on their way to the host."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import loads

from attrs import frozen

from genui_core.application.stdio.request_answers import ToolKnowledge
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import PagedListings, ToolDiff
from genui_core.domain.mcp.envelope import cacheable_fields, list_hints, server_info_of
from genui_core.domain.mcp.json_text import ListPage, list_page, member
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND, json_text
from genui_core.domain.session.upstream_answers import AnswerEditor, Edited
from genui_core.domain.tools.decoration import (
    with_content_item,
    with_resources,
    with_result_meta,
    with_tool_addresses,
)


@frozen
class ResultEditor(AnswerEditor):
    """Edits results by a function, and answers instead of an upstream that does not know the method.

    Args:
        edit: Returns a result's JSON text, edited.
        when_unknown: Returns the result's JSON text, or the error, for an upstream without the method.
    """

    _edit: Callable[[str], str] = str
    _when_unknown: Callable[[], str | Mapping[str, object] | None] = lambda: None

    def edit_result(self, result: str) -> Edited:
        """Return the edited text."""
        return Edited(self._edit(result))

    def replace_error(self, error: Mapping[str, object]) -> str | Mapping[str, object] | None:
        """Answer where the method is unknown; other errors are the upstream's."""
        return self._when_unknown() if error.get("code") == METHOD_NOT_FOUND else None


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


def resource_list_editor(
    key: str, entries: Sequence[Mapping[str, object]], *, stateless: bool
) -> ResultEditor:
    """Return what appends entries to the upstream's last page; they stand alone if it has no such list."""

    def append(result: str) -> str:
        page = list_page(result, key)
        return with_resources(page, entries, list_hints(stateless=stateless)) if page.is_last else result

    alone = {key: list(entries), **cacheable_fields(stateless=stateless)}
    return ResultEditor(append, lambda: json_text(alone))


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
