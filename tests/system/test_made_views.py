"""A view through the whole command: from the model's answer to the page, the browser and the log."""

import contextlib
import re

import pytest
from attrs import frozen
from playwright.sync_api import expect
from view_host import ViewHost

from .made_views import HERE, MadeViews, command, recorded, tool

ANSWERS = {"fragment": HERE / "recordings" / "fragments", "document": HERE / "recordings" / "documents"}
RESULT = {
    "content": [],
    "structuredContent": {"rows": [{"name": "a", "value": 3}, {"name": "b", "value": 1200}]},
}


@frozen
class Outcome:
    """The outcome of a model's answer.

    Attributes:
        repairs: The repairs of a served view.
        rule: The rule of the finding that refused it.
    """

    repairs: tuple = ()
    rule: str | None = None


AS_IT_IS = Outcome()
OUTCOMES = {
    "fragment": {
        "plain": AS_IT_IS,
        "prose_around": AS_IT_IS,
        "fence_and_thoughts": AS_IT_IS,
        "calls_again": AS_IT_IS,
        "two_answers": AS_IT_IS,
        "wrong_import": Outcome(repairs=("imports_dropped",)),
        "tidied": Outcome(repairs=("controls_labelled", "links_closed")),
        "truncated": Outcome(repairs=("mended_by_model",)),
        "eval_mended": Outcome(repairs=("mended_by_model",)),
        "eval_again": Outcome(rule="code.from_text"),
        "external_script": Outcome(rule="resource.external"),
        "hijacked": Outcome(rule="hijack.talk"),
        "inline_handlers": Outcome(repairs=("listeners_added",)),
        "inline_code": Outcome(repairs=("listeners_added",)),
        "reaches_out": Outcome(rule="frame.access"),
        "foreign_tool": Outcome(rule="tool.foreign"),
        "only_prose": Outcome(rule="view.missing"),
    },
    "document": {
        "doc_plain": AS_IT_IS,
        "doc_repaired": Outcome(
            repairs=(
                "doctype_added", "lang_added", "charset_added", "viewport_added", "title_added",
                "listeners_added", "app_imported", "connect_added",
            )
        ),
        "doc_mended": Outcome(repairs=("mended_by_model",)),
        "doc_external": Outcome(rule="navigation"),
        "doc_cut": Outcome(rule="view.missing"),
    },
}  # fmt: skip
EVERY = [(mode, name) for mode, outcomes in OUTCOMES.items() for name in outcomes]
SERVED = [(mode, name) for mode, name in EVERY if OUTCOMES[mode][name].rule is None]
REFUSED = [(mode, name) for mode, name in EVERY if OUTCOMES[mode][name].rule is not None]


@frozen
class Seen:
    """The page, the inspection and the list entry of one view."""

    page: str
    told: dict
    listed: dict


@pytest.fixture(scope="module")
def seen(start_host, tmp_path_factory):
    """Return a view and its events; all views of a mode come from one run of the command."""
    runs = {}

    def look(mode, name):
        if mode not in runs:
            runs[mode] = run_of(mode, start_host, tmp_path_factory.mktemp(mode))
        views, events = runs[mode]
        return views[name], [one for one in events if one.get("tool_name") == name]

    return look


def run_of(mode, start_host, folder):
    names = OUTCOMES[mode]
    budget = {"mode": mode, "serveWithinMs": 120_000, "timeoutMs": 120_000, "maxConcurrentGenerations": 16}
    recordings = recorded(folder / "recordings", ANSWERS[mode])
    words = command(
        folder, [tool(name) for name in names], "--llm", f"replay:{recordings}", generation=budget
    )
    made = MadeViews(start_host(*words))
    made.host.connect()
    pages = {name: made.page(name) for name in names}
    listed = {one["name"]: one for one in made.call("_ui_list")["structuredContent"]["tools"]}
    views = {name: Seen(page, made.inspected(name), listed[name]) for name, page in pages.items()}
    assert made.host.close() == 0
    events = [one for kind in EVENTS for one in made.events(kind)]
    return views, events


EVENTS = (
    "miss",
    "generation_started",
    "model_answered",
    "judged",
    "generation_completed",
    "fallback_used",
    "set",
    "hit",
    "not_kept",
)


def test_every_answer_is_tried():
    files = {
        (mode, path.name.split(".")[0]) for mode, folder in ANSWERS.items() for path in folder.glob("*.txt")
    }
    assert files == set(EVERY)
    assert len(files) >= 12


@pytest.mark.parametrize(("mode", "name"), SERVED)
def test_a_good_answer_is_served(seen, mode, name):
    view, events = seen(mode, name)
    assert f"drawn as {name}" in view.page
    assert view.told["state"] == "generated"
    assert view.told["fallbackReason"] is None
    assert tuple(view.told["repairs"]) == OUTCOMES[mode][name].repairs
    assert (view.listed["uiType"], view.listed["cached"]) == ("rich", True)
    asked = 2 if "mended_by_model" in view.told["repairs"] else 1
    steps = ["miss", "generation_started", *asked * ["model_answered"], *asked * ["judged"]]
    assert [one["event"] for one in events] == [*steps, "generation_completed", "set"]


@pytest.mark.parametrize(("mode", "name"), REFUSED)
def test_a_bad_answer_gives_the_minimal_view_and_the_reason_everywhere(seen, mode, name):
    view, events = seen(mode, name)
    assert f"drawn as {name}" not in view.page
    assert "No richer view could be made" in view.page
    assert (view.told["state"], view.told["fallbackKind"]) == ("fallback", "VALIDATION_FAILED")
    assert view.told["fallbackReason"] in view.page
    assert OUTCOMES[mode][name].rule in [each["rule"] for each in view.told["findings"]]
    assert view.listed["uiType"] == "minimal"
    (fallback,) = [one for one in events if one["event"] == "fallback_used"]
    assert fallback["level"] == "warn"
    assert fallback["metadata"]["reason"] == view.told["fallbackReason"]
    assert fallback["metadata"]["fallbackType"] == "minimal_template"
    assert OUTCOMES[mode][name].rule in fallback["metadata"]["errors"]


@pytest.mark.parametrize(("mode", "name"), EVERY)
def test_all_log_events_and_the_stored_entry_have_one_request_id(seen, mode, name):
    view, events = seen(mode, name)
    assert len(events) >= 4
    assert {one["requestId"] for one in events} == {view.told["requestId"]}
    assert {one["cache_key"] for one in events if one["component"] == "cache"} == {view.told["cacheKey"]}


@pytest.fixture(scope="module")
def screen(browser, host_origins):
    """Show pages one after the other; any complaint of the browser fails the test."""
    with contextlib.closing(ViewHost(browser, host_origins)) as host:

        def show(page, name):
            return host.mount(page, tool=tool(name))

        yield show


def test_a_handler_that_became_a_listener_runs(seen, screen):
    shown = screen(seen("fragment", "inline_handlers")[0].page, "inline_handlers")
    for rows in ([{"name": "one"}], [{"name": "two"}, {"name": "three"}]):
        shown.send_result({"content": [], "structuredContent": {"rows": rows}})
        expect(shown.frame.locator("body")).to_contain_text("drawn as inline_handlers")
        shown.frame.get_by_role("button", name="Names").click()
        names = ", ".join(row["name"] for row in rows)
        expect(shown.frame.locator(".said")).to_have_text(names)


@pytest.mark.matrix(quick=8)
@pytest.mark.parametrize(("mode", "name"), EVERY)
def test_a_served_view_works_in_a_browser_without_a_complaint(seen, screen, mode, name):
    view, _ = seen(mode, name)
    shown = screen(view.page, name)
    shown.send_result(RESULT)
    if OUTCOMES[mode][name].rule is None:
        expect(shown.frame.locator("body")).to_contain_text(f"drawn as {name}")
    else:
        expect(shown.frame.locator("body")).to_contain_text("No richer view could be made")
        expect(shown.frame.get_by_role("table")).to_contain_text("1,200")
    assert (shown.complaints, shown.requests) == ([], [])


def test_an_agent_without_a_key_submits_the_example_of_the_page_that_teaches_it(open_host, tmp_path):
    made = MadeViews(open_host(*command(tmp_path, [tool("rows")], "--llm", "none")))
    made.host.connect()
    prompted = made.call("_ui_prompt", toolName="rows")["structuredContent"]
    address = re.search(r"ui://(docs/views)", prompted["next"])[1]
    (example,) = re.findall(
        r"^(?:<style>|<template>).*?^<!--end-->", made.page(address), re.DOTALL | re.MULTILINE
    )
    refused = example.replace("ui.root.append(", "parent.postMessage(data);ui.root.append(", 1)
    failed = made.call("_ui_submit", toolName="rows", html=refused)["structuredContent"]
    assert failed["status"] == "failed"
    assert failed["findings"]
    told = made.call("_ui_submit", toolName="rows", html=example)["structuredContent"]
    assert (told["status"], told["findings"]) == ("done", [])
    drawn = re.search(r"ui\.hero\(.*", example)[0]
    assert drawn in made.page("rows")
    assert "parent.postMessage(data)" not in made.page("rows")
