"""The generated pages of the docs are up to date with the code."""

import importlib.util
import sys
from pathlib import Path

import pytest

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
