"""A team's own look, from the files that the configuration names (``brand``)."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from genui_core.domain.settings.brand import Brand, BrandSettings, InvalidBrand, logo_in, properties_in

Content = TypeVar("Content")


def brand_from(settings: BrandSettings) -> Brand:
    """Return the look that the settings describe.

    Raises:
        InvalidBrand: A file cannot be read or used; the text names it.
    """
    return Brand(
        settings.name,
        _read(settings.css, lambda content: properties_in(content.decode())) if settings.css else {},
        _read(settings.logo, logo_in) if settings.logo else "",
    )


def _read(file: str, of: Callable[[bytes], Content]) -> Content:
    try:
        return of(Path(file).read_bytes())
    except OSError as error:
        raise InvalidBrand(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidBrand(f"{file}: it is not written in UTF-8") from error
    except InvalidBrand as error:
        raise InvalidBrand(f"{file}: {error}") from error
