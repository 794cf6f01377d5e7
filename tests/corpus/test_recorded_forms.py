"""Every recorded tool has a form with a named control per property, and JSON text only where necessary
(requirement M1).
"""

import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest
from recordings import CORPUS, folders

FORMS = Path(__file__).parent / "forms.mjs"
LEAST_STRUCTURED = 0.99
MANY_TOOLS = 500
QUICK_NTH = 3
"""A quick run builds only every third form, because many tools of one server are alike."""


def tools_in_all():
    """Return the number of recorded tools."""
    return sum(len(json.loads((each / "tools.json").read_text())["tools"]) for each in folders())


@pytest.fixture(scope="module")
def nth(pytestconfig):
    """1 if all forms are built, n if only every nth form is."""
    return QUICK_NTH if pytestconfig.getoption("--quick") and tools_in_all() >= MANY_TOOLS else 1


@pytest.fixture(scope="module")
def forms(nth):
    """A description of the form of each tool, all built in one run of Node.js."""
    node = shutil.which("node")
    if not folders() or node is None:
        pytest.skip(
            "there are no recordings where MCP_RECORDINGS says" if node else "Node.js is not installed"
        )
    done = subprocess.run(
        [node, FORMS, CORPUS, "--json", str(nth)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def found(forms, key):
    """Return the values of a key, by server and tool, without empty ones."""
    return {f"{each['server']} / {each['tool']}": each[key] for each in forms if each.get(key)}


def test_a_form_can_be_made_for_every_tool(forms, nth):
    assert len(forms) == math.ceil(tools_in_all() / nth)
    assert found(forms, "error") == {}


def test_every_property_has_a_control_and_every_control_a_name(forms):
    assert found(forms, "missing") == {}
    assert found(forms, "unnamed") == {}


def test_nearly_all_properties_need_no_json(forms):
    structured, all_of_them = (sum(each[key] for each in forms) for key in ("structured", "properties"))
    assert structured / all_of_them >= LEAST_STRUCTURED


def test_json_text_stands_only_where_the_schema_says_no_more(forms):
    needless = {
        tool: [place["path"] for place in places if not place["reason"]]
        for tool, places in found(forms, "json").items()
    }
    assert {tool: places for tool, places in needless.items() if places} == {}
