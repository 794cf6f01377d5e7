"""Calls of the wrapper's own tools: their arguments and their results."""

import json
from collections.abc import Mapping
from math import inf

from attrs import frozen

from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.jsonrpc import error_data
from genui_core.domain.tools.tool import Tool, cut
from genui_core.errors import GenUiError, InvalidArguments, NoModel


@frozen(eq=False, repr=False)
class Arguments:
    """The arguments of a call; the methods raise `InvalidArguments` if an argument is wrong."""

    given: Mapping[str, object]

    def text(self, name: str, meaning: str) -> str:
        """Return an argument that must be a text and not blank."""
        value = self.given.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self._refused(name, meaning)
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str | None:
        """Return an argument that must be one of a few words; None if it is missing."""
        value = self.given.get(name)
        if value is None or (isinstance(value, str) and value in choices):
            return value
        raise self._refused(name, f"one of {', '.join(choices)}")

    def switch(self, name: str) -> bool:
        """Return an argument that must be true or false; false if it is missing."""
        value = self.given.get(name, False)
        if isinstance(value, bool):
            return value
        raise self._refused(name, "true or false")

    def number(self, name: str, meaning: str, *, otherwise: int | None = None, most: float = inf) -> int:
        """Return an argument that must be a whole number from 0 to ``most``; ``otherwise`` by default."""
        given = self.given.get(name, otherwise)
        value = None if isinstance(given, bool) else given
        if isinstance(value, int | float) and value % 1 == 0 and 0 <= value <= most:
            return int(value)
        raise self._refused(name, meaning if most == inf else f"{meaning} from 0 to {most}")

    def _refused(self, name: str, meaning: str) -> InvalidArguments:
        given = cut(json.dumps(self.given.get(name), ensure_ascii=False, default=str), 80)
        wrong = f"not {given}" if name in self.given else "and is missing"
        return InvalidArguments(f"{name} must be {meaning}, {wrong}.")


@frozen(eq=False, repr=False)
class Call:
    """A call of one of the wrapper's own tools.

    Attributes:
        session: The host's part of its handshake, an object that no other session has; None without a
            session.
    """

    views: ToolViews
    arguments: Arguments
    request_id: str
    session: object = None

    def tool(self) -> Tool:
        """Return the tool that the call is about; `UnknownTool` if there is none of that name."""
        return self.views.tools.tool(self.arguments.text("toolName", "the name of a tool"))

    def makeable_tool(self) -> Tool:
        """Return that tool; `InvalidArguments` if no view can be made for it."""
        tool = self.tool()
        if not tool.has_hash:
            raise InvalidArguments(
                f"No view can be made for {tool.name!r}: its definition is nested too deep, or holds values that JSON does not have."
            )
        return tool

    def tool_with_ui(self) -> Tool:
        """Return that tool; `InvalidArguments` if the wrapper does not serve its view."""
        tool = self.makeable_tool()
        if not self.views.tools.gives_ui(tool):
            raise InvalidArguments(
                f"{tool.name!r} gets no UI from the wrapper: it brings its own, or generation.enabledTools leaves it out."
            )
        return tool

    def tool_for_model(self) -> Tool:
        """Return that tool; `NoModel` if there is no model to write its UI."""
        tool = self.tool_with_ui()
        if not self.views.has_model:
            raise NoModel
        return tool


def success(structured: Mapping[str, object]) -> dict[str, object]:
    """Return a ``tools/call`` result, as text and as structured content."""
    text = json.dumps(structured, indent=2, ensure_ascii=False)
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": dict(structured),
        "isError": False,
    }


def failure(error: Exception, request_id: str, tool_name: str | None = None) -> dict[str, object]:
    """Return a ``tools/call`` result with the error, so that a model can correct its call."""
    known = error if isinstance(error, GenUiError) else GenUiError(f"mcp-gen-ui failed: {error!r}")
    return {
        "content": [{"type": "text", "text": str(known)}],
        "structuredContent": error_data(known, request_id, tool_name),
        "isError": True,
    }
