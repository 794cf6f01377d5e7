"""Events during a generation: repeated reads, failing or racing refinements, exits, loaded modules."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp

import pytest

from .made_views import FRAGMENTS, HERE, MadeViews, command, recordings, tool

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what is left behind is told by /proc")
PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000}
NEVER_IN_THE_RELAY = {
    "html5lib",
    "justhtml",
    "tinycss2",
    "tree_sitter",
    "anthropic",
    "openai",
    "mcp",
    "pydantic",
}


def said(words):
    return (FRAGMENTS / "plain.txt").read_text().replace("drawn as plain", words)


@pytest.fixture
def with_outside(environment):
    """An environment in which a third-party package is installed beside the wrapper."""
    path = os.pathsep.join(filter(None, (str(HERE / "outside"), environment.get("PYTHONPATH"))))
    return {**environment, "PYTHONPATH": path}


@pytest.fixture
def opened(open_host, tmp_path, with_outside):
    """Start the command with a tool ``rows``, and complete the handshake."""

    def start(*flags, **more):
        made = MadeViews(open_host(*command(tmp_path, [tool("rows")], *flags, **more), env=with_outside))
        made.host.connect()
        made.host.request("tools/list")
        return made

    return start


def test_a_host_that_rereads_at_every_notification_causes_one_model_call_without_a_cache(opened):
    made = opened("--no-cache", "--llm", "outside:slow", generation={**PATIENT, "serveWithinMs": 1})
    assert "a richer view is being made" in made.page("rows")
    seen, deadline = 0, time.monotonic() + 60
    while "drawn outside 1" not in (page := made.page("rows")):
        assert time.monotonic() < deadline, page
        told = len(made.told("notifications/resources/updated"))
        for _ in range(told - seen):
            made.page("rows")
        seen = told
        time.sleep(0.02)
    for _ in made.told("notifications/resources/updated"):
        assert "drawn outside 1" in made.page("rows")
    assert made.told("notifications/resources/updated")
    assert len(made.events("generation_started")) == 1


@pytest.mark.parametrize("flags", [(), ("--no-cache",)], ids=" ".join)
def test_a_view_counts_as_cached_only_if_the_store_has_it(opened, flags):
    made = opened(*flags, "--llm", "outside:slow", generation=PATIENT)
    assert "drawn outside 1" in made.page("rows")
    (listed,) = made.call("_ui_list")["structuredContent"]["tools"]
    inspected = made.inspected("rows")
    assert inspected["state"] == "generated"
    assert listed["cached"] is inspected["cached"] is (not flags)


def test_a_failed_refinement_keeps_the_view_and_the_refinements(opened, tmp_path):
    refusal = "I would rather not."
    answers = recordings(tmp_path / "answers", said("viewone"), refusal, refusal, said("viewtwo"))
    made = opened("--llm", answers, generation=PATIENT)
    assert "viewone" in made.page("rows")
    failed = made.call("_ui_refine", toolName="rows", feedback="bigger")["structuredContent"]
    assert (failed["status"], failed["uiType"]) == ("failed", "rich")
    assert "viewone" in made.page("rows")
    assert made.inspected("rows")["refinementHistory"] == []
    done = made.call("_ui_refine", toolName="rows", feedback="smaller")["structuredContent"]
    assert done["status"] == "done"
    assert "viewtwo" in made.page("rows")
    assert [each["feedback"] for each in made.inspected("rows")["refinementHistory"]] == ["smaller"]


def changes(*pairs):
    return "".join(f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n" for old, new in pairs)


DOCUMENTS = FRAGMENTS.parent / "documents"


@pytest.mark.parametrize(
    ("mode", "first", "change"),
    [
        ("fragment", said("viewone"), changes(("viewone", "viewtwo"))),
        (
            "document",
            (DOCUMENTS / "doc_plain.txt").read_text(),
            changes(("<title>", "<title>viewtwo ")),
        ),
    ],
)
def test_a_refinement_is_answered_with_changes_and_its_view_and_words_are_kept(
    opened, tmp_path, mode, first, change
):
    nowhere = changes(("not in the view", "viewthree"))
    answers = recordings(tmp_path / "answers", first, change, nowhere, nowhere)
    made = opened("--llm", answers, generation={**PATIENT, "mode": mode})
    before = made.page("rows")
    done = made.call("_ui_refine", toolName="rows", feedback="smaller")["structuredContent"]
    assert done["status"] == "done", done
    after = made.page("rows")
    assert "viewtwo" not in before
    assert "viewtwo" in after
    failed = made.call("_ui_refine", toolName="rows", feedback="bigger")["structuredContent"]
    assert failed["status"] == "failed"
    assert "not in the view" in failed["reason"]
    assert made.page("rows") == after
    told = made.inspected("rows")
    assert [each["feedback"] for each in told["refinementHistory"]] == ["smaller"]
    assert made.call("_ui_rollback", toolName="rows", version=1).get("isError") is not True
    assert "viewtwo" not in made.page("rows")


def test_a_person_answers_a_refinement_with_changes_through_files(opened, tmp_path):
    folder = tmp_path / "questions"
    made = opened("--llm", f"manual:{folder}", generation={**PATIENT, "serveWithinMs": 1})

    def answer(number, text):
        asked = made.host.wait_for(lambda: made.events("answer_wanted")[number:])[0]["metadata"]
        question = Path(asked["prompt"]).read_text()
        Path(asked["answer"]).write_text(text)
        made.host.wait_for(lambda: made.events("generation_completed")[number:])
        return question

    made.page("rows")
    answer(0, said("viewone"))
    arguments = {"toolName": "rows", "feedback": "smaller"}
    made.host.send("tools/call", {"name": "_ui_refine", "arguments": arguments}, id="wish")
    assert "viewone" in answer(1, changes(("viewone", "viewtwo")))
    assert made.host.answer("wish")["result"]["structuredContent"]["status"] == "done"
    assert "viewtwo" in made.page("rows")


def test_refinements_and_views_outlive_a_restart_and_servers_with_tools_of_the_same_name_keep_their_own(
    opened, tmp_path
):
    cache = {"type": "filesystem", "directory": str(tmp_path / "views")}
    kept = {"generation": {**PATIENT, "refinements": "persist"}, "cache": cache}

    def server(name, *answers):
        folder = Path(mkdtemp(dir=tmp_path))  # what it is called by is the name of the model
        model = recordings(folder / "answers", *map(said, answers))
        return opened("--llm", model, upstream=("--called", name), **kept)

    files = server("files", "files as they come", "files in blue")
    assert "files as they come" in files.page("rows")
    wished = files.call("_ui_refine", toolName="rows", feedback="make it blue")["structuredContent"]
    assert wished["status"] == "done"
    assert files.host.close() == 0

    mail = server("mail", "mail in red")
    mail.page("rows")
    assert mail.inspected("rows")["refinementHistory"] == []
    wished = mail.call("_ui_refine", toolName="rows", feedback="make it red")["structuredContent"]
    assert wished["status"] == "done"
    assert mail.host.close() == 0

    again = server("files", "never asked")
    assert "files in blue" in again.page("rows")
    assert [each["feedback"] for each in again.inspected("rows")["refinementHistory"]] == ["make it blue"]
    assert not again.call("_ui_rollback", toolName="rows", version=1).get("isError")
    assert "files as they come" in again.page("rows")
    assert again.events("generation_started") == []
    assert again.host.close() == 0


def test_of_two_wrappers_with_one_folder_each_has_the_refinements_of_the_other_and_none_is_lost(
    opened, tmp_path
):
    cache = {"type": "filesystem", "directory": str(tmp_path / "views")}
    kept = {"generation": {**PATIENT, "refinements": "persist"}, "cache": cache}
    model = recordings(tmp_path / "answers", *map(said, ("viewone", "viewtwo", "viewthree")))
    one, other = (opened("--llm", model, **kept) for _ in range(2))
    assert "viewone" in one.page("rows")
    assert "viewone" in other.page("rows")
    assert one.call("_ui_refine", toolName="rows", feedback="bigger")["structuredContent"]["status"] == "done"
    assert "viewtwo" in other.page("rows")
    assert other.call("_ui_refine", toolName="rows", feedback="red")["structuredContent"]["status"] == "done"
    assert [each["feedback"] for each in one.inspected("rows")["refinementHistory"]] == ["bigger", "red"]
    assert one.host.close() == other.host.close() == 0


def test_a_view_that_was_stored_under_looser_rules_is_not_served_under_stricter_ones(opened, tmp_path):
    (tmp_path / "first").mkdir()
    (tmp_path / "then").mkdir()
    tempting = said("viewone").replace(
        "function render(", "function render(data, ui) { eval('1'); }\nfunction draw("
    )
    cache = {"type": "filesystem", "directory": str(tmp_path / "views")}
    first = opened(
        "--llm", recordings(tmp_path / "first" / "answers", tempting),
        generation=PATIENT, cache=cache, security={"strict": False},
    )  # fmt: skip
    assert "eval('1')" in first.page("rows")
    assert first.host.close() == 0
    then = opened(
        "--llm", recordings(tmp_path / "then" / "answers", said("viewtwo")),
        generation=PATIENT, cache=cache,
    )  # fmt: skip
    page = then.page("rows")
    assert "viewtwo" in page
    assert "eval('1')" not in page
    assert then.events("found_view_refused", tool_name="rows")
    assert then.host.close() == 0


@pytest.mark.parametrize("lasting", ["session", "persist"])
def test_the_last_of_refinements_that_race_with_reads_wins(opened, tmp_path, lasting):
    words = ["viewone", *(f"wish{number}" for number in range(5))]
    made = opened(
        "--llm", recordings(tmp_path / "answers", *map(said, words)),
        generation={**PATIENT, "refinements": lasting}, cache={"directory": str(tmp_path / "views")},
    )  # fmt: skip
    made.page("rows")
    host = made.host
    for number in range(5):
        arguments = {"toolName": "rows", "feedback": f"refinement {number}"}
        host.send("tools/call", {"name": "_ui_refine", "arguments": arguments}, id=f"refinement {number}")
        host.send("resources/read", {"uri": "ui://rows"}, id=f"read {number}")
    for number in range(5):
        changed = host.answer(f"refinement {number}")["result"]["structuredContent"]
        assert changed["status"] == "done"
        page = host.answer(f"read {number}")["result"]["contents"][0]["text"]
        assert any(each in page for each in words)
    assert "wish4" in made.page("rows")
    history = made.inspected("rows")["refinementHistory"]
    assert [each["feedback"] for each in history] == [f"refinement {number}" for number in range(5)]


def bare_start_s():
    """Return how long an empty Python program takes on this machine now, in seconds."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", ""], check=True)
    return time.monotonic() - begun


def all_below(pid):
    """Return the ids of all descendants of a process."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *all_below(int(child))]
    return found


@LINUX
@pytest.mark.parametrize("ending", ["SIGTERM", "SIGINT", "end of input"])
def test_an_exit_during_a_generation_is_quick_and_leaves_nothing_behind(opened, alive, ending):
    made = opened("--llm", "outside:endless", generation=PATIENT)
    made.host.send("resources/read", {"uri": "ui://rows"}, id="read")
    child, deadline = made.host.child, time.monotonic() + 60
    while len(all_below(child.pid)) < 2:  # the upstream and the validator
        assert time.monotonic() < deadline, made.host.log_text()
        time.sleep(0.05)
    left, slack_s = all_below(child.pid), 5 * bare_start_s()
    begun = time.monotonic()
    if ending == "end of input":
        child.stdin.close()
    else:
        child.send_signal(getattr(signal, ending))
    assert made.host.wait() == 0
    while any(map(alive, left)) and time.monotonic() - begun < 3 + slack_s:
        time.sleep(0.02)
    assert not [pid for pid in left if alive(pid)]
    assert time.monotonic() - begun < 3 + slack_s


def test_a_failing_third_party_store_prevents_only_the_storing_of_views(opened, tmp_path):
    cache = {"type": "outside", "directory": str(tmp_path / "broken")}
    made = opened("--llm", "outside:good", generation=PATIENT, cache=cache)
    assert "drawn outside 1" in made.page("rows")
    done = made.call("_ui_refine", toolName="rows", feedback="once more")["structuredContent"]
    assert done["status"] == "done"
    assert "drawn outside 2" in made.page("rows")
    assert made.inspected("rows")["state"] == "generated"
    assert "went away" in made.events("store_failed")[0]["metadata"]["reason"]
    assert made.host.close() == 0


def test_the_error_of_a_third_party_package_about_its_settings_reaches_the_person(
    open_host, tmp_path, with_outside
):
    host = open_host(*command(tmp_path, [tool("rows")], "--llm", "outside"), env=with_outside)
    assert host.wait() not in {0, 1}
    assert "Say which model" in host.log_text()
    assert "Traceback" not in host.log_text()


def loaded_by(host):
    """Return the packages that a command with `-X importtime` loaded."""
    told = re.finditer(r"import time:[^|]*\|[^|]*\|\s*(\S+)", host.log_text())
    return {match[1].partition(".")[0] for match in told}


def test_the_relay_process_never_loads_a_parser_or_an_sdk(open_host, tmp_path, with_outside):
    python, *words = command(tmp_path, [tool("rows")], "--llm", "outside:good", generation=PATIENT)
    host = open_host(python, "-X", "importtime", *words, env=with_outside)
    made = MadeViews(host)
    host.connect()
    assert "drawn outside 1" in made.page("rows")
    assert host.close() == 0
    loaded = loaded_by(host)
    assert "genui_core" in loaded
    assert loaded & NEVER_IN_THE_RELAY == set()


def test_documents_are_put_into_their_pages_without_parsing_also_after_a_restart(
    open_host, tmp_path, with_outside
):
    document = (HERE / "recordings" / "documents" / "doc_plain.txt").read_text()
    answers = recordings(tmp_path / "recordings", document)
    sections = {
        "generation": {**PATIENT, "mode": "document"},
        "cache": {"type": "filesystem", "directory": str(tmp_path / "views")},
    }
    pages = []
    for asked in (1, 0):
        python, *words = command(tmp_path, [tool("rows")], "--llm", answers, **sections)
        made = MadeViews(open_host(python, "-X", "importtime", *words, env=with_outside))
        made.host.connect()
        pages.append(made.page("rows"))
        assert made.host.close() == 0
        assert len(made.events("generation_started")) == asked
        assert loaded_by(made.host) & NEVER_IN_THE_RELAY == set()
    assert "drawn as doc_plain" in pages[0]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_the_library_of_a_provider_waits_for_the_first_view(open_host, tmp_path, environment, provider):
    keys = {"ANTHROPIC_API_KEY": "canary", "OPENAI_API_KEY": "canary"}
    python, *words = command(tmp_path, [tool("echo"), tool("rows")], "--llm", provider)
    host = open_host(python, "-X", "importtime", *words, env={**environment, **keys})
    made = MadeViews(host)
    host.connect()
    host.request("tools/list")
    host.request("resources/list")  # a call of a tool would begin its view
    assert made.inspected("rows")["state"] == "minimal"
    assert host.close() == 0
    loaded = loaded_by(host)
    assert "genui_core" in loaded
    assert loaded & {*NEVER_IN_THE_RELAY, "httpx", "httpx2"} == set()


def test_prefetch_writes_views_after_the_start_and_again_after_changes_of_tools(opened, tmp_path):
    answers = recordings(tmp_path / "recordings", said("first"), said("again"))
    made = opened("--llm", answers, generation={**PATIENT, "prefetch": True})
    made.wait_for_event("set", tool_name="rows")
    began = time.monotonic()
    assert "first" in made.page("rows")
    assert time.monotonic() - began < 5
    assert len(made.events("generation_started")) == 1
    (tmp_path / "tools.json").write_text(json.dumps([tool("rows", description="Others."), tool("more")]))
    made.call("_ui_refresh_tools")
    made.wait_for_event("set", tool_name="more")
    assert [one["tool_name"] for one in made.events("generation_started")] == ["rows", "rows", "more"]
    assert "again" in made.page("rows")
    assert made.host.close() == 0


def test_debug_logs_prompts_and_answers_and_stores_nothing(opened, tmp_path, with_outside):
    with_outside |= {"TMPDIR": str(tmp_path), "EXAMPLE_TOKEN": "canary-4711-key"}
    answers = recordings(tmp_path / "recordings", said("drawn of canary-4711-key"))
    made = opened("--debug", "--llm", answers, generation=PATIENT)
    assert "drawn of canary" in made.page("rows")
    texts = {
        kind: "".join(one["metadata"]["text"] for one in made.events(kind)) for kind in ("prompt", "response")
    }
    assert '"rows"' in texts["prompt"]
    assert "drawn of [hidden]" in texts["response"]
    assert "canary" not in made.host.log_text()
    (folder,) = {one["metadata"]["folder"] for one in made.events("debug_folder")}
    (kept,) = Path(folder).iterdir()
    assert "drawn of canary" in kept.read_text()
    assert made.events("not_kept")
    assert made.host.close() == 0


def test_a_tool_that_no_prompt_can_describe_does_not_harm_the_others(opened, tmp_path):
    made = opened("--llm", recordings(tmp_path / "recordings", said("drawn")), generation=PATIENT)
    deep = json.loads('{"properties":{"x":' * 140 + "{}" + "}}" * 140)
    (tmp_path / "tools.json").write_text(json.dumps([tool("rows"), tool("odd", inputSchema=deep)]))
    made.call("_ui_refresh_tools")
    assert "startAdaptiveView" in made.page("odd")
    assert "drawn" in made.page("rows")
    listed = {one["name"]: one for one in made.call("_ui_list")["structuredContent"]["tools"]}
    assert (listed["rows"]["uiType"], listed["odd"]["uiType"]) == ("rich", "minimal")
    assert "No view can be made" in made.call("_ui_inspect", toolName="odd")["content"][0]["text"]
    assert made.host.close() == 0
