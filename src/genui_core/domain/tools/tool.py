"""A tool as the upstream defines it: opaque, hashed, never rebuilt from parsed parts."""

import json
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256

from attrs import field, frozen

from genui_core.domain.mcp.canonical_json import canonical_bytes

_HASHED = ("name", "description", "inputSchema", "outputSchema", "annotations")
"""What makes a tool another tool (SPEC §9 and W11)."""

MAX_TOLD_CHARACTERS = 100
"""The most characters of a name that a prompt holds (SPEC §4)."""


@frozen(slots=False)
class Tool:
    """One tool of the upstream.

    Attributes:
        definition: The object as it stood in ``tools/list``, any unknown fields included.
    """

    definition: Mapping[str, object] = field(repr=False)

    @property
    def name(self) -> str:
        """The tool's name on the wire."""
        return str(self.definition["name"])

    @property
    def title(self) -> str:
        """What to call the tool before a person: its title, its annotated title, or its name."""
        annotations = self.definition.get("annotations")
        annotated = annotations.get("title") if isinstance(annotations, Mapping) else None
        for candidate in (self.definition.get("title"), annotated):
            if isinstance(candidate, str) and candidate.strip():
                return candidate
        return self.name

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, over the canonical JSON of what makes it this tool.

        Raises:
            RecursionError: The definition is nested deeper than can be walked.
        """
        essence = {key: self.definition[key] for key in _HASHED if key in self.definition}
        return sha256(canonical_bytes(essence)).hexdigest()

    def is_same_as(self, other: "Tool") -> bool:
        """Whether two definitions are equal, types included: ``0`` is not ``false``."""
        return self.definition == other.definition and json.dumps(self.definition) == json.dumps(
            other.definition
        )

    @cached_property
    def brings_own_ui(self) -> bool:
        """Whether the upstream itself ties the tool to a UI resource (SPEC W3)."""
        return self.own_ui is not None

    @property
    def is_callable_by_views(self) -> bool:
        """Whether the upstream lets views call the tool; it may keep it for models alone."""
        meta = self.definition.get("_meta")
        ui = meta.get("ui") if isinstance(meta, Mapping) else None
        visibility = ui.get("visibility") if isinstance(ui, Mapping) else None
        return not isinstance(visibility, list) or "app" in visibility

    @property
    def own_ui(self) -> str | None:
        """The address of the UI that the upstream itself ties the tool to."""
        return own_resource_uri(self.definition.get("_meta"))


def told_name(name: str) -> str:
    """Return a tool's name as prompts give it to a model: a long one is cut (SPEC §4)."""
    return name if len(name) <= MAX_TOLD_CHARACTERS else f"{name[: MAX_TOLD_CHARACTERS - 1]}…"


def only_reads(tool: Tool) -> bool:
    """Whether a tool says of itself that it changes nothing."""
    annotations = tool.definition.get("annotations")
    return isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is True


def own_resource_uri(meta: object) -> str | None:
    """Return the UI resource that a tool's ``_meta`` names, under any of the names that hosts look for."""
    if not isinstance(meta, Mapping):
        return None
    ui = meta.get("ui")
    nested = ui.get("resourceUri") if isinstance(ui, Mapping) else None
    for uri in (nested, meta.get("ui/resourceUri"), meta.get("openai/outputTemplate")):
        if isinstance(uri, str):
            return uri
    return None


def is_tool(definition: object) -> bool:
    """Whether a list element is a definition that can be called: an object with a name."""
    return isinstance(definition, Mapping) and isinstance(definition.get("name"), str)
