from genui_cli.preview.sandbox_origin import view_policy

DEFAULT = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; font-src 'none'; connect-src 'none'; frame-src 'none'; "
    "object-src 'none'; base-uri 'self'"
)


def test_a_view_that_declares_nothing_gets_the_default_policy():
    assert view_policy({}) == DEFAULT


def test_declared_domains_open_just_their_directives():
    policy = view_policy(
        {"connectDomains": ["https://api.example"], "resourceDomains": ["https://cdn.example"]}
    )
    assert "connect-src https://api.example;" in policy
    assert "script-src 'self' 'unsafe-inline' https://cdn.example;" in policy
    assert "frame-src 'none'" in policy


def test_what_would_break_out_of_a_directive_is_left_out():
    hostile = [
        "https://a.example; script-src *",
        "'unsafe-eval'",
        "",
        7,
        "https://b.example,https://c.example",
    ]
    assert view_policy({"connectDomains": hostile, "frameDomains": "https://d.example"}) == DEFAULT
