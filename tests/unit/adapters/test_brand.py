"""A brand is read from the files that the configuration names."""

import pytest

from genui_adapters.compose import wrapper_from
from genui_adapters.configured_files import brand_from
from genui_core.domain.settings.brand import Brand, BrandSettings, InvalidBrand
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def settings(tmp_path):
    """A name, a stylesheet and a logo."""
    (tmp_path / "brand.css").write_text(":root { --accent: #0a6 }", encoding="utf-8")
    (tmp_path / "logo.png").write_bytes(PNG)
    return BrandSettings(name="Acme", css=f"{tmp_path / 'brand.css'}", logo=f"{tmp_path / 'logo.png'}")


def test_a_brand_is_read_from_its_files(settings):
    assert brand_from(settings) == Brand("Acme", {"--accent": "#0a6"}, "data:image/png;base64,iVBORw0KGgo=")


def test_a_wrapper_shows_the_configured_brand(settings):
    wrapper = wrapper_from(Configuration(settings=Settings(brand=settings)))
    page = wrapper.open().pages.page(Tool({"name": "plain"}), None)
    assert '"server":"Acme"' in page.replace(": ", ":")
    assert "#0a6" in page


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"p {}"])
def test_a_file_that_cannot_be_used_is_named(tmp_path, content):
    file = tmp_path / "brand.css"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidBrand, match=r"brand\.css: "):
        brand_from(BrandSettings(css=f"{file}"))
