"""The minimal view shows every recorded result in its form, and not as JSON (requirement M2)."""

from pathlib import Path

import pytest
from recordings import calls_of
from view_host import ViewHost, adaptive_page

pytestmark = pytest.mark.matrix(quick=6)

KINDS = (Path(__file__).parent / "kinds.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def host(browser, host_origins):
    """One page for all views of this module."""
    host = ViewHost(browser, host_origins)
    yield host
    host.close()


def test_each_recorded_result_is_shown_and_not_as_json(recording, host):
    for call in calls_of(recording):
        view = host.mount(
            adaptive_page(call.tool.definition), tool=call.tool.definition, tool_input=call.arguments
        )
        view.send_result(call.result)
        view.ask("ping")
        shown = view.frame.evaluate(KINDS)
        assert [*view.complaints, *view.requests] == []
        assert shown["kinds"], f"{call.tool.name} #{call.number} shows nothing"
        assert "Something went wrong" not in shown["text"]
        assert shown["json"] == [], f"{call.tool.name} #{call.number} shows JSON as words"
