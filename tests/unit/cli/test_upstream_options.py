"""The upstream from the command line and from the configuration."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_adapters.upstream.options import RemoteUpstream
from genui_cli.cli_error import CliError
from genui_cli.upstream_options import UpstreamOptions, upstream_command, upstream_of, words_of
from genui_core.domain.settings.configuration import UpstreamTarget

SERVER = UpstreamTarget(command="server", args=("-v",), env={"A": "file", "B": "file"}, cwd="/there")


def test_a_configured_upstream_is_started_as_it_is_configured():
    command = upstream_command(UpstreamOptions(configured=SERVER))
    assert (command.argv, command.cwd) == (("server", "-v"), "/there")
    assert (command.env["A"], command.env["B"]) == ("file", "file")


def test_a_typed_variable_beats_a_file_of_variables_and_that_the_configuration(tmp_path):
    (tmp_path / "env").write_text("A=env file\nB=env file\n")
    typed = UpstreamOptions(env=("A=typed",), cwd="/here", env_file=str(tmp_path / "env"), configured=SERVER)
    command = upstream_command(typed)
    assert (command.env["A"], command.env["B"], command.cwd) == ("typed", "env file", "/here")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"python C:\work\server.py", ("python", r"C:\work\server.py")),
        (r'"C:\Program Files\node.exe" .\s.js --x=#1', (r"C:\Program Files\node.exe", r".\s.js", "--x=#1")),
        (r"'C:\a b\s.exe' \\host\share", (r"C:\a b\s.exe", r"\\host\share")),
    ],
)
def test_a_backslash_is_a_part_of_a_path_on_windows_and_an_escape_elsewhere(text, words):
    assert words_of(text, on_windows=True) == words
    assert words_of(r"python C:\\server.py my\ server", on_windows=False) == (
        "python",
        r"C:\server.py",
        "my server",
    )


@given(
    words=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1),
    on_windows=st.booleans(),
)
def test_words_that_install_writes_into_one_text_are_read_again(words, on_windows):
    assert words_of(shlex.join(words), on_windows=on_windows) == tuple(words)


@pytest.mark.parametrize(
    "typed", [UpstreamOptions("other --flag"), UpstreamOptions(argv=("other", "--flag"))]
)
def test_a_typed_upstream_replaces_the_configured_one(typed):
    assert upstream_command(typed._replace(configured=UpstreamTarget())).argv == ("other", "--flag")


def test_a_configured_url_is_reached_with_its_headers_and_those_that_are_typed():
    target = UpstreamTarget(url="https://x/mcp", headers={"A": "file", "B": "file"}, transport="sse")
    typed = UpstreamOptions(headers=("A: ${T}",), configured=target)
    assert upstream_of(typed, {"T": "typed"}) == RemoteUpstream(
        "https://x/mcp", {"A": "typed", "B": "file"}, "sse"
    )


def test_a_typed_command_beside_a_configured_url_is_a_command():
    typed = UpstreamOptions(argv=("server",), configured=UpstreamTarget(url="https://x/mcp"))
    assert upstream_of(typed, {}) == upstream_command(typed)


@pytest.mark.parametrize("typed", [{"env": ("A=b",)}, {"cwd": "/x"}, {"env_file": "x"}])
def test_options_of_a_child_process_are_refused_for_a_url(typed):
    with pytest.raises(CliError, match="started here"):
        upstream_of(UpstreamOptions("https://x/mcp", **typed), {})
