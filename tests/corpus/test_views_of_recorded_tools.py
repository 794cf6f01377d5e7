"""Views of tools of every recorded server in a browser: each is checked, filled in, run and checked again."""

import ast
import contextlib
import json
from pathlib import Path

import pytest
from features import spread
from recordings import calls_of, folders, tools_of
from samples import complaints, sample_arguments
from view_host import HOST, ViewHost, adaptive_page

pytestmark = pytest.mark.matrix(quick=5)

COUNT = 64
"""The number of tools: enough for one of each server and for every feature of schemas."""

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
AXE = HOST / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 200)).join(" | ")}`);
}"""
MOST_SIZES = 3
NARROW = 320
FAILURE = {"content": [{"type": "text", "text": "The disk is full of herrings"}], "isError": True}


def chosen():
    """Return the tools to test, always the same ones."""
    tools = spread([tool for folder in folders() for tool in tools_of(folder)], COUNT)
    absent = pytest.param(
        None, marks=pytest.mark.skip(reason="there are no recordings where MCP_RECORDINGS says")
    )
    return tools or [absent]


@pytest.fixture(scope="module")
def host(browser, host_origins):
    """One page for all views of this module."""
    host = ViewHost(browser, host_origins)
    yield host
    host.close()


@pytest.fixture(params=chosen(), ids=lambda tool: f"{tool.server}-{tool.name}" if tool else "none")
def tool(request):
    """A recorded tool."""
    return request.param


@pytest.fixture
def answer(tool):
    """The tool's answer to a call: a recorded result, or a made-up one."""
    for call in calls_of(next(each for each in folders() if each.name == tool.server)):
        if call.tool.name == tool.name and not call.result.get("isError"):
            return call.result
    return {
        "content": [{"type": "text", "text": json.dumps({"herrings": [{"name": "Bismarck", "grams": 71}]})}]
    }


LONGEST_WORD = 100
"""A longer run of letters is no word, but for example a picture in base64."""
ENTERED_AS_JSON = {"explain", "broadcast_flex_message", "push_flex_message"}
"""Tools with alternatives within lists within objects, which a person would enter as raw JSON."""


class Look:
    """A view, with functions that read what it shows."""

    def __init__(self, view) -> None:
        self.view, self.frame = view, view.frame
        self.result = self.frame.get_by_role("region", name="Result", exact=True)
        self.run_button = self.frame.locator("form button[type=submit]")
        self._sizes = 0
        self.frame.evaluate(LOOK)

    def ask(self, name, *given):
        """Call one of the functions in the script that reads the view."""
        return self.frame.evaluate(f"given => look.{name}(...given)", list(given))

    def wait_for(self, words):
        """Wait until words are visible on the page."""
        self.frame.wait_for_function(
            "words => look.texts().toLowerCase().includes(words.toLowerCase())", arg=words
        )

    def new_sizes(self):
        """Wait until the view reports no more sizes; return how many came since the last call."""
        before, seen = self._sizes, -1
        while seen != len(self.view.sizes):
            seen = len(self.view.sizes)
            self.frame.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))")
        self._sizes = seen
        return seen - before

    def violations(self):
        """Return the violations that axe-core finds in the page."""
        if not self.frame.evaluate("'axe' in globalThis"):
            self.frame.evaluate(AXE.read_text(encoding="utf-8"))
        return self.frame.evaluate(RUN_AXE)


def test_a_view_can_be_read_filled_in_and_run(host, tool, answer):
    definition = tool.definition
    schema = definition.get("inputSchema") or {}
    view = host.mount(adaptive_page(definition), tool=definition, call=lambda *_: answer)
    look = Look(view)
    check_form(look, schema)
    assert look.new_sizes() <= MOST_SIZES

    check_call(look, definition, sample_arguments(schema), raw=tool.name in ENTERED_AS_JSON)
    check_result(look, answer)
    assert look.violations() == []

    view.resize(NARROW)
    look.new_sizes()
    assert look.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1

    light = look.ask("colours")
    view.context(theme="dark")
    look.new_sizes()
    view.send_result(FAILURE)
    look.wait_for("full of herrings")
    assert look.new_sizes() <= MOST_SIZES
    assert look.frame.get_by_role("alert").first.is_visible()
    assert look.ask("colours") != light
    assert look.violations() == []
    assert [*view.complaints, *view.requests] == []


def check_form(look, schema):
    """Check that every property has a named control, and that the form marks the required ones."""
    properties = schema.get("properties") or {}
    look.ask("unfold")
    look.new_sizes()
    wanted = [[name, title_of(each)] for name, each in properties.items()]
    found = look.ask("survey", wanted)
    assert [each["name"] for each in found if not each["found"]] == []
    assert [each["unnamed"] for each in found if each["unnamed"]] == []
    assert look.ask("unnamed") == []
    marked = {each["name"] for each in found if each["marked"]}
    if len(properties) > 1:
        assert {
            name for name in schema.get("required") or () if must_be_asked(properties.get(name))
        } <= marked


def title_of(schema):
    """Return the title of a property, or None."""
    return schema.get("title") if isinstance(schema, dict) else None


def must_be_asked(schema):
    """Return whether a person must enter a value; a check box and a constant always have one."""
    return isinstance(schema, dict) and schema.get("type") != "boolean" and "const" not in schema


def check_call(look, definition, arguments, *, raw):
    """Check that the tool gets the entered arguments, with the types of the schema."""
    titles = {
        key: title_of(each)
        for key, each in (definition.get("inputSchema", {}).get("properties") or {}).items()
    }
    if raw:
        look.frame.get_by_role("radio", name="Raw arguments (JSON)").check()
        look.frame.get_by_role("textbox", name="Raw arguments (JSON)").fill(json.dumps(arguments))
    else:
        assert look.ask("fillAll", arguments, titles) == []
    look.new_sizes()
    look.run_button.click()
    if (definition.get("annotations") or {}).get("destructiveHint") is True:
        assert look.view.calls == []
        look.run_button.click()
    look.frame.wait_for_timeout(0)
    assert look.view.calls or look.ask("refusals") == []
    (call,) = look.view.wait_for_calls()
    assert call["name"] == definition["name"]
    assert complaints(call["arguments"], definition.get("inputSchema") or {}) == []
    assert differences(arguments, call["arguments"]) == []


def differences(typed, sent, path=""):
    """Return the entered values that were not sent; other sent members are defaults of the schema."""
    if isinstance(typed, dict) and isinstance(sent, dict):
        return [each for key in typed for each in differences(typed[key], sent.get(key), f"{path}.{key}")]
    return (
        [] if typed == sent else [f"{path}: typed {json.dumps(typed)[:200]}, sent {json.dumps(sent)[:200]}"]
    )


def check_result(look, answer):
    """Check that some of the result is visible, and all of it in the raw JSON."""
    words = [word for each in tokens(answer) if 1 < len(word := each.strip("*_`#|")) < LONGEST_WORD]
    if words:
        found = look.frame.wait_for_function(
            "words => { const page = look.texts(); return words.find(one => page.includes(one)); }", arg=words
        )
        assert found
    assert look.new_sizes() <= 2 * MOST_SIZES, "running, and the result"
    for shown in (True, False):
        look.frame.get_by_role("button", name="Raw JSON").click()
        if shown:
            assert json.loads(look.result.locator("pre:visible").first.inner_text()) == answer


def tokens(value):
    """Return the words of a result that must be visible unchanged."""
    if isinstance(value, dict):
        inner = value.get("structuredContent") or value
        return [
            each
            for key, one in inner.items()
            if key not in {"type", "mimeType", "data"}
            for each in tokens(one)
        ]
    if isinstance(value, list):
        return [each for one in value for each in tokens(one)]
    if not isinstance(value, str):
        return []
    for parse in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError):
            return tokens(parse(value)) if value[:1] in {"[", "{"} else value.split()
    return value.split()
