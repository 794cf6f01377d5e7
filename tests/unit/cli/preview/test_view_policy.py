import pytest

from genui_cli.preview.guard import PROFILES, view_policy

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


def test_a_domain_that_would_break_out_of_a_directive_is_left_out():
    hostile = [
        "https://a.example; script-src *",
        "'unsafe-eval'",
        "",
        7,
        "https://b.example,https://c.example",
        "https://e.example\r\nx: y",
        "https://中.example",
        "https://f.example\x00",
        "\ud800",
    ]
    assert view_policy({"connectDomains": hostile, "frameDomains": "https://d.example"}) == DEFAULT


@pytest.mark.parametrize("profile", PROFILES)
def test_no_kind_of_host_lets_a_view_out_that_declares_nothing(profile):
    directives = dict(each.split(" ", 1) for each in view_policy({}, profile).split("; "))
    assert directives["connect-src"] in {"'none'", "'self'"}
    assert directives["frame-src"] == "'none'"
    assert "http" not in view_policy({}, profile)


def test_the_strictest_host_draws_no_picture_and_sends_no_form():
    policy = view_policy({}, "strict")
    assert "img-src 'none'" in policy
    assert "form-action 'none'" in policy


def test_a_host_with_a_fixed_policy_ignores_declared_domains():
    declared = {"connectDomains": ["https://api.example"], "frameDomains": ["https://frame.example"]}
    assert "example" not in view_policy(declared, "claude")
    assert "example" in view_policy(declared, "chatgpt")


def test_an_unknown_host_profile_is_that_of_the_specification():
    assert view_policy({}, "none such") == DEFAULT
