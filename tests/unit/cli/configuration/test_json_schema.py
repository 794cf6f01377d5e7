"""The JSON Schema of config files admits the same values as the loader (requirement S1)."""

import pytest

from genui_cli.configuration.documents import json_schema
from genui_cli.configuration.keys import all_keys

from .test_keys import KEYS, NAMES


def property_at(path):
    at = json_schema()
    for name in path.split("."):
        assert at.get("additionalProperties") is False
        at = at["properties"][name]
    return at


def admits(schema, value):
    """Return whether a schema admits a value, for the keywords that this schema uses."""
    if "anyOf" in schema:
        return any(admits(each, value) for each in schema["anyOf"])
    types = {
        "string": lambda: isinstance(value, str),
        "boolean": lambda: isinstance(value, bool),
        "integer": lambda: isinstance(value, int) and not isinstance(value, bool),
        "number": lambda: isinstance(value, int | float) and not isinstance(value, bool),
        "null": lambda: value is None,
        "array": lambda: isinstance(value, list) and all(admits(schema["items"], each) for each in value),
        "object": lambda: (
            isinstance(value, dict)
            and all(
                admits(
                    schema.get("properties", {}).get(name)
                    or schema["additionalProperties"]
                    or {"type": "null"},
                    each,
                )
                for name, each in value.items()
            )
        ),
    }
    fits = types[schema["type"]]() if "type" in schema else True
    return fits and (
        (value in schema["enum"] if "enum" in schema else True)
        and (value >= schema["minimum"] if "minimum" in schema else True)
        and (value <= schema["maximum"] if "maximum" in schema else True)
    )


@pytest.mark.parametrize("path", NAMES)
def test_every_key_is_in_the_schema_with_its_text(path):
    assert property_at(path)["description"] == all_keys()[path].note.about


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, _, value, _ in KEYS], ids=NAMES)
def test_the_schema_admits_values_that_the_loader_accepts(path, value):
    assert admits(property_at(path), value)


@pytest.mark.parametrize(("path", "value"), [(path, bad) for path, _, _, refused in KEYS for bad in refused])
def test_the_schema_rejects_values_that_the_loader_refuses(path, value):
    assert not admits(property_at(path), value)


def test_the_schema_names_its_draft_and_its_sections():
    assert json_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    sections = {path.partition(".")[0] for path in NAMES}
    assert set(json_schema()["properties"]) == {*sections, "$schema", "mcpServers", "servers"}
