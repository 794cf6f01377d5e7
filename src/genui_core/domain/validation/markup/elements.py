"""The elements of markup, from two parsers: each finds elements that the other misses."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import html5lib
from attrs import frozen
from justhtml import JustHTML

_TREE_BUILDER = html5lib.getTreeBuilder("etree")
HTML: Final = "html"
SVG: Final = "svg"
MATH: Final = "math"

_NAMESPACES: Final[Mapping[str, str]] = {
    "http://www.w3.org/1999/xhtml": HTML,
    "http://www.w3.org/2000/svg": SVG,
    "http://www.w3.org/1998/Math/MathML": MATH,
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/2000/xmlns/": "xmlns",
}

_TEMPLATE: Final = "<template>"
"""The tag before a parsed fragment: in a template, parts of a table need no table around them."""
_TEMPLATE_END: Final = "</template>"
"""The tag after a parsed fragment: it ends a tag that the fragment leaves open."""


@frozen(kw_only=True)
class Element:
    """An element that a parser found.

    Attributes:
        text: The text directly in it, without that of its children.
        start: The offset of its tag in the markup; None if it is unknown.
        within: The names of the elements around it, innermost first; empty if ``start`` is unknown.
    """

    name: str
    namespace: str
    attributes: Mapping[str, str]
    text: str
    start: int | None = None
    within: tuple[str, ...] = ()


def elements(source: str, *, document: bool) -> list[Element]:
    """Return the elements of the first parser, then those of the second, each in the order of the text."""
    return [*_by_justhtml(source, document=document), *_by_html5lib(source, document=document)]


def plain_elements(source: str) -> list[Element] | None:
    """Return the elements of markup so plain that each parser reads it alike, or None for other markup.

    A parser may drop some of these elements. It adds only those that every table or paragraph gets.
    """
    if source.count("<") > _MOST_PLAIN or _PLAIN_MARKUP.fullmatch(source) is None:
        return None
    found: list[Element] = []
    for _, name, written, *_ in _PLAIN_TAG.findall(source):
        values = reversed(_PLAIN_ATTRIBUTE.findall(written))  # the first of several with one name counts
        attributes = {attribute.lower(): double or single for attribute, double, single in values}
        found.append(Element(name=name.lower(), namespace=HTML, attributes=attributes, text=""))
    return found if all(each.name in _PLAIN_NAMES for each in found) else None


_MOST_PLAIN: Final = 120
"""How many ``<`` plain markup may contain: fewer than the depth that markup may have."""
_SPACE: Final = r"[ \t\n\f]"
_VALUE: Final = r"""(?:"([^"&\0\r\ud800-\udfff]*+)"|'([^'&\0\r\ud800-\udfff]*+)')"""
_ATTRIBUTE: Final = rf"{_SPACE}++([a-zA-Z][a-zA-Z0-9-]*+)(?:{_SPACE}*+={_SPACE}*+{_VALUE})?+"
_TAG: Final = rf"<(/?)([a-zA-Z][a-zA-Z0-9]*+)((?:{_ATTRIBUTE}){{0,32}}+){_SPACE}*+/?>"
_PLAIN_ATTRIBUTE: Final = re.compile(_ATTRIBUTE)
_PLAIN_TAG: Final = re.compile(_TAG)
_PLAIN_MARKUP: Final = re.compile(rf"(?:[^<\0]++|{_TAG})*+")
_PLAIN_NAMES: Final = frozenset(
    {
        "a", "abbr", "article", "aside", "b", "blockquote", "br", "button", "caption", "circle", "code", "col", "colgroup",
        "dd", "defs", "details", "div", "dl", "dt", "ellipse", "em", "fieldset", "figcaption", "figure", "footer", "form", "g",
        "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "input", "kbd", "label", "legend", "li", "line",
        "lineargradient", "main", "mark", "meter", "nav", "ol", "optgroup", "option", "output", "p", "path", "polygon",
        "polyline", "pre", "progress", "radialgradient", "rect", "s", "samp", "section", "select", "small", "span", "stop",
        "strong", "sub", "summary", "sup", "svg", "table", "tbody", "td", "text", "tfoot", "th", "thead", "time", "tr",
        "tspan", "u", "ul", "var",
    }
)  # fmt: skip
"""Elements whose content each parser reads as markup, also in SVG; no page elements, no template."""


def _by_justhtml(source: str, *, document: bool) -> Iterator[Element]:
    before, after = ("", "") if document else (_TEMPLATE, _TEMPLATE_END)
    text = before + source + after
    parsed = JustHTML(text, sanitize=False, fragment=not document, track_node_locations=True)
    waiting: list[tuple[Any, tuple[str, ...]]] = [(parsed.root, ())]
    while waiting:
        node, within = waiting.pop()
        name = node.name.lower()
        children = list(getattr(node, "children", None) or ())
        content = getattr(node, "template_content", None)
        if content is not None:
            children.extend(content.children or ())
        if not name.startswith(("#", "!")):
            element = Element(
                name=name,
                namespace=node.namespace or HTML,
                attributes={key.lower(): value or "" for key, value in (node.attrs or {}).items()},
                text="".join(str(each.data) for each in children if each.name == "#text"),
                start=None if node.origin_offset is None else node.origin_offset - len(before),
                within=within,
            )
            if element.start is None or element.start >= 0:
                yield element
            within = (name, *within)
        waiting.extend((each, within) for each in reversed(children) if hasattr(each, "attrs"))


def _by_html5lib(source: str, *, document: bool) -> Iterator[Element]:
    parser = html5lib.HTMLParser(tree=_TREE_BUILDER, namespaceHTMLElements=True)
    read = parser.parse if document else parser.parseFragment
    for node in read(source if document else source + _TEMPLATE_END, scripting=True).iter():
        if isinstance(node.tag, str) and node.tag != "DOCUMENT_FRAGMENT":
            namespace, name = _qualified(node.tag)
            texts = [node.text or "", *(each.tail or "" for each in node)]
            attributes = {_attribute_name(key): value or "" for key, value in node.attrib.items()}
            yield Element(name=name, namespace=namespace, attributes=attributes, text="".join(texts))


def _qualified(tag: str) -> tuple[str, str]:
    namespace, closed, name = tag.removeprefix("{").rpartition("}")
    return (_NAMESPACES.get(namespace, HTML) if closed else HTML), name.lower()


def _attribute_name(key: str) -> str:
    if not key.startswith("{"):
        return key.lower()
    namespace, name = _qualified(key)
    return f"{namespace}:{name}"


_GAP: Final = "\t\n\f\r "
"""The characters that separate attributes; other white space is part of a name or a value."""
_NAME: Final = re.compile(rf"<[a-zA-Z][^{_GAP}/>]*")
_ATTRIBUTE_TEXT: Final = re.compile(
    rf"""[{_GAP}/]*(=[^{_GAP}/>=]*|[^{_GAP}/>=]+)(?:[{_GAP}]*=[{_GAP}]*("[^"]*"|'[^']*'|[^{_GAP}>]*))?"""
)


@frozen
class StartTag:
    """A start tag.

    Attributes:
        attributes: For each attribute, its name in lower case, and its start and end offsets.
    """

    start: int
    name_end: int
    end: int
    attributes: tuple[tuple[str, int, int], ...]


def tag_at(source: str, start: int | None) -> StartTag | None:
    """Return the start tag at an offset; None if no complete one is there, or the offset is None."""
    name = None if start is None else _NAME.match(source, start)
    if name is None:
        return None
    at = name.end()
    attributes: list[tuple[str, int, int]] = []
    while (attribute := _ATTRIBUTE_TEXT.match(source, at)) is not None:
        attributes.append((attribute[1].lower(), attribute.start(), attribute.end()))
        at = attribute.end()
    end = source.find(">", at)
    return None if end < 0 else StartTag(name.start(), name.end(), end + 1, tuple(attributes))


def meaning(written: str) -> str:
    """Return the value of an attribute from its source text, which contains its name."""
    _, _, value = written.partition("=")
    value = value.strip(_GAP)
    quoted = len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
    return html.unescape(value[1:-1] if quoted else value)
