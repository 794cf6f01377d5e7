"""The edits the relay makes in the upstream's answers on their way to the host."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from attrs import frozen

from genui_core.application.wrapper import Wrapper
from genui_core.domain.decoration import with_resources, with_resources_capability, with_tool_addresses
from genui_core.domain.json_text import member
from genui_core.domain.jsonrpc import json_text
from genui_core.domain.list_page import list_page
from genui_core.domain.registry import ToolDiff
from genui_core.domain.relay_answers import Edited
from genui_core.domain.rpc_errors import METHOD_NOT_FOUND


class _LearnUpstream(Protocol):
    def __call__(self, *, has_resources: bool) -> None: ...


@frozen
class CapabilityEditor:
    """Announces resources in the answers to ``initialize`` and ``server/discover``."""

    _learn: _LearnUpstream
    memo_key: None = None

    def edit_result(self, result: str) -> Edited:
        """Announce resources, after noting whether the upstream has any of its own."""
        capabilities = member(result, "capabilities")
        known = capabilities.value if capabilities is not None else None
        self._learn(has_resources=isinstance(known, Mapping) and isinstance(known.get("resources"), Mapping))
        return Edited(with_resources_capability(result))

    def replace_error(self, error: Mapping[str, object]) -> None:
        """Pass errors on."""


@frozen
class ToolListEditor:
    """Ties the listed tools to their views, appends the wrapper's own, and learns of changes."""

    _wrapper: Wrapper
    _cursor: object
    _changed: Callable[[ToolDiff], None]

    @property
    def memo_key(self) -> str | None:
        """A listing of one page is reused until the tools were listed anew with another outcome."""
        return f"tools/list {self._wrapper.listing_number}" if self._cursor is None else None

    def edit_result(self, result: str) -> Edited:
        """Return the page with addresses, and with our tools after the last one."""
        page = list_page(result, "tools")
        listed = [each.value for each in page.elements]
        diff = self._wrapper.learn_page(listed, is_first=self._cursor is None, is_last=page.is_last)
        own = self._wrapper.tools.definitions().values() if page.is_last else ()
        edited = with_tool_addresses(page, self._wrapper.address_of, own)
        if diff is not None:
            self._changed(diff)
        return Edited(edited, reusable=self._cursor is None and page.is_last)

    def replace_error(self, error: Mapping[str, object]) -> None:
        """Pass errors on."""


@frozen
class ResourceListEditor:
    """Appends entries to a list of the upstream's, or gives them alone where it has no such list."""

    _key: str
    _entries: Sequence[Mapping[str, object]]
    _stateless_fields: Mapping[str, object]
    memo_key: None = None

    def edit_result(self, result: str) -> Edited:
        """Append the entries to the last page."""
        page = list_page(result, self._key)
        return Edited(with_resources(page, self._entries) if page.is_last else result)

    def replace_error(self, error: Mapping[str, object]) -> str | None:
        """Give the entries alone where the upstream does not know the method."""
        if error.get("code") != METHOD_NOT_FOUND:
            return None
        return json_text({self._key: list(self._entries), **self._stateless_fields})
