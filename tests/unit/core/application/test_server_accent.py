"""Pages follow the name that the upstream gives itself."""

import json

from genui_core.application.wrapper import Wrapper
from genui_core.domain.tool import Tool
from genui_core.domain.tool_look import accent, hue_of


def page_data_of(wrapper, tool):
    html = wrapper.views.page(tool, None)
    return json.loads(html.partition('id="mcp-gen-ui-page">')[2].partition("</script>")[0])


def test_a_page_has_the_accent_of_the_upstream_as_soon_as_that_has_a_name():
    wrapper, tool = Wrapper(), Tool({"name": "git_log"})
    before = wrapper.views.address(tool)
    assert "server" not in page_data_of(wrapper, tool)
    wrapper.know_upstream({"name": "weather", "version": "1"})
    assert page_data_of(wrapper, tool)["server"] == "weather"
    assert page_data_of(wrapper, tool)["look"] == accent(hue_of("weather"))
    assert wrapper.views.address(tool) != before
    assert wrapper.views.address(tool) == wrapper.views.address(tool)
