from genui_adapters.upstream.environment import upstream_environment


def test_only_a_safe_base_and_what_was_configured_passes():
    ours = {
        "PATH": "/bin", "HOME": "/root", "LC_ALL": "C", "LANG": "C", "TMPDIR": "/t",
        "ANTHROPIC_API_KEY": "canary", "OPENAI_API_KEY": "canary", "AWS_SECRET_ACCESS_KEY": "canary", "LD_PRELOAD": "x",
    }  # fmt: skip
    assert upstream_environment(ours, {"TOKEN": "given"}) == {
        "PATH": "/bin", "HOME": "/root", "LC_ALL": "C", "LANG": "C", "TMPDIR": "/t", "TOKEN": "given",
    }  # fmt: skip


def test_what_was_configured_wins():
    assert upstream_environment({"PATH": "/bin"}, {"PATH": "/mine"}) == {"PATH": "/mine"}
