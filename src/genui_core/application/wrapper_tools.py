"""What the wrapper's own tools answer (SPEC §8)."""

import json
from collections.abc import Callable, Mapping
from typing import Protocol

from genui_core.application.view_desk import ViewDesk
from genui_core.domain import wrapper_tools as definitions
from genui_core.domain.registry import ToolDiff
from genui_core.domain.tool import Tool
from genui_core.errors import GenUiError, InvalidArguments, UpstreamFailed


class KnownTools(Protocol):
    """What the wrapper's own tools ask of the wrapper."""

    @property
    def active_tools(self) -> Mapping[str, Tool]:
        """The upstream's tools, by name."""
        ...

    @property
    def views(self) -> ViewDesk:
        """What serves views."""
        ...

    def tool(self, name: str) -> Tool:
        """Return the tool of that name."""
        ...

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve."""
        ...


class WrapperTools:
    """The tools of one `Wrapper`'s own."""

    def __init__(self, wrapper: KnownTools) -> None:
        self._wrapper = wrapper
        self._answers: Mapping[str, Callable[[Mapping[str, object]], dict[str, object]]] = {
            definitions.LIST: self._list,
            definitions.INSPECT: self._inspect,
        }

    def definitions(self) -> dict[str, dict[str, object]]:
        """Return the definitions to append to the upstream's tools, by published name."""
        return definitions.published(self._wrapper.active_tools)

    def yielded_names(self) -> dict[str, str]:
        """Return our tools whose names the upstream uses itself, with the longer names they go by (SPEC W12)."""
        names = {definitions.original_name(published): published for published in self.definitions()}
        return {name: published for name, published in names.items() if name != published}

    def call(self, published_name: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the ``tools/call`` result, as text and as structured content.

        A failure is a result with ``isError``, so that a model can read it and do better.
        """
        answer = self._answers[definitions.original_name(published_name)]
        try:
            return _success(answer(arguments))
        except (GenUiError, RecursionError) as error:
            return _failure(error)

    def refreshes(self, published_name: str) -> bool:
        """Whether a tool of ours lists the upstream's tools anew, which is the door's to do."""
        return definitions.original_name(published_name) == definitions.REFRESH_TOOLS

    def refreshed(self, outcome: ToolDiff | UpstreamFailed) -> dict[str, object]:
        """Return the ``tools/call`` result that tells what listing the tools anew has found."""
        if isinstance(outcome, UpstreamFailed):
            return _failure(outcome)
        return _success(
            {
                "added": list(outcome.added),
                "removed": list(outcome.removed),
                "changed": list(outcome.changed),
                "unchanged": list(outcome.unchanged),
            }
        )

    def _list(self, _arguments: Mapping[str, object]) -> dict[str, object]:
        return {"tools": [self._listed(tool) for tool in self._wrapper.active_tools.values()]}

    def _listed(self, tool: Tool) -> dict[str, object]:
        enabled = self._wrapper.gives_ui(tool)
        return {"name": tool.name, "uiType": "minimal", "cached": False, "refinements": 0, "enabled": enabled}

    def _inspect(self, arguments: Mapping[str, object]) -> dict[str, object]:
        tool = self._wrapper.tool(_tool_name(arguments))
        views, enabled = self._wrapper.views, self._wrapper.gives_ui(tool)
        schema = tool.definition.get("inputSchema")
        return {
            "tool": tool.name,
            "uiType": "minimal",
            "enabled": enabled,
            "resourceUri": views.address(tool) if enabled else None,
            "cached": False,
            "cacheKey": views.cache_key(tool),
            "generatedAt": None,
            "generationDurationMs": None,
            "llmModel": None,
            "promptVersion": views.configuration.prompt_set_version,
            "templateVersion": views.configuration.template_version,
            "refinementHistory": [],
            "inputSchema": schema if isinstance(schema, Mapping) else {},
            "findings": [],
            "fallbackReason": None,
            "requestId": None,
        }


def _success(structured: dict[str, object]) -> dict[str, object]:
    text = json.dumps(structured, indent=2, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": False}


def _failure(error: Exception) -> dict[str, object]:
    return {"content": [{"type": "text", "text": str(error)}], "isError": True}


def _tool_name(arguments: Mapping[str, object]) -> str:
    name = arguments.get("toolName")
    if not isinstance(name, str):
        raise InvalidArguments(f"toolName must be the name of a tool, not {json.dumps(name)}.")
    return name
