"""The preview starts a wrapper with the typed flags."""

import pytest

from genui_cli.cli_error import CliError
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments


def test_all_typed_flags_are_passed_to_the_wrapper():
    upstream = UpstreamOptions(None, ("server", "--llm", "x"), ("A=b", "C"), "/d", ("H: v",), "env")
    values = {
        "llm": "openai:gpt",
        "config": "f.json",
        "model": None,
        "server": None,
        "debug": True,
        "no_cache": False,
    }
    assert proxy_arguments(upstream, values) == (
        "--config", "f.json", "--llm", "openai:gpt", "--debug", "-e", "A=b", "-e", "C", "-H", "H: v",
        "--env-file", "env", "--cwd", "/d", "--", "server", "--llm", "x",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("upstream", "said"),
    [
        (UpstreamOptions(env=("A=b", "")), "-e '' has no name"),
        (UpstreamOptions(env=("=x",)), "-e '=x' has no name"),
        (UpstreamOptions(headers=(": x",)), "-H ': x' has no name"),
    ],
)
def test_a_variable_and_a_header_without_a_name_are_errors(upstream, said):
    with pytest.raises(CliError, match=said):
        proxy_arguments(upstream, {})


def test_no_flag_is_passed_if_none_was_typed():
    assert proxy_arguments(UpstreamOptions(), {}) == ()
    assert proxy_arguments(UpstreamOptions("https://x/mcp"), {}) == ("--upstream", "https://x/mcp")
