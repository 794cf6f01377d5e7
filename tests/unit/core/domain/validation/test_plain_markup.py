"""Plain markup is validated without a parser, with the same findings as with one."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from genui_core.domain.validation.markup.elements import plain_elements
from genui_core.domain.validation.markup.markup_rules import element_rules
from genui_core.domain.validation.markup.source import markup_in_script, read_markup

NAMES = st.sampled_from(
    [
        "a", "b", "p", "div", "table", "tr", "td", "select", "option", "svg", "path", "text", "img", "input", "form", "h1",
        "button", "li", "col", "caption", "br", "hr", "pre", "SVG", "details", "g", "lineargradient", "u", "optgroup",
    ]
)  # fmt: skip
ATTRIBUTES = st.one_of(
    st.sampled_from(
        [
            ' class="x"', " id='x'", ' href="https://a.b/"', ' style="color: red"', ' onclick="f()"', ' src="#x"', " hidden",
            ' style="background: url(https://a.b/)"', ' href="javascript:f()"', ' fill="url(#a)"', ' type="password"',
            ' viewBox="0 0 1 1"', ' data-a="<b onclick=f()>"', " data-a='\"'", '\n\tclass = "x"', ' class="x" class="y"',
            ' href="x" href="javascript:f()"', ' target="_top"', ' srcset="https://a.b/ 1x"', ' xmlns="x"',
        ]
    ),
    st.sampled_from([' href="&#106;avascript:f()"', " class=x", "/class='x'", ' @a="b"', ' a:b="c"', '\x0bclass="x"']),
)  # fmt: skip
TAGS = st.builds(
    "<{}{}{}>".format, NAMES, st.lists(ATTRIBUTES, max_size=3).map("".join), st.sampled_from(["", "/"])
)
ODD = st.sampled_from(
    [
        "<script>", "</script>", "<style>", "</style>", "<!--", "-->", "<![CDATA[", "]]>", "<title>", "<template>", "</template>",
        "<math>", "<foreignObject>", "<", ">", '"', "'", "<b", "\0", "<p x='", "<plaintext>", "<body onload='f()'>", "<frameset>",
    ]
)  # fmt: skip
PIECES = st.one_of(
    TAGS, TAGS, NAMES.map("</{}>".format), st.sampled_from(["x", " & ", "&lt;b&gt;", "\n"]), ODD
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12).map("".join))
@example("<table><tr style='background: url(https://a.b/)'><td onclick='f()'></td></tr></table>")
@example("<p><tr onclick='f()'></tr></p>")
@example("<svg><p><path fill='url(https://a.b/)'></svg>")
@example("<select><b onclick='f()'></b></select>")
def test_no_rule_is_broken_that_its_tags_do_not_show(source):
    plain = plain_elements(source)
    if plain is None:
        return
    shown = {rule for each in plain for rule in element_rules(each)}
    parsed = {each.rule for each in read_markup(source + "\"'>").rule_matches}
    assert {each for each in parsed if not each.startswith("label.")} <= shown


@pytest.mark.parametrize(
    "source",
    [
        "<b class=x>",
        "<script></script>",
        "<style></style>",
        "<b",
        "<b title='",
        "a < b",
        "<!-- -->",
        "<b title='&quot;'>",
        "<textarea><b></textarea>",
        "<template></template>",
        "<title><b></title>",
        "<svg><foreignObject>",
        "<b>" * 200,
    ],
)
def test_markup_that_parsers_may_read_differently_is_not_plain(source):
    assert plain_elements(source) is None


def test_the_first_value_of_an_attribute_counts():
    assert plain_elements('<b title="a" TITLE="b">')[0].attributes == {"title": "a"}


def test_a_broken_rule_in_plain_markup_is_found():
    assert "markup.handler" in markup_in_script('<div><b onclick="f()">x</b></div>')
    assert markup_in_script('<div class="a"><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg></div>') == ()
