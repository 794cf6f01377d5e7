"""The examples in docs/serving.md run as written there."""

import re
import sys

import pytest

RUN = "\n\nserver.run()\n"


def examples(repository):
    text = (repository / "docs" / "serving.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_every_example_gives_its_tools_their_views(repository, open_host, tmp_path, number):
    program = tmp_path / "example.py"
    program.write_text(examples(repository)[number] + RUN, encoding="utf-8")
    host = open_host(sys.executable, program)
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    uri = tool["_meta"]["ui"]["resourceUri"]
    (contents,) = host.request("resources/read", {"uri": uri})["result"]["contents"]
    assert contents["text"].startswith("<!DOCTYPE html>")


def test_no_example_is_left_out(repository):
    assert len(examples(repository)) == 3


def test_a_new_tool_is_announced_at_once(repository, open_host, tmp_path):
    program = tmp_path / "example.py"
    program.write_text(examples(repository)[1] + RUN, encoding="utf-8")
    host = open_host(sys.executable, program)
    host.connect()
    host.request("tools/call", {"name": "learn", "arguments": {"name": "new"}})
    host.wait_for(lambda: any(b"notifications/tools/list_changed" in line for line in host.lines))
    assert host.request("resources/read", {"uri": "ui://new"})["result"]["contents"]


def test_every_option_of_the_command_is_one_that_it_has(repository, open_host):
    text = (repository / "docs" / "serving.md").read_text(encoding="utf-8")
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--help")
    assert host.wait() == 0
    help_text = b"".join(host.lines).decode()
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)):
        assert option in help_text
