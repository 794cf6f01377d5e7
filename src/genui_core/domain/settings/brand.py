"""A team's own look for every view (``brand``): its settings, and checks of its stylesheet and logo."""

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import Factory, frozen

from genui_core.domain.settings.setting import section, setting
from genui_core.errors import GenUiError

PROPERTIES: Final = (
    "--accent", "--fill", "--on", "--s1", "--s2", "--s3", "--s4", "--sans", "--mono", "--radius",
)  # fmt: skip
"""The custom properties that a team may set; docs/views.md describes them."""

MAX_LOGO_BYTES: Final = 9_000
"""The largest logo; it is small since every page contains it."""


class InvalidBrand(GenUiError):
    """The file of ``brand.css`` or ``brand.logo`` cannot be used; the message says why."""


@frozen(kw_only=True, field_transformer=section("brand"))
class BrandSettings:
    """A team's own look (``brand``); each field has its own description."""

    name: str = setting("", "The server's name in views.", fallback="the server's own")
    css: str | None = setting(
        None,
        f"A file with `:root {{ … }}` that sets custom properties of views: {', '.join(PROPERTIES)}.",
        fallback="an accent by the server's name",
        is_path=True,
    )
    logo: str | None = setting(
        None,
        f"A PNG, JPEG, GIF or WebP file of at most {MAX_LOGO_BYTES} bytes, the icon of every tool.",
        fallback="the icon of the tool or server, or an outline by the tool's name",
        is_path=True,
    )


@frozen
class Brand:
    """A team's own look, read from its files.

    Attributes:
        name: The name to show instead of the server's, or "".
        properties: CSS values by the names of custom properties.
        logo: A picture in a data URI, or "".
    """

    name: str = ""
    properties: Mapping[str, str] = Factory(dict)
    logo: str = ""


_MAX_VALUE_CHARACTERS: Final = 500
_COLOURS: Final = {
    "color", "color-mix", "hsl", "hsla", "hwb", "lab", "lch", "light-dark", "oklab", "oklch", "rgb", "rgba",
}  # fmt: skip
_FUNCTIONS: Final = frozenset(_COLOURS | {"calc", "clamp", "max", "min", "var"})
_LOGO_TYPES: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def properties_in(css: str) -> dict[str, str]:
    """Return the custom properties that a stylesheet sets.

    Raises:
        InvalidBrand: It contains anything but `:root { … }` with properties of `PROPERTIES`, or a value
            that could load a resource.
    """
    return dict(_declared(css))


def _declared(css: str) -> Iterator[tuple[str, str]]:
    import tinycss2  # noqa: PLC0415 -- slow, and for teams with a stylesheet only

    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule" or tinycss2.serialize(rule.prelude).strip() != ":root":
            raise InvalidBrand(
                f"line {rule.source_line}: only `:root {{ … }}` with custom properties can stand here"
            )
        for each in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            yield _property(each, tinycss2.serialize)


def _property(declaration: Any, serialize: Callable[[Any], str]) -> tuple[str, str]:
    where = f"line {declaration.source_line}"
    if declaration.type != "declaration":
        raise InvalidBrand(f"{where}: this is no declaration such as `--accent: #0a6`")
    if declaration.name not in PROPERTIES:
        raise InvalidBrand(
            f"{where}: views have no property {declaration.name!r}; there are {', '.join(PROPERTIES)}"
        )
    value = serialize(declaration.value).strip()
    if not value or len(value) > _MAX_VALUE_CHARACTERS or not all(map(_loads_nothing, declaration.value)):
        raise InvalidBrand(f"{where}: {declaration.name} needs a colour, length or list of fonts")
    return declaration.name, value


def _loads_nothing(node: Any) -> bool:
    if node.type == "function":
        return node.lower_name in _FUNCTIONS and all(map(_loads_nothing, node.arguments))
    return node.type not in {"url", "error", "{} block", "[] block", "() block", "at-keyword"}


def logo_in(content: bytes) -> str:
    """Return a picture's data URI.

    Raises:
        InvalidBrand: It is no PNG, JPEG, GIF or WebP, or larger than `MAX_LOGO_BYTES`.
    """
    is_webp = content.startswith(b"RIFF") and content[8:12] == b"WEBP"
    known = (kind for start, kind in _LOGO_TYPES.items() if content.startswith(start))
    kind = "image/webp" if is_webp else next(known, None)
    if kind is None:
        raise InvalidBrand("it is no PNG, JPEG, GIF or WebP picture")
    if len(content) > MAX_LOGO_BYTES:
        raise InvalidBrand(f"it has {len(content):,} bytes; a logo has at most {MAX_LOGO_BYTES:,}")
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
