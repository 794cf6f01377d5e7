"""The validator accepts the views of the browser tests, so a model may write such views."""

import re

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Ruling
from genui_core.domain.validation.validate import validate

TOOLS = frozenset({"list_issues", "get_issue", "delete_file", "sales_by_month", "forecast", "echo"})
HARMLESS = {"links_closed", "lang_added"}


def test_the_written_views_are_accepted(repository):
    paths = sorted((repository / "tests" / "written_views").glob("*/*.html"))
    assert len(paths) >= 9
    for path in paths:
        mode = path.parent.name.removesuffix("s")
        report = validate(
            path.read_text(encoding="utf-8"),
            ValidationContext(mode=mode, callable_tools=TOOLS, nonce="7f3a9c"),
        )
        assert report.ruling in {Ruling.ACCEPTED, Ruling.REPAIRED}, path.name
        assert set(report.repairs) <= HARMLESS, path.name
        assert report.findings == (), path.name


def test_the_views_in_the_documentation_are_accepted(repository):
    text = (repository / "docs" / "writing-views.md").read_text(encoding="utf-8")
    fragment, script = re.findall(r"```html\n(.*?)```", text, re.DOTALL)
    context = ValidationContext(mode="fragment", callable_tools=frozenset({"get_order"}), nonce="7f3a9c")
    assert validate(fragment, context).ruling is Ruling.ACCEPTED
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Orders</title>'
    document = f'<!DOCTYPE html><html lang="en"><head>{head}</head><body><main></main>{script}</body></html>'
    report = validate(
        document, ValidationContext(mode="document", callable_tools=frozenset(), nonce="7f3a9c")
    )
    assert (report.ruling, report.findings) == (Ruling.ACCEPTED, ())
