"""A page and the chat around it: tools for the host's agent, the model's context, and stored state."""

import json
import re

import pytest
from playwright.sync_api import expect
from view_host import chat_page

BRIDGES = ("v2", "v1")
PROFILES = ("spec", "opaque", "noforms", "vscode", "url", "bare")
TOOL = {
    "name": "list_birds",
    "inputSchema": {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "title": "Kind"},
            "password": {"type": "string", "title": "Password"},
        },
    },
}
NAMES = ("kiwi", "owl", "heron", "duck", "robin", "swan", "rook", "gull", "jay")
BIRDS = [
    {
        "bird": name,
        "wing_span": span,
        "nest": f"{name[0]}{span}",
        "home": "lake" if span % 2 else "wood",
        "ring": f"A-{span}",
    }
    for span, name in enumerate(NAMES)
]
RESULT = {"content": [], "structuredContent": {"birds": BIRDS}}
TABLE = "<template></template><script>function render(data, ui) { const kept = ui.state('seen', 0); kept.value += 1; ui.root.append(`seen ${kept.value}`, ui.table(data.birds)); }</script><!--end-->"
SOURCES = pytest.mark.parametrize("source", ["", TABLE], ids=["minimal", "written"])
CHAT = {"message": {"text": {}}, "updateModelContext": {"text": {}}}


def names(host):
    """Return the first column as the person sees it."""
    return host.frame.locator("section.result tbody tr td:first-child").all_inner_texts()


class Wrapper:
    """A stand-in for the wrapper that stores the state of views."""

    def __init__(self):
        self.states = {}

    def __call__(self, name, given):
        if name != "_ui_view":
            return RESULT
        if "keep" in given:
            self.states[given["view"]] = given["keep"]
        answer = {
            "tool": "list_birds",
            "version": "e3b0c442",
            "state": "minimal",
            "kept": self.states.get(given["view"], {}),
        }
        return {"content": [{"type": "text", "text": json.dumps(answer)}], "structuredContent": answer}


@pytest.fixture
def open_chat(mount):
    """Show a page in a host that names no view, unless the test names one; the birds are its result."""

    def open_chat(source="", *, live=False, rows=9, **options):
        given = {"viewId": None, "call": Wrapper(), **options}
        host = mount(chat_page(TOOL, source, live=live), tool=TOOL, tool_input={"kind": "all"}, **given)
        host.send_result(RESULT)
        expect(host.frame.locator("section.result tbody tr")).to_have_count(rows)
        return host

    return open_chat


def use(host, tool, **arguments):
    """Call a tool of the view through the official bridge."""
    return host.ask_host("host.bridge().callTool(given)", {"name": tool, "arguments": arguments})


@SOURCES
@pytest.mark.matrix(quick=3)  # test_every_host.py has a view in each of them
@pytest.mark.parametrize("bridge", BRIDGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_an_agent_sorts_and_filters_an_open_table(open_chat, profile, bridge, source):
    host = open_chat(source, profile=profile, bridge=bridge)
    (hello,) = host.said("ui/initialize")
    assert hello["appCapabilities"] == {"tools": {}}
    listed = host.ask_host("host.bridge().listTools({})")["tools"]
    assert [each["name"] for each in listed] == ["get_view_state", "set_sort", "set_filter"]
    assert use(host, "set_sort", column="bird", descending=True)["structuredContent"] == {
        "sorted": {"column": "Bird", "descending": True}
    }
    assert names(host)[:3] == ["swan", "rook", "robin"]
    filtered = use(host, "set_filter", words="ro")["structuredContent"]
    assert filtered == {"filter": "ro", "count": "3 of 9 rows"}
    assert sorted(names(host)) == ["heron", "robin", "rook"]
    expect(host.frame.get_by_role("searchbox", name="Filter rows")).to_have_value("ro")
    state = use(host, "get_view_state")["structuredContent"]
    (table,) = state["tables"]
    assert (state["tool"], state["arguments"]) == ("list_birds", {"kind": "all"})
    assert table["columns"] == ["Bird", "Wing span", "Nest", "Home", "Ring"]
    assert (table["sort"], table["filter"]) == ({"column": "Bird", "descending": True}, "ro")
    assert use(host, "set_sort", column="")["structuredContent"] == {"sorted": None}
    use(host, "set_filter")
    assert names(host) == [each["bird"] for each in BIRDS]
    assert host.violations == []


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("set_sort", {"column": "beak"}, 'no column "beak". It has: Bird, Wing span, Nest, Home, Ring.'),
        ("set_sort", {"column": "bird", "table": 2}, "The view has 1 tables, not 2."),
        ("fly", {}, 'The view has no tool "fly". It has: get_view_state, set_sort, set_filter.'),
    ],
)
def test_an_agent_gets_an_error_for_what_a_view_cannot_do(open_chat, tool, arguments, words):
    answer = use(open_chat(), tool, **arguments)
    assert answer["isError"]
    assert words in answer["content"][0]["text"]


def test_an_agent_gets_an_error_if_there_is_no_table(mount):
    host = mount(chat_page(TOOL), tool=TOOL, viewId=None)
    assert use(host, "set_sort", column="bird")["content"][0]["text"] == "The view shows no table."
    assert use(host, "get_view_state")["structuredContent"]["tables"] == []


def told(host, count, method="ui/update-model-context"):
    """Wait until the view has sent that many messages of one method, and return them."""
    host.page.wait_for_function(
        "([count, method]) => host.messages.filter(({ message }) => message.method === method).length >= count",
        arg=[count, method],
    )
    return host.said(method)


def choose(host, item):
    host.frame.get_by_role("button", name="More").click()
    host.frame.get_by_role("menuitem", name=item).click()


def select_rows(host, first, last):
    """Select rows by dragging the pointer over them."""
    host.frame.evaluate(
        """([first, last]) => {
          const rows = document.querySelectorAll("section.result tbody tr");
          getSelection().setBaseAndExtent(rows[first].firstChild.firstChild, 0, rows[last].firstChild.firstChild, 1);
        }""",
        [first, last],
    )


@pytest.mark.parametrize("bridge", BRIDGES)
def test_the_model_gets_selected_rows_and_edited_arguments_without_secrets(open_chat, bridge):
    host = open_chat(capabilities=CHAT, bridge=bridge)
    select_rows(host, 1, 2)
    (given,) = told(host, 1)
    text = given["content"][0]["text"]
    assert (
        '"selectedRows":[{"Bird":"owl","Wing span":"1","Nest":"o1","Home":"lake","Ring":"A-1"},{"Bird":"heron"'
        in text
    )
    assert [each["Bird"] for each in use(host, "get_view_state")["structuredContent"]["selectedRows"]] == [
        "owl",
        "heron",
    ]
    host.frame.get_by_role("button", name="Edit", exact=True).click()
    host.frame.get_by_label("Password").fill("hush")
    host.frame.get_by_label("Kind").fill("sea")
    edited = '"editedArguments":{"kind":"sea"}'
    host.until(lambda: edited in host.said("ui/update-model-context")[-1]["content"][0]["text"])
    assert "hush" not in json.dumps(host.said("ui/update-model-context"))
    assert len(host.said("ui/update-model-context")) <= 3


def test_a_person_stops_and_starts_the_updates_to_the_model(open_chat):
    host = open_chat(capabilities=CHAT)
    select_rows(host, 0, 0)
    assert "kiwi" in told(host, 1)[0]["content"][0]["text"]
    choose(host, "Stop telling the chat what I select")
    assert told(host, 2)[1] == {"content": []}
    select_rows(host, 3, 4)
    host.page.wait_for_timeout(1_200)
    assert len(host.said("ui/update-model-context")) == 2
    choose(host, "Tell the chat what I select")
    assert "duck" in told(host, 3)[2]["content"][0]["text"]


def test_a_written_view_tells_the_model_itself(open_chat):
    host = open_chat(TABLE, capabilities=CHAT)
    select_rows(host, 1, 2)
    host.page.wait_for_timeout(1_200)
    assert host.said("ui/update-model-context") == []


@SOURCES
def test_a_person_asks_the_chat_about_the_result(open_chat, source):
    host = open_chat(source, capabilities=CHAT)
    select_rows(host, 4, 4)
    choose(host, "Ask about this")
    (asked,) = told(host, 1, "ui/message")
    assert asked["role"] == "user"
    assert asked["content"][0]["text"].startswith(
        'Tell me about the result of list_birds with {"kind":"all"}, in particular [{"Bird":"robin"'
    )


def test_a_host_without_these_capabilities_gets_no_context_and_no_message(open_chat):
    host = open_chat()
    select_rows(host, 0, 3)
    host.page.wait_for_timeout(1_200)
    host.frame.get_by_role("button", name="More").click()
    expect(host.frame.get_by_role("menuitem", name="About this tool")).to_be_visible()
    expect(host.frame.get_by_role("menuitem", name="Ask about this")).to_have_count(0)
    expect(host.frame.get_by_role("menuitem", name="the chat what I select")).to_have_count(0)
    assert host.said("ui/update-model-context") == host.said("ui/message") == []


def view_calls(host):
    return [each["arguments"] for each in host.calls if each["name"] == "_ui_view"]


def touch(host):
    """Sort, filter and edit as a person does; wait until the page has sent it."""
    host.frame.get_by_role("columnheader", name="Bird").get_by_role("button").click()
    host.frame.get_by_role("searchbox", name="Filter rows").fill("ro")
    host.frame.get_by_role("button", name="Edit", exact=True).click()
    host.frame.get_by_label("Password").fill("hush")
    host.frame.get_by_label("Kind").fill("a draft")
    host.page.wait_for_timeout(2_700)
    return view_calls(host)


@SOURCES
@pytest.mark.matrix
@pytest.mark.parametrize("bridge", BRIDGES)
@pytest.mark.parametrize("profile", ["spec", "opaque", "vscode"])
def test_sort_filter_draft_and_state_come_back_in_the_next_page_of_the_same_view(
    open_chat, profile, bridge, source
):
    wrapper = Wrapper()
    options = {"viewId": 7, "call": wrapper, "bridge": bridge, "profile": profile}
    host = open_chat(source, **options)
    touch(host)
    host.until(lambda: all(words in json.dumps(wrapper.states) for words in ('"ro"', "a draft")))
    calls = view_calls(host)
    assert calls[0] == {"toolName": "list_birds", "view": "7"}
    assert len(calls) <= 4
    assert "hush" not in json.dumps(wrapper.states)
    expect(host.frame.locator("section.result tbody tr")).to_have_count(3)
    for _ in range(2):
        again = open_chat(source, rows=3, **options)
        assert names(again) == ["heron", "robin", "rook"]
        expect(again.frame.get_by_label("Kind")).to_have_value("a draft")
        expect(again.frame.get_by_label("Password")).to_have_value("")
        if source:
            expect(again.frame.get_by_text("seen")).to_contain_text(re.compile("seen [2-9]"))
    other = open_chat(source, **{**options, "viewId": 8})
    assert names(other) == [each["bird"] for each in BIRDS]


@pytest.mark.parametrize("moment", ["before the result", "after the result"])
def test_state_that_comes_back_early_or_late_is_shown(mount, open_chat, moment):
    wrapper = Wrapper()
    touch(open_chat(viewId="a", call=wrapper))
    answer = wrapper("_ui_view", {"view": "a"})
    host = mount(chat_page(TOOL), tool=TOOL, viewId="a", call=lambda _name, _given: None)
    host.wait_for_calls(1)
    if moment == "before the result":
        host.answer(answer)
    host.send_input({"kind": "all"})
    host.send_result(RESULT)
    if moment == "after the result":
        expect(host.frame.locator("section.result tbody tr")).to_have_count(9)
        host.answer(answer)
    expect(host.frame.locator("section.result tbody tr")).to_have_count(3)
    assert names(host) == ["heron", "robin", "rook"]
    expect(host.frame.get_by_label("Kind")).to_have_value("a draft")
    expect(host.frame.get_by_role("button", name="Arguments")).to_contain_text("all")


@pytest.mark.parametrize("why", ["refused", "nothing kept", "no id"])
def test_a_page_whose_state_is_not_kept_asks_once_at_most(open_chat, why):
    answers = {
        "refused": {"content": [{"type": "text", "text": "No such tool"}], "isError": True},
        "nothing kept": {
            "content": [],
            "structuredContent": {"tool": "a", "version": "b", "state": "minimal"},
        },
    }
    host = open_chat(call=lambda _name, _given: answers[why], viewId=None if why == "no id" else 3)
    host.page.wait_for_timeout(200)
    assert len(touch(host)) == (0 if why == "no id" else 1)


def test_changes_of_a_person_before_the_wrapper_answers_are_kept(mount):
    host = mount(chat_page(TOOL), tool=TOOL, viewId=3, call=lambda _name, _given: None)
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.frame.get_by_role("columnheader", name="Bird").get_by_role("button").click()
    host.answer(Wrapper()("_ui_view", {"view": "3"}))
    host.wait_for_calls(2)
    assert "bird" in json.dumps(view_calls(host)[1]["keep"])


def test_a_wrapper_that_fails_after_it_has_kept_something_is_asked_a_few_times_more(open_chat):
    wrapper, fails = Wrapper(), {"content": [{"type": "text", "text": "no wrapper"}], "isError": True}
    down, answered = [], []

    def answer(name, given):
        answered.append(fails if down else wrapper(name, given))
        return answered[-1]

    def filter_by(words, then):
        host.frame.get_by_role("searchbox", name="Filter rows").fill(words)
        host.until(lambda: len(answered) >= then)
        assert len(answered) == then

    host = open_chat(viewId=7, call=answer)
    host.until(lambda: answered)

    filter_by("ro", then=2)
    down.append(True)
    filter_by("o", then=3)
    down.clear()
    filter_by("owl", then=4)
    assert "owl" in json.dumps(wrapper.states["7"])
    down.append(True)
    for then, words in enumerate("kdsw", 5):
        filter_by(words, then)
    for words in "gj":
        filter_by(words, then=8)
        host.page.wait_for_timeout(2_700)
    assert len(answered) == 8


def test_a_teardown_waits_until_the_state_is_kept(open_chat):
    wrapper = Wrapper()
    host = open_chat(viewId=7, call=wrapper)
    host.page.wait_for_timeout(200)
    host.frame.get_by_role("searchbox", name="Filter rows").fill("owl")
    host.teardown()
    assert "owl" in json.dumps(wrapper.states["7"])


def test_a_view_that_swaps_in_place_keeps_its_state_too(open_chat):
    wrapper = Wrapper()
    call = lambda name, given: wrapper(name, given) if "view" in given else None  # noqa: E731 -- polls wait
    host = open_chat(live=True, viewId=7, call=call)
    host.page.wait_for_timeout(200)
    host.frame.get_by_role("searchbox", name="Filter rows").fill("ro")
    host.until(lambda: "filter" in json.dumps(wrapper.states.get("7")))
    polls = lambda: [each for each in host.calls if "view" not in each["arguments"]]  # noqa: E731
    host.until(lambda: len(polls()) >= 2)  # it asks again after each call
    open_chat(live=True, viewId=7, call=call, rows=3)


def test_a_page_asks_for_its_state_before_it_waits_for_its_next_view(open_chat):
    wrapper = Wrapper()
    call = lambda name, given: wrapper(name, given) if "view" in given else None  # noqa: E731 -- polls wait
    host = open_chat(live=True, viewId=7, call=call)
    host.wait_for_calls(2)
    host.page.wait_for_timeout(200)
    assert [sorted(each) for each in view_calls(host)] == [
        ["toolName", "view"],
        ["have", "toolName", "waitMs"],
    ]
    assert host.said("notifications/cancelled") == []
