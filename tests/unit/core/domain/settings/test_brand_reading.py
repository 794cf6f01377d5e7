"""A team's stylesheet sets known properties and loads nothing; its logo is a small picture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.settings.brand import MAX_LOGO_BYTES, PROPERTIES, InvalidBrand, logo_in, properties_in

SIGNATURES = {
    "png": b"\x89PNG\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff\xe0",
    "gif": b"GIF89a",
    "webp": b"RIFF\x00\x00\x00\x00WEBP",
}


def test_a_stylesheet_sets_the_properties_of_views():
    css = """
    /* Acme */
    :root {
      --accent: light-dark(#0a6, rgb(90 240 160));
      --sans: "Acme Sans", Inter, sans-serif;
      --radius: calc(2px * 3);
    }
    :root { --accent: var(--s1, #063) }
    """
    assert properties_in(css) == {
        "--accent": "var(--s1, #063)",
        "--sans": '"Acme Sans", Inter, sans-serif',
        "--radius": "calc(2px * 3)",
    }


def test_a_stylesheet_without_a_rule_sets_nothing():
    assert properties_in(" /* nothing yet */ ") == {}


@pytest.mark.parametrize(
    ("css", "reason"),
    [
        ("body { color: red }", "line 1: only `:root"),
        ("\n@import 'https://example.com/x.css';", "line 2: only `:root"),
        ("@media print { :root { --accent: red } }", "line 1: only `:root"),
        (":root { --accnt: red }", "'--accnt'; there are --accent,"),
        (":root { color: red }", "no property 'color'"),
        (":root { --accent: }", "needs a colour"),
        (":root { --accent: url(https://example.com/x) }", "needs a colour"),
        (":root { --accent: image-set('https://example.com/x' 1x) }", "needs a colour"),
        (":root { --sans: x, rgb(url('https://example.com/x')) }", "needs a colour"),
        (":root { --accent: {} }", "needs a colour"),
        (":root { --accent: 'x\n'; }", "needs a colour"),
        (f":root {{ --accent: {'x' * 501} }}", "needs a colour"),
        (":root { --accent red }", "no declaration"),
        (":root { .a { --accent: red } }", "no declaration"),
    ],
)
def test_a_stylesheet_that_does_more_is_refused_with_the_line_and_the_reason(css, reason):
    with pytest.raises(InvalidBrand) as refused:
        properties_in(css)
    assert reason in str(refused.value)


@given(
    st.text()
    | st.sampled_from([*PROPERTIES]).flatmap(
        lambda name: st.text().map(lambda value: f":root{{{name}:{value}}}")
    )
)
def test_any_text_is_refused_or_sets_known_properties_that_load_nothing(css):
    try:
        found = properties_in(css)
    except InvalidBrand:
        return
    assert found.keys() <= {*PROPERTIES}
    assert not [value for value in found.values() if "url(" in value.lower()]


@pytest.mark.parametrize("kind", SIGNATURES)
def test_a_logo_becomes_a_data_uri_of_its_type(kind):
    assert logo_in(SIGNATURES[kind] + b"rest").startswith(f"data:image/{kind};base64,")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no PNG"),
        (b"<svg onload='alert(1)'/>", "no PNG"),
        (SIGNATURES["png"] + bytes(MAX_LOGO_BYTES), "a logo has at most 9,000"),
    ],
)
def test_a_logo_that_is_no_picture_or_too_large_is_refused(content, reason):
    with pytest.raises(InvalidBrand, match=reason):
        logo_in(content)
