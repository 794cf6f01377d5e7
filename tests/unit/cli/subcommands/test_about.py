"""``mcp-gen-ui version`` and ``completion``, and the help of every command."""

import json
import os
import subprocess
import sys

import pytest
import rich_click as click

from genui_cli.commands import cli


def every_command(group=cli, words=()):
    """Yield the words of every command there is."""
    yield words
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from every_command(each, (*words, name))
        else:
            yield (*words, name)


@pytest.mark.parametrize("words", [*every_command()], ids=" ".join)
def test_every_help_shows_an_example_that_is_a_command(command, words):
    code, out, err = command(*words, "--help")
    assert (code, err) == (0, "")
    assert f"$ {' '.join(('mcp-gen-ui', *words))}" in out


def test_version_prints_all_versions(command):
    assert command("version")[1].startswith("mcp-gen-ui ")
    assert json.loads(command("version", "--json")[1])["python"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_lines_of_a_shell(command, shell):
    code, out, _ = command("completion", shell)
    assert code == 0
    assert f"_MCP_GEN_UI_COMPLETE={shell}_complete" in out


def test_an_unknown_shell_is_an_error(command):
    code, _, err = command("completion", "csh")
    assert code == 2
    assert "'bash', 'zsh', 'fish'" in err


def test_commands_are_completed():
    variables = {
        **os.environ,
        "_MCP_GEN_UI_COMPLETE": "bash_complete",
        "COMP_WORDS": "mcp-gen-ui conf",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-P", "-m", "genui_cli"], env=variables, capture_output=True, text=True, check=False
    )
    assert done.stdout == "plain,config\n"
