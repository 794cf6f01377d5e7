"""The generated pages of the docs are up to date with the code."""

import importlib.util
import sys
from pathlib import Path

import pytest
from jsonschema import validate
from tool_texts import REFINED, REFINEMENT

from genui_core.domain.tools.wrapper_tools import published
from genui_core.domain.validation.finding import Consequence, Rule

PLACE = Path(__file__).parents[3] / "docs" / "generators" / "__main__.py"


def loaded(place):
    specification = importlib.util.spec_from_file_location("page_generators", place)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


GENERATORS = loaded(PLACE)


@pytest.mark.parametrize("page", GENERATORS.PAGES)
def test_a_generated_page_is_up_to_date(page):
    written = (GENERATORS.DOCS / page).read_text(encoding="utf-8")
    assert written == GENERATORS.PAGES[page](), "run: .venv/bin/python docs/generators"


def test_no_generated_page_is_left_out(repository):
    marked = {
        path.relative_to(GENERATORS.DOCS).as_posix()
        for path in (repository / "docs").rglob("*.md")
        if "written by `python docs/generators`" in path.read_text(encoding="utf-8").lower()
    }
    assert marked == {*GENERATORS.PAGES}


def test_a_rule_of_a_new_family_fails_with_the_place_of_the_sections():
    rule = Rule("shape.round", Consequence.WARN, "A shape is round.", "Draw a square.")
    with pytest.raises(LookupError, match=r"shape\.round: _TITLES in .*rules_page\.py .* 'shape'"):
        sys.modules["rules_page"].sections_of([rule])


def test_the_example_of_a_refinement_fits_the_definition_of_the_tool():
    definition = published(())[REFINEMENT["name"]]
    validate(REFINEMENT["arguments"], definition["inputSchema"])
    validate(REFINED, definition["outputSchema"])


@pytest.mark.parametrize(
    ("texts", "change", "words"),
    [
        ("GROUPS", {"Change a view": {}}, "_ui_refine"),
        ("GROUPS", {"More": {"_ui_dance": "dance"}}, "_ui_dance"),
        ("ANSWER_MEANINGS", {"_ui_list.tools[].age": "how old it is"}, r"_ui_list\.tools\[\]\.age"),
        ("ARGUMENT_MEANINGS", {"_ui_view.gone": "what is gone"}, r"_ui_view\.gone"),
    ],
)
def test_a_text_about_the_tools_that_does_not_fit_them_fails_with_the_name(monkeypatch, texts, change, words):
    page = sys.modules["tools_page"]
    monkeypatch.setattr(page, texts, {**getattr(page, texts), **change})
    with pytest.raises(LookupError, match=words):
        page.tools_page()


def test_a_member_of_an_answer_without_a_meaning_fails_with_its_name(monkeypatch):
    page = sys.modules["tools_page"]
    monkeypatch.delitem(page.ANSWER_MEANINGS, "_ui_list.tools[].cached")
    with pytest.raises(LookupError, match=r"`tools\[\]\.cached` of _ui_list"):
        page.tools_page()
