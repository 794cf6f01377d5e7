"""axe-core finds nothing in the most frequent states of a view, in light and dark (requirement M4)."""

import pytest
from accessibility import barriers
from playwright.sync_api import expect
from view_host import written_page

from genui_core.domain.pages.minimal_view import fallback_notice, limit_notice, provisional_notice

FORM = {
    "city": {"type": "string", "description": "Where it rains"},
    "sure": {"type": "boolean"},
    "off": {"type": "boolean", "default": False},
    "day": {"type": "string", "format": "date"},
    "pick": {"enum": ["a", "b"]},
    "many": {"type": "array", "items": {"enum": ["a", "b"]}},
    "tags": {"type": "array", "items": {"type": "string"}},
    "people": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
    "shape": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}}]},
    "fixed": {"const": "v1"},
    "free": {},
}
TOOL = {
    "name": "rain",
    "description": "Tells where it rains. " * 20,
    "inputSchema": {"type": "object", "properties": FORM, "required": ["city"]},
    "annotations": {"destructiveHint": True},
}
RICH = {
    "rows": [{"city": f"City {n}", "people": n, "site": "https://example.com"} for n in range(60)],
    "name": "Ada",
    "admin": True,
    "deep": {"a": {"b": [[1], {"c": None}]}},
}


def test_an_empty_form_has_no_barriers(show):
    assert barriers(show(TOOL).host) == []


def test_a_refused_form_has_no_barriers(show):
    screen = show(TOOL)
    screen.run_button.click()
    expect(screen.frame.locator("[aria-invalid=true]")).to_be_visible()
    assert barriers(screen.host) == []


def test_the_question_before_a_destructive_call_has_no_barriers(show):
    screen = show(TOOL, tool_input={"city": "Oslo"})
    expect(screen.control("City")).to_have_value("Oslo")
    screen.run_button.click()
    expect(screen.frame.get_by_role("alert")).to_be_visible()
    assert barriers(screen.host) == []


def test_raw_arguments_have_no_barriers(show):
    screen = show(TOOL)
    screen.write_raw("{")
    assert barriers(screen.host) == []


def test_a_rich_result_has_no_barriers(show_result, text, red_png):
    screen = show_result(
        text("Some words"),
        {"type": "image", "data": red_png, "mimeType": "image/png"},
        {"type": "resource_link", "uri": "https://example.com/report", "name": "The report"},
        structured=RICH,
    )
    expect(screen.result).to_contain_text("City 49")
    assert barriers(screen.host) == []


def test_changed_records_have_no_barriers(show_result):
    people = [{"id": n, "team": {"name": f"Team {n}"}, "tags": ["a"], "score": n} for n in range(9)]
    posts = [{"title": f"Post {n}", "text": "words " * 60} for n in range(3)]
    screen = show_result(structured={"people": people, "posts": posts, "state": "open"})
    newer = {"people": [*people[1:], {"id": 9, "score": 1}], "posts": posts, "state": "closed"}
    screen.host.send_result({"content": [], "structuredContent": newer})
    expect(screen.result.get_by_text("was open")).to_be_visible()
    screen.result.get_by_role("button", name="Team 1").click()
    screen.button("Columns").click()
    assert barriers(screen.host) == []


def test_a_failed_call_has_no_barriers(show_result, text):
    screen = show_result(text("The disk is full"), is_error=True)
    expect(screen.result.get_by_role("alert")).to_be_visible()
    assert barriers(screen.host) == []


def test_a_running_call_has_no_barriers(show_form):
    screen = show_form({"city": {"type": "string"}})
    screen.run_button.click()
    expect(screen.state).to_contain_text("Running")
    assert barriers(screen.host) == []


def test_charts_and_their_tables_have_no_barriers(show_result):
    days = [{"day": f"2024-03-{n:02d}", "gross": n * 10, "net": n * 7} for n in range(1, 31)]
    teams = [{"team": f"Team {n}", "change": n - 2} for n in range(5)]
    screen = show_result(structured={"days": days, "teams": teams})
    screen.result.get_by_role("slider").first.press(
        "ArrowRight"
    )  # a chart that was drawn again has lost the focus
    expect(screen.result.locator(".tip").first).to_be_visible()
    assert barriers(screen.host) == []
    screen.result.get_by_role("button", name="Table").first.click()
    assert barriers(screen.host) == []


@pytest.mark.parametrize(
    "notice", [provisional_notice(), fallback_notice("It took too long"), limit_notice("")]
)
def test_a_notice_has_no_barriers(mount, notice):
    view = mount(written_page(TOOL, "", "fragment", notice=notice), width=320)
    expect(view.frame.get_by_role("note")).to_be_visible()
    assert barriers(view) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_graphs_places_and_boards_have_no_barriers_and_fit_a_narrow_page(show_result, theme):
    shapes = {
        "topology": {
            "nodes": [{"id": "a", "name": "Web"}, {"id": "b", "name": "Store"}],
            "edges": [{"source": "a", "target": "b"}],
        },
        "places": [{"name": "Oslo", "lat": 59.9, "lon": 10.7}, {"name": "Rome", "lat": 41.9, "lon": 12.5}],
        "services": [{"name": "api", "status": "running"}, {"name": "store", "status": "failed"}],
    }
    screen = show_result(structured=shapes, width=320)
    screen.host.context(theme=theme)
    expect(screen.result.locator(".graph")).to_have_count(2)
    expect(screen.result.locator(".board li")).to_have_count(2)
    assert barriers(screen.host) == []
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
