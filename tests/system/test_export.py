"""Views exported into a folder and served from it are the same, with and without a model."""

import json
import os
import re
import shutil
import subprocess
import sys
from pkgutil import get_data

import pytest
from attrs import define

from .made_views import HERE, MadeViews, command, recorded, tool

TOOLS = [
    tool("plain"),
    tool("tidied"),
    tool("only_prose"),
    tool("Ünïcode/../x"),
    {
        "name": "wipe",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"gone": {"type": "boolean"}}},
    },
    {"name": "own", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://own/x"}}},
]
OURS = [each["name"] for each in TOOLS if each["name"] != "own"]
BUDGET = {"serveWithinMs": 120_000, "timeoutMs": 120_000, "maxConcurrentGenerations": 2}


@define
class Served:
    """The pages, addresses and events of one run of the command."""

    pages: dict
    addresses: dict
    events: dict
    told: dict


def served(start_host, words, names=("plain", "tidied", "wipe")):
    made = MadeViews(start_host(*words))
    made.host.connect()
    pages = {name: made.page(name) for name in names}
    told = {name: made.inspected(name) for name in names}
    listed = made.host.request("tools/list")["result"]["tools"]
    addresses = {each["name"]: each["_meta"]["ui"]["resourceUri"] for each in listed if each["name"] in names}
    assert made.host.close() == 0
    kinds = ("model_answered", "frozen_view_not_served", "frozen_view_damaged", "export_failed")
    return Served(pages, addresses, {kind: made.events(kind) for kind in kinds}, told)


CHAT = (get_data("genui_core", "data/kit/chat.js") or b"").decode()
"""The parts of a page for the chat, which an exported page does not have, and the tool that it calls."""
LIVE = re.compile(r',"live":{[^}]*}')
VIEW = re.compile(r'<style id="mcp-gen-ui-part">.*', re.DOTALL)
HASHES = re.compile(r" 'sha256-[^']+'")


@pytest.fixture(scope="module")
def world(start_host, tmp_path_factory):
    """Return the same views three times: generated and mirrored, exported, and served from the export."""
    folder = tmp_path_factory.mktemp("export")
    recordings = recorded(folder / "recordings", HERE / "recordings" / "fragments")
    model = ("--llm", f"replay:{recordings}")

    def words(*flags, tools=TOOLS):
        return command(folder, tools, *flags, generation=BUDGET)

    mirrored = served(start_host, words(*model, "--export-dir", folder / "mirror"))
    exported = run_export(words("--json", "--export-dir", folder / "views", *model))
    frozen = served(start_host, words("--frozen", folder / "views"))
    return {"words": words, "folder": folder, "mirrored": mirrored, "exported": exported, "frozen": frozen}


def run_export(words):
    words = [str(each) for each in words]
    at = words.index("genui_cli") + 1
    return subprocess.run(
        [*words[:at], "export", *words[at:]], capture_output=True, text=True, check=False, timeout=120
    )


def manifest(folder):
    views = json.loads((folder / "manifest.json").read_text())["views"]
    return {each["tool"]: each for each in views}


def test_an_export_writes_a_page_for_every_tool_and_says_what_it_could_not_make(world):
    ended, views = world["exported"], manifest(world["folder"] / "views")
    assert sorted(views) == sorted(OURS)
    assert ended.returncode == 5, ended.stderr  # a model's answers for two of the tools were no views
    printed = json.loads(ended.stdout)
    assert [each["tool"] for each in printed["views"]] == OURS
    assert list(printed["skipped"]) == ["own"]
    assert "only_prose: the minimal view was exported" in ended.stderr
    assert {name: each["uiType"] for name, each in views.items()} == {
        "plain": "rich", "tidied": "rich", "only_prose": "minimal", "Ünïcode/../x": "minimal", "wipe": "minimal",
    }  # fmt: skip
    assert views["only_prose"]["fallbackReason"]
    assert views["wipe"]["fallbackReason"] is None
    for each in views.values():
        page = (world["folder"] / "views" / each["file"]).read_text()
        assert page.startswith("<!DOCTYPE html>")
        assert len(page.encode()) == each["sizeBytes"]
    assert "drawn as plain" in (world["folder"] / "views" / views["plain"]["file"]).read_text()


def test_mirrored_views_equal_exported_ones_except_for_their_times(world):
    exported, mirrored = (manifest(world["folder"] / name) for name in ("views", "mirror"))
    assert set(mirrored) == {"plain", "tidied", "wipe"}
    for name, view in mirrored.items():
        for each in (view, exported[name]):
            for key in ("generatedAt", "generationDurationMs", "requestId"):
                (each["source"] or {}).pop(key, None)
        assert view == exported[name]


def test_frozen_views_are_the_very_views_that_a_model_had_written_and_no_model_is_asked(world):
    before, after = world["mirrored"], world["frozen"]
    for name in ("plain", "tidied"):
        # What could show another view stands in the kit; a frozen page has none of it, and no nonce.
        assert VIEW.search(after.pages[name])[0] == VIEW.search(before.pages[name])[0]
        assert "'nonce-" in before.pages[name]
        assert "'nonce-" not in after.pages[name]
    assert after.pages["wipe"] == before.pages["wipe"]
    assert before.events["model_answered"]
    assert not any(after.events.values())
    assert "drawn as plain" in after.pages["plain"]
    for key in ("llmModel", "cacheKey", "promptVersion", "repairs", "state"):
        assert after.told["tidied"][key] == before.told["tidied"][key]


def test_the_exported_page_is_the_served_one_with_one_script_more(world):
    page = (world["folder"] / "views" / manifest(world["folder"] / "views")["plain"]["file"]).read_text()
    # The policy names the page's scripts by their hashes.
    served_page = LIVE.sub("", world["frozen"].pages["plain"].replace(CHAT, ""))
    page, served_page = (HASHES.sub("", each) for each in (page, served_page))
    at = next(i for i, (one, other) in enumerate(zip(page, served_page, strict=False)) if one != other)
    rest = len(served_page) - at
    assert page[:at] + page[-rest:] == served_page
    assert "ui-lifecycle-iframe-ready" in page[at:-rest]
    assert "ui-lifecycle-iframe-ready" not in served_page


def test_a_changed_tool_and_a_changed_file_give_the_minimal_view_and_the_log_says_why(world, start_host):
    folder = world["folder"] / "touched"
    shutil.copytree(world["folder"] / "views", folder)
    source = folder / manifest(folder)["tidied"]["source"]["file"]
    source.write_text(source.read_text().replace("drawn", "DRAWN"))
    tools = [tool("plain", description="Another thing."), *TOOLS[1:]]
    seen = served(start_host, world["words"]("--frozen", folder, tools=tools))
    assert "drawn as" not in seen.pages["plain"].lower() + seen.pages["tidied"].lower()
    assert seen.pages["wipe"] == world["frozen"].pages["wipe"]
    (damaged,) = seen.events["frozen_view_damaged"]
    assert (damaged["level"], damaged["tool_name"]) == ("warn", "tidied")
    reasons = {
        each["tool_name"]: each["metadata"]["reason"] for each in seen.events["frozen_view_not_served"]
    }
    assert reasons == {
        "plain": "it was made for another definition of the tool",
        "tidied": "the export has no view of it",
    }


def test_without_a_model_the_same_command_exports_the_same_bytes_twice(world):
    folder = world["folder"] / "plain"
    words = world["words"]("--llm", "none", "--export-dir", folder)
    first = run_export(words)
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    second = run_export(words)
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout == second.stdout
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    assert "\r" not in first.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
def test_every_tool_is_exported_at_once_on_a_terminal(world):
    folder = world["folder"] / "terminal"
    words = [str(each) for each in world["words"]("--llm", "none", "--export-dir", folder)]
    # Its other end stays open: a terminal without one counts as closed.
    for_person, for_command = os.openpty()
    ended = subprocess.run(words, stdin=for_command, capture_output=True, text=True, check=False, timeout=120)
    os.close(for_person)
    os.close(for_command)
    assert ended.returncode == 0, ended.stderr
    assert sorted(manifest(folder)) == sorted(OURS)
    assert "wipe" in ended.stdout
