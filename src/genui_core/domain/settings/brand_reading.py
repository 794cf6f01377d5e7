"""What a team's stylesheet and logo may hold (``brand.css``, ``brand.logo``)."""

import base64
from collections.abc import Iterator
from typing import Any, Final

import tinycss2

from genui_core.domain.settings.brand import MAX_LOGO_BYTES, PROPERTIES, InvalidBrand

_MAX_VALUE_CHARACTERS: Final = 500
_COLOURS: Final = {
    "color",
    "color-mix",
    "hsl",
    "hsla",
    "hwb",
    "lab",
    "lch",
    "light-dark",
    "oklab",
    "oklch",
    "rgb",
    "rgba",
}
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
        InvalidBrand: It holds something else than `:root { … }` with properties of `PROPERTIES`, or a value
            that could load something.
    """
    return dict(_declared(css))


def _declared(css: str) -> Iterator[tuple[str, str]]:
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule" or tinycss2.serialize(rule.prelude).strip() != ":root":
            raise InvalidBrand(
                f"line {rule.source_line}: only `:root {{ … }}` with custom properties can stand here"
            )
        for each in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            yield _property(each)


def _property(declaration: Any) -> tuple[str, str]:
    where = f"line {declaration.source_line}"
    if declaration.type != "declaration":
        raise InvalidBrand(f"{where}: this is no declaration such as `--accent: #0a6`")
    if declaration.name not in PROPERTIES:
        raise InvalidBrand(
            f"{where}: views have no property {declaration.name!r}; there are {', '.join(PROPERTIES)}"
        )
    value = tinycss2.serialize(declaration.value).strip()
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
