"""The policy in every page allows only the page's own scripts."""

import re
from base64 import b64encode
from hashlib import sha256

import html5lib
import pytest

from genui_core.application.pages.view_pages import kit_parts
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import error_page, page_data
from genui_core.domain.pages.page_frame import PageNeeds, PagePolicy
from genui_core.domain.settings.settings import GrantedDomains, Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_kit import PlainViewKit

TOOL = Tool({"name": "tool"})
DATA = page_data(TOOL, Settings(default_theme="system"))
FRAGMENT = "<template><p>a</p></template><script>\r\nfunction render() {}\r// \x00\n</script>"
DOCUMENT = """<!DOCTYPE html><html><head><title><script>not one</script></title><style>/*<script>nor this</script>*/</style>
<script data-a="<script>">first()</script><!-- <script>in a comment</script> --></head><body title="<script>in a text</script>">
<script type="module">\r\nlast("<script>")\r\n</script><p a"b>text</p><script>third()</script >
<textarea><script>a text</script></textarea></body></html>"""
VIEWS = {"minimal": ("", "fragment"), "fragment": (FRAGMENT, "fragment"), "document": (DOCUMENT, "document")}


def page(kind, parts=None, **options):
    return view_page(TOOL, DATA, parts or PlainViewKit(), *VIEWS[kind], **options)


def policy_of(html):
    """Return the directives of the policy, which stands first in the head."""
    first = next(iter(html5lib.parse(html, namespaceHTMLElements=False).find("head")))
    assert first.attrib["http-equiv"] == "Content-Security-Policy"
    pairs = (each.strip().partition(" ") for each in first.attrib["content"].split(";"))
    return {name: sources.split() for name, _, sources in pairs}


def scripts_in(html):
    """Return the text of every script that a browser would run."""
    found = html5lib.parse(html, namespaceHTMLElements=False).iter("script")
    return [each.text or "" for each in found if each.attrib.get("type") != "application/json"]


def source_of(script):
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize("kind", VIEWS)
def test_every_script_of_a_page_is_allowed_by_its_hash_alone(kind):
    html = page(kind)
    allowed = policy_of(html)["script-src"]
    assert {source_of(each) for each in scripts_in(html)} == set(allowed)
    assert all(each.startswith("'sha256-") for each in allowed)


@pytest.mark.parametrize("kind", VIEWS)
def test_a_page_that_leaves_the_wrapper_has_the_policy_too(kind):
    html = page(kind, kit_parts(PlainViewKit(), PageNeeds()).with_script("globalThis.alone = true;"))
    assert {source_of(each) for each in scripts_in(html)} <= set(policy_of(html)["script-src"])


def test_the_error_page_allows_no_script():
    html = error_page("tool", "why", {})
    assert policy_of(html)["default-src"] == ["'none'"]
    assert "script-src" not in policy_of(html)


def test_a_view_reaches_nothing_by_default():
    rest = {name: sources for name, sources in policy_of(page("minimal")).items() if name != "script-src"}
    assert rest == {
        "default-src": ["'none'"],
        "style-src": ["'unsafe-inline'"],
        "img-src": ["data:"],
        "media-src": ["data:"],
        "font-src": ["data:"],
        **{
            name: ["'none'"] for name in ("connect-src", "frame-src", "worker-src", "form-action", "base-uri")
        },
    }


def test_granted_domains_widen_what_they_are_about_and_never_the_scripts():
    domains = {each: (f"https://{each}.example",) for each in ("connect", "resource", "frame", "base_uri")}
    widened = policy_of(page("minimal", policy=PagePolicy(GrantedDomains(**domains))))
    assert {name for name, sources in widened.items() if "https://resource.example" in sources} == {
        "style-src",
        "img-src",
        "media-src",
        "font-src",
    }
    assert widened["connect-src"] == ["https://connect.example"]
    assert widened["frame-src"] == ["https://frame.example"]
    assert widened["base-uri"] == ["https://base_uri.example"]
    assert widened["script-src"] == policy_of(page("minimal"))["script-src"]


@pytest.mark.parametrize("domain", ["", "a b", "https://a; script-src *", 'https://a"', "https://a'", "https://a,b", "https://\u00e9"])  # fmt: skip
def test_a_granted_domain_that_is_no_source_is_left_out(domain):
    policy = PagePolicy(GrantedDomains(connect=(domain,)))
    assert policy_of(page("minimal", policy=policy)) == policy_of(page("minimal"))


def test_browsers_find_the_charset_however_long_the_policy_is():
    many = PagePolicy(GrantedDomains(connect=tuple(f"https://{number}.example" for number in range(90))))
    for html in (page("fragment"), page("minimal", policy=many)):
        assert '<meta charset="utf-8">' in html.encode()[:1024].decode()
        assert html.index("Content-Security-Policy") < html.index("<script")


def test_hosts_may_add_scripts_to_a_page_without_a_policy():
    assert "Content-Security-Policy" not in page("fragment", policy=PagePolicy(is_on=False))


def test_a_document_whose_app_the_host_brings_has_no_policy():
    html = page("document", runtime="host")
    assert "Content-Security-Policy" not in html
    assert '<meta charset="utf-8">' in html


def test_the_same_view_gives_the_same_bytes():
    assert page("document") == page("document")
    assert re.search("nonce", page("document")) is None


def test_markup_that_never_ends_is_read_in_time():
    for text in ("<a " + "b" * 200_000, "<a " + "b=' " * 50_000, "<!--" * 50_000, "<script>" * 50_000):
        assert "Content-Security-Policy" in view_page(
            TOOL, DATA, PlainViewKit(), f"<title>a</title>{text[:400]}", "document"
        )


@pytest.mark.parametrize(
    ("is_on", "mode", "runtime", "has_policy"),
    [
        (True, "fragment", "inline", True),
        (True, "fragment", "host", True),
        (True, "document", "inline", True),
        (True, "document", "host", False),
        (False, "fragment", "inline", False),
        (False, "document", "inline", False),
    ],
)
def test_a_page_has_the_policy_unless_the_host_brings_app_in_a_script(is_on, mode, runtime, has_policy):
    source = "<p>a</p>" if mode == "document" else VIEWS["fragment"][0]
    html = view_page(
        TOOL, DATA, PlainViewKit(), source, mode, runtime=runtime, policy=PagePolicy(is_on=is_on)
    )
    assert ("Content-Security-Policy" in html) is has_policy
