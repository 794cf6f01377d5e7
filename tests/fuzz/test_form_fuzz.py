"""Random schemas: the page of the minimal view holds each, and the kit builds a form from it under Node.js."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.minimal_view import minimal_page, page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

LARGEST = 256_000
FORMS = Path(__file__).parent.parent / "corpus" / "forms.mjs"
NODE = shutil.which("node")
KIT = BuiltViewKit()
KEYWORDS = st.sampled_from(
    [
        "type", "properties", "items", "prefixItems", "enum", "const", "default", "allOf", "anyOf", "oneOf", "not", "if",
        "then", "else", "$ref", "$defs", "definitions", "$id", "$anchor", "$dynamicRef", "additionalProperties",
        "patternProperties", "propertyNames", "dependentSchemas", "required", "minimum", "maximum", "multipleOf", "pattern",
        "format", "minLength", "maxLength", "minItems", "contains", "unevaluatedProperties", "examples", "title",
        "description", "nullable", "discriminator", "readOnly",
    ]
)  # fmt: skip
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20),
    st.sampled_from(
        ["#", "#/$defs/a", "#/properties/a", "object", "array", "string", "integer", "</script>", "^(a+)+$", "date", "__proto__"]
    ),
)  # fmt: skip


def schemas(most):
    """Return a strategy for schemas with at most that many leaves."""
    return st.recursive(
        SCALARS,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(KEYWORDS, inner, max_size=6)
            | st.dictionaries(
                st.sampled_from(["a", "b", "__proto__", "constructor"]) | st.text(max_size=5), inner
            )
        ),
        max_leaves=most,
    )


SCHEMAS, SMALL = schemas(40), schemas(8)


@given(SCHEMAS, SCHEMAS)
def test_the_page_of_any_schema_holds_its_tool(taken, given_back):
    tool = Tool({"name": "tool", "inputSchema": taken, "outputSchema": given_back})
    page = minimal_page(tool, page_data(tool, Settings()), KIT)
    assert len(page.encode()) <= LARGEST
    data = page.partition('id="mcp-gen-ui-page">')[2].partition("</script>")[0]
    assert json.loads(data, parse_constant=pytest.fail)["tool"]["name"] == "tool"


def shown(name, schema):
    """Return a tool as the page passes it to the kit."""
    return json.loads(page_data(Tool({"name": name, "inputSchema": schema}), Settings()))["tool"]


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@settings(max_examples=max(4, settings().max_examples // 50), suppress_health_check=[*HealthCheck])
@given(st.lists(SMALL, min_size=10, max_size=20))
def test_the_kit_builds_a_form_of_any_schema(schemas):
    tools = [shown(f"tool {number}", each) for number, each in enumerate(schemas)]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "server").mkdir()
        (Path(folder) / "server" / "tools.json").write_text(json.dumps({"tools": tools}))
        done = subprocess.run(
            [NODE, FORMS, folder, "--json"], capture_output=True, text=True, timeout=120, check=False
        )
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(tools)
    assert [each for each in told if each.get("error")] == []
