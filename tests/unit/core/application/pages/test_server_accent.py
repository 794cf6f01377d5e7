"""The accent and the icon of pages follow the upstream's name, unless a brand is configured."""

import json

from genui_core.application.wrapper import Wrapper
from genui_core.domain.pages.tool_look import accent, hue_of
from genui_core.domain.settings.brand import Brand
from genui_core.domain.tools.tool import Tool

PNG = "data:image/png;base64,iVBORw0KGgo="
OTHER = "data:image/png;base64,iVBORw0KGgoK"


def page_data_of(views, tool):
    html = views.pages.page(tool, None)
    return json.loads(html.partition('id="mcp-gen-ui-page">')[2].partition("</script>")[0])


def test_a_page_has_the_accent_of_the_upstream_as_soon_as_that_has_a_name():
    views, tool = Wrapper().open(), Tool({"name": "git_log"})
    before = views.pages.address(tool)
    assert "server" not in page_data_of(views, tool)
    views.tools.know_upstream({"name": "weather", "version": "1"})
    assert page_data_of(views, tool)["server"] == "weather"
    assert page_data_of(views, tool)["look"] == accent(hue_of("weather"))
    assert views.pages.address(tool) != before
    assert views.pages.address(tool) == views.pages.address(tool)


def test_an_upstream_that_says_its_name_again_costs_no_new_versions_of_pages():
    views, said = Wrapper().open(), {"name": "weather", "icons": [{"src": PNG}]}
    views.tools.know_upstream(said)
    look = views.tools.look
    views.tools.know_upstream({**said})
    assert views.tools.look is look
    views.tools.know_upstream({**said, "icons": []})
    assert views.tools.look is not look


def test_a_page_has_the_icon_of_the_upstream_as_soon_as_the_handshake_is_complete():
    views, tool = Wrapper().open(), Tool({"name": "git_log"})
    assert "outline" in page_data_of(views, tool)["icon"]
    views.tools.know_upstream({"name": "weather", "icons": [{"src": PNG}]})
    assert page_data_of(views, tool)["icon"] == {"picture": PNG}


def test_a_page_has_the_brand_of_the_team_whatever_the_upstream_says_of_itself():
    brand = Brand("Acme", {"--accent": "#0a6"}, PNG)
    views, tool = Wrapper(brand=brand).open(), Tool({"name": "git_log"})
    views.tools.know_upstream({"name": "weather", "icons": [{"src": OTHER}]})
    data = page_data_of(views, tool)
    assert data["server"] == "Acme"
    assert data["look"] == {**accent(hue_of("weather")), "--accent": "#0a6"}
    assert data["icon"] == {"picture": PNG}
    assert views.tools.upstream_name == "weather"
