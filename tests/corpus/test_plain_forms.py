"""Both builds of the kit do the same with every tool whose schemas are plain.

The Python rule (`genui_core.domain.pages.generated_page`) decides which tools get the smaller build, whose
forms are in ``view/src/plain``. Recorded and generated tools show that the two agree.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recordings import folders, tools_of

from genui_core.domain.pages.generated_page import has_plain_schemas
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

COMPARE = Path(__file__).parent / "plain_forms.mjs"
NODE = shutil.which("node")
LEAST_PLAIN = 0.7
MANY_TOOLS = 500
PARTS = 24

pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")


def differences(tools):
    """Return the differences between the forms of both builds, for tools as in their pages."""
    shown = (json.loads(page_data(tool, Settings()))["tool"] for tool in tools)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(each) + "\n" for each in shown)
        file.flush()
        done = subprocess.run([NODE, COMPARE, file.name], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def schemas_of(tool):
    """Return the schemas of a tool as text, to find tools with the same schemas."""
    return json.dumps([tool.definition.get("inputSchema"), tool.definition.get("outputSchema")])


@pytest.fixture(scope="module")
def recorded():
    if not folders():
        pytest.skip("there are no recordings where MCP_RECORDINGS says")
    return [Tool(each.definition) for folder in folders() for each in tools_of(folder)]


def test_most_recorded_tools_are_plain(recorded):
    if len(recorded) < MANY_TOOLS:
        pytest.skip("the sample of the repository was chosen for its odd schemas")
    assert sum(map(has_plain_schemas, recorded)) / len(recorded) >= LEAST_PLAIN


@pytest.mark.matrix(quick=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_both_builds_do_the_same_with_recorded_plain_tools(recorded, part):
    plain = {schemas_of(tool): tool for tool in recorded if has_plain_schemas(tool)}
    assert differences([*plain.values()][part::PARTS]) == ""


NAMES = st.sampled_from(["a", "b", "query", "length", "name", "__proto__", "password", "body", ""])
WORDS = st.sampled_from(["", "a", "Some words", "line\nline"])
VALUES = st.one_of(
    WORDS, st.integers(-3, 60), st.booleans(), st.none(), st.sampled_from([0.5, 1e21, [], ["a"], {}])
)
NOTES = {
    "title": WORDS,
    "description": WORDS,
    "default": VALUES,
    "examples": st.lists(VALUES, max_size=3),
    "deprecated": st.booleans(),
    "readOnly": st.booleans(),
}
BOUNDS = {
    "minLength": st.integers(0, 3),
    "maxLength": st.integers(0, 600),
    "minimum": st.integers(-2, 5) | st.just(0.5),
    "maximum": st.integers(0, 9),
    "exclusiveMinimum": st.integers(0, 2) | st.booleans(),
    "exclusiveMaximum": st.integers(3, 5),
    "multipleOf": st.sampled_from([1, 2, 0.1]),
    "minItems": st.integers(0, 2),
    "maxItems": st.integers(1, 3),
    "uniqueItems": st.booleans(),
    "pattern": st.just("^a"),
    "format": st.sampled_from(["date", "uri", "int32"]),
}
TYPES = st.sampled_from(["string", "string", "number", "integer", "boolean", "array", "object", "null"])
ENUMS = st.lists(VALUES, min_size=1, max_size=45)


def schemas(inner):
    """Return a strategy for plain schemas and, more rarely, for others."""
    own = {
        "type": TYPES | st.lists(TYPES, min_size=2, max_size=2) | TYPES.map(lambda one: [one, "null"]),
        "enum": ENUMS,
        "const": VALUES,
        "items": inner | ENUMS.map(lambda values: {"enum": values}),
        "anyOf": st.lists(inner, min_size=2, max_size=2) | inner.map(lambda one: [one, {"type": "null"}]),
        "properties": st.dictionaries(NAMES, inner, max_size=2),
    }
    few = st.lists(st.sampled_from([*BOUNDS, *NOTES]), max_size=3)
    keywords = st.tuples(st.sampled_from([*["type"] * 4, *own]), few)
    return keywords.flatmap(
        lambda chosen: st.fixed_dictionaries(
            {each: {**own, **BOUNDS, **NOTES}[each] for each in (chosen[0], *chosen[1])}
        )
    )


FIELDS = st.recursive(TYPES.map(lambda one: {"type": one}), schemas, max_leaves=4)
PLAIN_FORMS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, FIELDS, max_size=3)},
    optional={"required": st.lists(NAMES, unique=True), "additionalProperties": st.just(False)},
).filter(lambda schema: has_plain_schemas(Tool({"name": "a", "inputSchema": schema})))
PLAIN_DATA = FIELDS.filter(lambda schema: has_plain_schemas(Tool({"name": "a", "outputSchema": schema})))
PLAIN_TOOLS = st.fixed_dictionaries(
    {"name": st.just("a"), "inputSchema": PLAIN_FORMS}, optional={"outputSchema": PLAIN_DATA}
).map(Tool)


@pytest.mark.matrix(quick=0)
@settings(
    max_examples=max(3, settings().max_examples // 30), deadline=None, suppress_health_check=[*HealthCheck]
)
@given(st.lists(PLAIN_TOOLS, min_size=30, max_size=60))
def test_both_builds_do_the_same_with_generated_plain_tools(tools):
    assert differences(tools) == ""
