"""The places in a view where an attack string can stand, and the page that the browser shows for each."""

import html
import json
from collections.abc import Callable, Iterator
from typing import Final

from attack.browser_oracle import page_of_document, page_of_script, page_of_template
from attrs import frozen

from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.validation.extraction import ValidationContext, fragment_in

_RENDER: Final = "function render(data, ui) {}\n"
_MODULE: Final = """import { App } from "@modelcontextprotocol/ext-apps";
const app = new App({ name: "view", version: "1.0.0" });
app.ontoolresult = (result) => { document.querySelector("pre").textContent = JSON.stringify(result); };
await app.connect();"""
_DOCUMENT: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>View</title></head>
<body>
<script type="module">
{module}
</script>
{body}
</body></html>"""


@frozen
class Place:
    """A place in a view for an attack string.

    Attributes:
        name: The name in the lists.
        mode: The kind of view.
        answer: Makes a model's answer with the string in it.
        page: Makes the page that the browser shows, from a view.
    """

    name: str
    mode: GenerationMode
    answer: Callable[[str], str]
    page: Callable[[str], str]

    @property
    def context(self) -> ValidationContext:
        """Return the context of the validation."""
        return ValidationContext(mode=self.mode, callable_tools=frozenset({"list"}), nonce="4f1c9a77")


def fragment(template: str = "<p></p>", script: str = "") -> str:
    """Return a fragment that is sound except for the given parts."""
    return f"<style></style>\n<template>\n{template}\n</template>\n<script>\n{_RENDER}{script}\n</script>\n<!--end-->"


def document(body: str) -> str:
    """Return a document that is sound except for its body."""
    return _DOCUMENT.format(module=_MODULE, body=body)


def _text_in_script(text: str) -> str:
    return json.dumps(text).replace("</", "<\\/").replace("<!--", "\\x3c!--")


def _linked(address: str) -> str:
    return fragment(f'<a href="{html.escape(address)}">x</a>')


def _pictured(address: str) -> str:
    return fragment(f'<img alt="" src="{html.escape(address)}">')


def _sent(address: str) -> str:
    return fragment(f'<form action="{html.escape(address)}"><button>x</button></form>')


def _handled(script: str) -> str:
    return fragment(f'<b onclick="{html.escape(script)}">x</b>')


def _put_in(markup: str) -> str:
    return fragment(script=f"x.innerHTML = {_text_in_script(markup)}")


def _scripted(script: str) -> str:
    return fragment(script=script)


def _template_page(source: str) -> str:
    whole = fragment_in(source)
    return page_of_template("" if whole is None else whole.template)


def _script_page(source: str) -> str:
    """Return the page of a fragment's script; in the page, ``x`` names an element by its id."""
    whole = fragment_in(source)
    return page_of_script("" if whole is None else whole.script.removeprefix(_RENDER))


def _document_page(source: str) -> str:
    """Return the page of a document without its module, whose imports do not exist there."""
    return page_of_document(source.replace('<script type="module">', '<script type="text/plain">', 1))


TEMPLATE: Final = Place("template", "fragment", fragment, _template_page)
DOCUMENT: Final = Place("document", "document", document, _document_page)
PUT_IN: Final = Place("put in", "fragment", _put_in, _script_page)
LINK: Final = Place("link", "fragment", _linked, _template_page)
IMAGE: Final = Place("image", "fragment", _pictured, _template_page)
FORM: Final = Place("form", "fragment", _sent, _template_page)
SCRIPT: Final = Place("script", "fragment", _scripted, _script_page)
HANDLER: Final = Place("handler", "fragment", _handled, _template_page)

PLACES_OF_MARKUP: Final = (TEMPLATE, DOCUMENT, PUT_IN)
PLACES_OF_ADDRESSES: Final = (LINK, IMAGE, FORM)
PLACES_OF_SCRIPTS: Final = (SCRIPT, HANDLER)


def attempts() -> Iterator[tuple[Place, str]]:
    """Yield every attack string of the corpus in every place where it may act."""
    from attack.harvest import addresses, markup_strings, parser_cases, scripts  # noqa: PLC0415 -- fetches

    for texts, places in (
        (markup_strings(), PLACES_OF_MARKUP),
        (parser_cases(), (TEMPLATE, DOCUMENT)),
        (addresses(), PLACES_OF_ADDRESSES),
        (scripts(), PLACES_OF_SCRIPTS),
    ):
        yield from ((place, text) for place in places for text in texts)
