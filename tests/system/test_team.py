"""Several wrappers, started as commands, with one store on a Redis server."""

import os

import pytest

from .made_views import HERE, MadeViews, command, tool

PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000, "refinements": "persist"}


@pytest.fixture
def join(open_host, tmp_path, environment, redis_process):
    """Start one more command that shares the store, and shake hands."""
    paths = filter(None, (str(HERE / "outside"), environment.get("PYTHONPATH")))
    shared = {**environment, "PYTHONPATH": os.pathsep.join(paths), "VIEWS_AT": redis_process.url}
    cache = {"type": "redis", "url": "${VIEWS_AT}"}

    def start(name, *tools):
        folder = tmp_path / name
        folder.mkdir()
        words = command(folder, [*map(tool, tools)], "--llm", "outside:slow", cache=cache, generation=PATIENT)
        made = MadeViews(open_host(*words, env=shared))
        made.host.connect()
        made.host.request("tools/list")
        return made

    return start


def test_wrappers_that_share_a_store_make_each_view_once_and_see_each_others_wishes(join, redis_process):
    one, other = join("one", "rows"), join("other", "rows")
    for each in (one, other):
        each.host.send("resources/read", {"uri": "ui://rows"}, id="first")
    pages = [each.host.answer("first")["result"]["contents"][0]["text"] for each in (one, other)]
    assert all("drawn outside 1" in page for page in pages)
    assert sum(len(each.events("generation_started")) for each in (one, other)) == 1
    assert sum(len(each.events("generation_elsewhere")) for each in (one, other)) == 1
    assert sum(len(each.events("hit")) for each in (one, other)) == 1

    maker, watcher = sorted((one, other), key=lambda each: -len(each.events("generation_started")))
    changed = maker.call("_ui_refine", toolName="rows", feedback="make it blue")["structuredContent"]
    assert changed["status"] == "done"
    assert "drawn outside 2" in watcher.page("rows")
    assert watcher.events("generation_started") == []
    watcher.host.wait_for(lambda: watcher.told("notifications/resources/updated"))
    seen = watcher.inspected("rows")
    assert [wish["feedback"] for wish in seen["refinementHistory"]] == ["make it blue"]
    assert seen["cacheKey"] == maker.inspected("rows")["cacheKey"]
    for each in (one, other):
        assert each.host.close() == 0
        assert redis_process.password not in each.host.log_text()


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_wrapper_that_is_killed_amid_a_generation_is_followed_by_the_next(join):
    dead, other = join("dead", "lone_rows"), join("other", "lone_rows")
    dead.host.send("resources/read", {"uri": "ui://lone_rows"}, id="first")
    dead.wait_for_event("generation_started")
    other.host.send("resources/read", {"uri": "ui://lone_rows"}, id="first")
    other.wait_for_event("generation_elsewhere")
    dead.host.child.kill()
    page = other.host.answer("first")["result"]["contents"][0]["text"]
    assert "drawn outside 1" in page
    assert len(other.events("generation_started")) == 1
