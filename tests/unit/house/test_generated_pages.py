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


@pytest.mark.parametrize(
    "page",
    [
        "configuration.md",
        "rules.md",
        "log-events.md",
        "reference/cli.md",
        "reference/api.md",
        "reference/errors.md",
    ],
)
def test_it_is_up_to_date(generators, page):
    written = (generators.DOCS / page).read_text(encoding="utf-8")
    assert written == generators.PAGES[page](), "run: python docs/generators"


def test_no_page_is_left_out(generators, repository):
    marked = {
        path.relative_to(generators.DOCS).as_posix()
        for path in (repository / "docs").rglob("*.md")
        if "Written by `python docs/generators`" in path.read_text(encoding="utf-8")
    }
    assert marked | {"configuration.md"} == {*generators.PAGES}
