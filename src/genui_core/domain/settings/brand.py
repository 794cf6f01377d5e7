"""A team's own look for every view: custom properties, a logo and a name (``brand``)."""

from collections.abc import Mapping
from typing import Final

from attrs import Factory, frozen

from genui_core.domain.settings.setting import setting
from genui_core.errors import GenUiError

PROPERTIES: Final = (
    "--accent", "--fill", "--on", "--s1", "--s2", "--s3", "--s4", "--sans", "--mono", "--radius",
)  # fmt: skip
"""The custom properties that a team may set; docs/views.md says what each is for."""

MAX_LOGO_BYTES: Final = 9_000
"""Every page carries the logo, so it is small."""


class InvalidBrand(GenUiError):
    """The file of ``brand.css`` or ``brand.logo`` cannot be used; the text says why."""


@frozen(kw_only=True)
class BrandSettings:
    """A team's own look (``brand``). Each field says itself what it is for."""

    name: str = setting("", "brand.name", "The server's name in views.", fallback="the server's own")
    css: str | None = setting(
        None,
        "brand.css",
        f"A file with `:root {{ … }}` that sets custom properties of views: {', '.join(PROPERTIES)}.",
        fallback="an accent by the server's name",
        is_path=True,
    )
    logo: str | None = setting(
        None,
        "brand.logo",
        f"A PNG, JPEG, GIF or WebP file of at most {MAX_LOGO_BYTES} bytes, the icon of every tool.",
        fallback="the icon of the tool or server, or an outline by the tool's name",
        is_path=True,
    )


@frozen
class Brand:
    """A team's own look, read from its files.

    Attributes:
        name: Shown as the name of the server, or "".
        properties: CSS values by the names of custom properties.
        logo: A picture in a data URI, or "".
    """

    name: str = ""
    properties: Mapping[str, str] = Factory(dict)
    logo: str = ""
