"""The configuration as a JSON Schema (draft 2020-12), for editors."""

from genui_cli.configuration.compound_kinds import Record
from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import Schema, as_json
from genui_cli.configuration.server_entries import LISTS

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Schema:
    """Return the schema of a configuration file."""
    top = _section("The configuration of mcp-gen-ui.")
    for key in all_keys().values():
        _put(top, key)
    top["properties"]["$schema"] = {"type": "string", "description": "The schema, for editors."}
    for each in LISTS:
        top["properties"][each] = {
            "type": "object",
            "description": "Servers by name, as hosts list them; --server picks one as the upstream.",
            "additionalProperties": {"type": "object"},
        }
    return {"$schema": _DRAFT, "title": "mcp-gen-ui", **top}


def _put(top: Schema, key: Key) -> None:
    *sections, name = key.path.split(".")
    section = top
    for each in sections:
        section = section["properties"].setdefault(each, _section(f"{each}: see docs/configuration.md."))
    section["properties"][name] = _property(key)


def _section(description: str) -> Schema:
    return {"type": "object", "description": description, "additionalProperties": False, "properties": {}}


def _property(key: Key) -> Schema:
    described = {"description": key.note.about, **key.kind.schema()}
    if key.default is not None and not isinstance(key.kind, Record):
        described["default"] = as_json(key.default)
    return described
