"""The preview starts a wrapper with the typed flags."""

from genui_cli.upstream_options import UpstreamOptions, passed_on


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
    assert passed_on(upstream, values) == (
        "--config", "f.json", "--llm", "openai:gpt", "--debug", "-e", "A=b", "-e", "C", "-H", "H: v",
        "--env-file", "env", "--cwd", "/d", "--", "server", "--llm", "x",
    )  # fmt: skip


def test_no_flag_is_passed_if_none_was_typed():
    assert passed_on(UpstreamOptions(), {}) == ()
    assert passed_on(UpstreamOptions("https://x/mcp"), {}) == ("--upstream", "https://x/mcp")
