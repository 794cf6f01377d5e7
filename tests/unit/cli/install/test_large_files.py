"""The work for a large file grows in proportion to its size, and skips all but the list of servers."""

import json
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

from genui_cli.install.hosts import difference
from genui_cli.install.installing import with_unwrapped, with_wrapped
from genui_cli.install.json_file import JsonFile

GIT = {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "x"}}


def projects(count):
    """Return a file that is mostly outside of the list of servers."""
    said = [{"display": f"line {number}", "pasted": [{}]} for number in range(10)]
    return {"projects": {f"/home/{number}": {"history": said} for number in range(count)}, **servers(0)}


def servers(count):
    """Return a file with a long list of servers."""
    return {"mcpServers": {**{f"server {number}": GIT for number in range(count)}, "git": GIT}}


def variables(count):
    """Return a file with a server that has many variables."""
    return {"mcpServers": {"git": {**GIT, "env": {f"VARIABLE_{number}": "x" for number in range(count)}}}}


def headers(count):
    """Return a file with a server behind a URL with many headers."""
    named = {f"X-{number}": "x" for number in range(count)}
    return {"mcpServers": {"git": {"url": "https://x/mcp", "headers": named}}}


def as_json(data):
    return json.dumps(data, indent=2)


def as_compact_json(data):
    return json.dumps(data, separators=(",", ":"))


def with_comments(data):
    return json.dumps(data, indent=2).replace("[\n", "[ // first, then: ]\n").replace("\n}", ", /* } */\n}")


def file_of(text):
    return JsonFile.of(Path("mcp.json"), ("mcpServers",), text)


def wrap_and_undo(text):
    wrapped = with_wrapped(file_of(text), "git", ("--llm", "none"))
    difference(wrapped.path, text, wrapped.content)
    assert with_unwrapped(file_of(wrapped.content), "git").content == text


def calls_of(step, *arguments):
    """Return how many functions a step calls, in Python and in C."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        step(*arguments)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("layout", [as_json, as_compact_json, with_comments])
@pytest.mark.parametrize("data", [projects, servers, variables, headers])
def test_a_file_four_times_as_large_costs_four_times_the_work(data, layout):
    one, four = (calls_of(wrap_and_undo, layout(data(count))) for count in (60, 240))
    assert four < 4.4 * one


def test_the_parts_beside_the_list_of_servers_are_skipped():
    text = as_json(projects(200))
    few = calls_of(wrap_and_undo, as_json(projects(0)))
    objects = text.count("{")
    assert calls_of(wrap_and_undo, text) - few < 30 * objects


@pytest.mark.parametrize("changes", [[5], [0], [999], [500, 503], [0, 999], []])
def test_the_patch_of_a_long_file_has_the_line_numbers_of_the_whole_file(changes):
    lines = [f"line {number}" for number in range(1000)]
    changed = [f"{line}!\nmore" if number in changes else line for number, line in enumerate(lines)]
    before, after = ("\n".join(each) for each in (lines, changed))
    old, new = (each.splitlines(keepends=True) for each in (before, after))
    assert difference(Path("mcp.json"), before, after) == "".join(
        unified_diff(old, new, "mcp.json", "mcp.json")
    )


def test_the_patch_of_a_file_with_many_equal_lines_compares_only_those_near_the_change():
    lines = [f"{number % 150}\n" for number in range(15_000)]
    texts = "".join(lines), "".join([*lines[:7_000], "new\n", *lines[7_000:]])
    assert calls_of(difference, Path("mcp.json"), *texts) < 3 * len(lines)
