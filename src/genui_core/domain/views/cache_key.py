"""The key of a view: the same inputs give the same key on any machine (SPEC §9)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256

from attrs import Factory, asdict, frozen

from genui_core.domain.mcp.json_text import canonical_bytes
from genui_core.domain.settings.settings import Limits
from genui_core.domain.tools.tool import Tool

TEMPLATE_VERSION = "1"
"""Raised when the page that holds a view changes so much that stored views must not be reused."""

_PER_TOOL = ("ui_type", "hints", "examples")


@frozen(slots=False)
class ViewConfiguration:
    """Whatever besides the tool and its refinements decides what a view looks like."""

    prompt_set_id: str
    prompt_set_version: str
    prompt_set_hash: str
    kit_api_version: int
    template_version: str = TEMPLATE_VERSION
    provider: str = "none"
    model: str | None = None
    temperature: float | None = None
    mode: str = "fragment"
    theme: str = "light"
    ui_type: Mapping[str, str] = {}
    hints: Mapping[str, object] = {}
    examples: Mapping[str, object] = {}
    limits: Limits = Factory(Limits)

    @cached_property
    def _shared_hash(self) -> str:
        shared = asdict(self, filter=lambda attribute, _: attribute.name not in _PER_TOOL)
        return sha256(canonical_bytes(shared)).hexdigest()

    def hash_for(self, tool_name: str) -> str:
        """Return SHA-256, in hex, over what applies to that tool."""
        own = {each: getattr(self, each)[tool_name] for each in _PER_TOOL if tool_name in getattr(self, each)}
        return sha256(canonical_bytes([self._shared_hash, own])).hexdigest()


def refinement_hash(feedback: Sequence[str]) -> str:
    """Return SHA-256, in hex, over the refinements in their order."""
    return sha256(canonical_bytes(list(feedback))).hexdigest()


NO_REFINEMENTS = refinement_hash(())


def cache_key(tool: Tool, configuration_hash: str, refinements: str = NO_REFINEMENTS) -> str:
    """Return the key under which a tool's view is stored: 64 hex digits."""
    parts = {
        "toolName": tool.name,
        "toolHash": tool.hash,
        "refinementHash": refinements,
        "configurationHash": configuration_hash,
    }
    return sha256(canonical_bytes(parts)).hexdigest()
