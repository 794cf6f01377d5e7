"""The pages that are written from the code say what the code says."""

import importlib.util

import pytest


@pytest.fixture(scope="module")
def generators(repository):
    place = repository / "docs" / "generators" / "__main__.py"
    specification = importlib.util.spec_from_file_location("page_generators", place)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_page_is_up_to_date(generators):
    written = {page: (generators.DOCS / page).read_text(encoding="utf-8") for page in generators.PAGES}
    stale = [page for page, make in generators.PAGES.items() if written[page] != make()]
    assert stale == [], "run: .venv/bin/python docs/generators"


def test_no_page_is_left_out(generators, repository):
    marked = {
        path.relative_to(generators.DOCS).as_posix()
        for path in (repository / "docs").rglob("*.md")
        if "written by `python docs/generators`" in path.read_text(encoding="utf-8").lower()
    }
    assert marked == {*generators.PAGES}
