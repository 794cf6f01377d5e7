"""Which command lines start the wrapper directly, without the command line library."""

import pytest

from genui_cli.entry import _simple_proxy
from genui_cli.upstream_options import UpstreamOptions, split_at_dashes


@pytest.mark.parametrize(
    ("line", "upstream", "values"),
    [
        ("-- a b", UpstreamOptions(None, ("a", "b")), {}),
        ("--upstream a", UpstreamOptions("a"), {}),
        ("-e A=b -e C -- a", UpstreamOptions(None, ("a",), ("A=b", "C")), {}),
        ("--llm ollama:qwen3:8b -- a", UpstreamOptions(None, ("a",)), {"llm": "ollama:qwen3:8b"}),
        ("--frozen d -- a", UpstreamOptions(None, ("a",)), {"frozen": "d"}),
        ("--config f --server s", UpstreamOptions(), {"config": "f", "server": "s"}),
        ("--transport http --port 80 -- a", UpstreamOptions(None, ("a",)), {"transport": "http", "port": 80}),
        ("--transport sse --host b -- a", UpstreamOptions(None, ("a",)), {"transport": "sse", "host": "b"}),
        ("--model m --llm l --upstream a", UpstreamOptions("a"), {"model": "m", "llm": "l"}),
        (
            "--debug --quiet --no-cache -- a",
            UpstreamOptions(None, ("a",)),
            {"debug": True, "quiet": True, "no_cache": True},
        ),
        (
            "--log-level warn --apps never -- a",
            UpstreamOptions(None, ("a",)),
            {"log_level": "warn", "apps": "never"},
        ),
        ("--cwd d --env-file f -- a", UpstreamOptions(None, ("a",), cwd="d", env_file="f"), {}),
        ("--upstream u -H a -H b", UpstreamOptions("u", headers=("a", "b")), {}),
        ("--token t -- b", UpstreamOptions(None, ("b",)), {"token": "t"}),
    ],
)
def test_command_lines_of_hosts_start_the_wrapper_directly(line, upstream, values):
    assert _simple_proxy(*split_at_dashes(line.split())) == (upstream, values)


@pytest.mark.parametrize(
    "line",
    [
        "", "--help", "-e A=b", "--llm x", "--upstream", "--upstream a --upstream b", "--llm -- a", "demo -- a",
        "--upstream a --json", "--log-level loud -- a", "--log_level info -- a", "--export-dir d -- a", "-x y -- a", "--llm --debug x -- a",
        "--transport ws -- a", "--port x -- a", "--port 65536 -- a", "--llm --model -- a", "config show", "--llm a --llm b -- c",
    ],
)  # fmt: skip
def test_other_command_lines_go_to_the_command_line_library(line):
    assert _simple_proxy(*split_at_dashes(line.split())) is None
