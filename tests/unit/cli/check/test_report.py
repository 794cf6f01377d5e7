"""The reports of `check` show hostile names as text."""

from xml.etree import ElementTree as ET

from genui_cli.check.checking import CheckedTool
from genui_cli.check.report import as_data, as_junit, as_page, rows
from genui_cli.check.stage import Shown

HOSTILE = "<script>alert(1)</script>%%style%%\x00\x1b[31m"


def checked() -> list[CheckedTool]:
    """Return a tool with a fault, and one without a view."""
    shown = Shown(
        HOSTILE, pictures={"light": "AAAA", "dark": "BBBB"}, seconds=1.5, arguments={"text": HOSTILE}
    )
    shown.add("contrast", HOSTILE)
    return [
        CheckedTool(HOSTILE, HOSTILE, "own", [Shown("view"), shown]),
        CheckedTool("plain", notes=[HOSTILE]),
    ]


def test_the_page_runs_nothing_and_has_a_picture_for_each_theme() -> None:
    page = as_page(checked(), HOSTILE, {"browser": None})
    assert "<script" not in page
    assert "\x00" not in page
    assert "Faults in 1 of 2 tools" in page
    for theme, picture in (("light", "AAAA"), ("dark", "BBBB")):
        assert page.count(f'<img class="{theme}" src="data:image/webp;base64,{picture}"') == 1


def test_the_page_says_what_a_broken_rule_asks_and_what_a_view_was_given() -> None:
    page = as_page(checked(), "server", {})
    assert page.count("<tr><th>") == 2
    assert "<tr><th>contrast</th><td>every text has the contrast that WCAG 2.2 asks for</td>" in page
    assert '<a href="#tool-1">&lt;script&gt;' in page.partition("</table>")[0]
    sent = as_page(
        [CheckedTool("a", shown=[Shown("form", {}, {"light": "A"}, arguments={}, sends=True)])], "s", {}
    )
    assert "Filled in and sent after the picture: <code>{}</code>" in sent
    assert "Arguments: <code>{&quot;text&quot;: &quot;&lt;script&gt;" in page


def test_junit_can_be_parsed_and_counts_the_faults() -> None:
    suite, _ = ET.fromstring(as_junit(checked(), HOSTILE))  # noqa: S314 -- our own
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "contrast: <script>" in str(suite[1][0].text)


def test_the_table_and_the_json_tell_of_each_tool() -> None:
    assert [each[3] for each in rows(checked())] == ["result", "1 fault", "no view"]
    data = as_data(checked(), {"browser": None})
    assert data["passed"] is False
    assert as_data(checked()[1:], {})["passed"] is True
