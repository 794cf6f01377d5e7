"""Flags typed before a command, an upstream typed without dashes, and words that name no command."""

import sys
from pathlib import Path

import pytest

from genui_cli.cli_error import CliError
from genui_cli.command_words import arrange, flags_of
from genui_cli.commands import cli
from genui_cli.upstream_options import split_at_dashes


def commands_in(command):
    """A command, and all that are in it."""
    return [
        command,
        *(each for inner in getattr(command, "commands", {}).values() for each in commands_in(inner)),
    ]


def test_a_flag_takes_a_value_in_each_command_or_in_none():
    takes = {(name, takes) for each in commands_in(cli) for name, takes in flags_of(each).items()}
    assert len(takes) == len(dict(takes))


def arranged(line):
    words, argv = arrange(cli, *split_at_dashes(line.split()))
    return " ".join([*words, *(("--", *argv) if argv else ())])


def refused(line):
    with pytest.raises(CliError) as caught:
        arranged(line)
    assert caught.value.exit_code == 2
    return str(caught.value), caught.value.hint


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--json inspect -- a", "inspect --json -- a"),
        ("--config f --debug inspect --tool t -- a", "inspect --config f --debug --tool t -- a"),
        ("--upstream a preview", "preview --upstream a"),
        ("--upstream=a -eK=v -e L=w preview --no-open", "preview --upstream=a -eK=v -e L=w --no-open"),
        ("--tool t inspect -- a", "inspect --tool t -- a"),
        ("--json cache list", "cache list --json"),
        ("cache --json list", "cache list --json"),
        ("--llm none -q config --json show", "config show --llm none -q --json"),
        ("--help inspect", "inspect --help"),
    ],
)
def test_a_flag_before_a_command_means_what_it_means_after_it(typed, meant):
    assert arranged(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--debug version", "version"),
        ("validate --no-color --debug view.html", "validate view.html"),
        ("--json -q completion bash", "completion bash"),
    ],
)
def test_every_command_takes_the_flags_that_hold_everywhere(typed, meant):
    assert arranged(typed) == meant


def test_a_flag_that_a_command_lacks_is_an_error_with_the_command_to_type():
    message, hint = refused("--log-level debug --llm none inspect -- python 'my server.py'")
    assert message == "--log-level is no flag of inspect"
    assert "mcp-gen-ui inspect --llm none -- python" in hint


@pytest.mark.parametrize("command", ["preview", "inspect", "doctor", "export"])
def test_an_upstream_without_dashes_works(command):
    assert arranged(f"{command} --llm none python server.py -x 1") == (
        f"{command} --llm none -- python server.py -x 1"
    )
    assert arranged(f"--json {command} https://example.org/mcp -H A:b").endswith(
        "--upstream https://example.org/mcp -H A:b"
    )


def test_an_upstream_without_dashes_is_started(command):
    Path("server.py").write_text("import sys; print(sys.argv[1:], file=sys.stderr); sys.exit(7)")
    code, _, err = command("inspect", sys.executable, "server.py", "--more")
    assert code == 4
    assert "cannot be reached" in err


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        (
            "preview python server.py --port 3",
            [
                "mcp-gen-ui preview --port 3 -- python server.py",
                "mcp-gen-ui preview -- python server.py --port 3",
            ],
        ),
        ("inspect sh -- server.sh", ["mcp-gen-ui inspect -- sh server.sh"]),
        ("inspect my_tool -q -- sh server.sh", ["leave it out: mcp-gen-ui inspect -q -- sh server.sh"]),
        ("install cursor python server.py", ["mcp-gen-ui install cursor -- python server.py"]),
    ],
)
def test_an_upstream_that_may_be_misread_is_an_error_with_the_command_to_type(typed, commands):
    _, hint = refused(typed)
    assert [each for each in commands if each not in hint] == []


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("preveiw -- python server.py", "mcp-gen-ui preview -- python server.py"),
        ("--json inspct -- python server.py", "mcp-gen-ui --json inspect -- python server.py"),
        ("--llm none server.py a", "mcp-gen-ui --llm none -- python server.py a"),
        ("index.mjs", "mcp-gen-ui preview -- node index.mjs"),
        ("sh -c x", "mcp-gen-ui -- sh -c x"),
        ("https://example.org/mcp", "mcp-gen-ui --upstream https://example.org/mcp"),
        ("list -- python server.py", "mcp-gen-ui inspect -- python server.py"),
        ("serve -- python server.py", "mcp-gen-ui -- python server.py"),
        ("serve python server.py", "mcp-gen-ui -- python server.py"),
        ("nothing", "mcp-gen-ui --help"),
    ],
)
def test_a_word_that_names_no_command_is_an_error_with_the_command_to_type(
    tmp_path, monkeypatch, typed, expected
):
    monkeypatch.chdir(tmp_path)
    for name in ("server.py", "index.mjs"):
        Path(name).touch()
    message, hint = refused(typed)
    assert message.startswith("There is no command ")
    assert expected in hint


def test_the_command_to_type_repeats_no_secret(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("server.py").touch()
    _, hint = refused("-e API_TOKEN=hunter22hunter22 --token correcthorse server.py")
    assert "hunter22" not in hint
    assert "correcthorse" not in hint


@pytest.mark.parametrize(
    "line", ["", "--help", "--version", "-V inspect", "--nothing inspect", "cache", "cache lst"]
)
def test_errors_that_the_command_line_library_explains_are_left_to_it(line):
    assert arranged(line) == line


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("install", "claude"), "did you mean claude-desktop or claude-code?"),
        (("install", "cursr"), "did you mean cursor?"),
        (("--transport", "htp"), "did you mean http?"),
        (("cache",), "type one of: mcp-gen-ui cache list, mcp-gen-ui cache clear"),
        (("cache", "lst"), "mcp-gen-ui cache list"),
        (("demo", "more"), "see mcp-gen-ui demo --help"),
        ((), "mcp-gen-ui demo shows a server that is bundled"),
    ],
)
def test_errors_of_the_command_line_library_have_a_hint(command, words, hint):
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert hint in err.splitlines()[1]


def test_the_short_flag_prints_the_version(command):
    assert command("-V") == command("--version")
    assert command("-V")[1].startswith("mcp-gen-ui, version ")
