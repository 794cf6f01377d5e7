"""The elements of a markup, as two parsers see them: what one misses, the other shows."""

from collections.abc import Iterable, Iterator, Mapping
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
"""What a fragment stands in: there, parts of a table need no table around them."""
_TEMPLATE_END: Final = "</template>"
"""What comes after a fragment: it ends a tag that the fragment leaves open."""


@frozen(kw_only=True)
class Element:
    """An element.

    Attributes:
        name: In lower case.
        namespace: Of SVG, MathML or HTML.
        attributes: By name in lower case.
        text: What stands directly in it.
        start: The offset of its tag in the markup; None where it is not known.
        within: The names of the elements around it, from the inside.
    """

    name: str
    namespace: str
    attributes: Mapping[str, str]
    text: str
    start: int | None = None
    within: tuple[str, ...] = ()


def elements(source: str, *, document: bool) -> list[Element]:
    """Return the elements that either parser sees, in the order of the text, those of the first parser first."""
    return [*_by_justhtml(source, document=document), *_by_html5lib(source, document=document)]


def _by_justhtml(source: str, *, document: bool) -> Iterator[Element]:
    before, after = ("", "") if document else (_TEMPLATE, _TEMPLATE_END)
    parsed = JustHTML(
        before + source + after, sanitize=False, fragment=not document, track_node_locations=True
    )
    waiting: list[tuple[Any, tuple[str, ...]]] = [(parsed.root, ())]
    while waiting:
        node, within = waiting.pop()
        name = node.name.lower()
        children = list(getattr(node, "children", None) or ())
        content = getattr(node, "template_content", None)
        if content is not None:
            children.extend(content.children or ())
        if not name.startswith(("#", "!")):
            element = _element(node, name, within, children, len(before))
            if element.start is None or element.start >= 0:
                yield element
            within = (name, *within)
        waiting.extend((each, within) for each in reversed(children) if hasattr(each, "attrs"))


def _element(node: Any, name: str, within: tuple[str, ...], children: Iterable[Any], before: int) -> Element:
    return Element(
        name=name,
        namespace=node.namespace or HTML,
        attributes={key.lower(): value or "" for key, value in (node.attrs or {}).items()},
        text="".join(str(each.data) for each in children if each.name == "#text"),
        start=None if node.origin_offset is None else node.origin_offset - before,
        within=within,
    )


def _by_html5lib(source: str, *, document: bool) -> Iterator[Element]:
    parser = html5lib.HTMLParser(tree=_TREE_BUILDER, namespaceHTMLElements=True)
    read = parser.parse if document else parser.parseFragment
    text = source if document else source + _TEMPLATE_END
    waiting: list[tuple[Any, tuple[str, ...]]] = [(read(text, scripting=True), ())]
    while waiting:
        node, within = waiting.pop()
        inner = within
        if isinstance(node.tag, str) and node.tag != "DOCUMENT_FRAGMENT":
            namespace, name = _qualified(node.tag)
            texts = [node.text or "", *(each.tail or "" for each in node)]
            attributes = {_attribute_name(key): value or "" for key, value in node.attrib.items()}
            yield Element(
                name=name, namespace=namespace, attributes=attributes, text="".join(texts), within=within
            )
            inner = (name, *within)
        waiting.extend((each, inner) for each in reversed(list(node)))


def _qualified(tag: str) -> tuple[str, str]:
    namespace, closed, name = tag.removeprefix("{").rpartition("}")
    return (_NAMESPACES.get(namespace, HTML) if closed else HTML), name.lower()


def _attribute_name(key: str) -> str:
    if not key.startswith("{"):
        return key.lower()
    namespace, name = _qualified(key)
    return f"{namespace}:{name}"
