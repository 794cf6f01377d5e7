"""Each requirement id that the code cites is in docs/requirements.md, and tests show each requirement."""

import re
from pathlib import Path

import pytest

ROW = re.compile(r"^\| (?P<id>[A-Z]\d+) \| .+ \| (?P<tests>`.+`) \|$", re.MULTILINE)
CITED = re.compile(r"\brequirements? ((?:(?:, | and | to )?\b[A-Z]\d+\b)+)")
FOREIGN = re.compile(r"\bSPEC (?:§|[A-Z]\d)")


def ids_in(text: str) -> set[str]:
    """The ids that a text cites; of a range, its first and last id."""
    return {each for cited in CITED.findall(text) for each in re.findall(r"[A-Z]\d+", cited)}


@pytest.fixture(scope="module")
def shown_by(repository: Path) -> dict[str, set[str]]:
    """Per requirement, the test files that its row names."""
    page = (repository / "docs" / "requirements.md").read_text("utf8")
    return {row["id"]: {*re.findall(r"`([^`]+)`", row["tests"])} for row in ROW.finditer(page)}


@pytest.fixture(scope="module")
def texts(repository: Path) -> dict[str, str]:
    """Every module of the packages and every test, by its path in the repository."""
    paths = [*(repository / "src").rglob("*.py"), *(repository / "tests").rglob("test_*.py")]
    own = Path(__file__).name
    return {
        path.relative_to(repository).as_posix(): path.read_text("utf8")
        for path in paths
        if "node_modules" not in path.parts and path.name != own
    }


def test_each_id_stands_once_on_the_page(shown_by: dict[str, set[str]], repository: Path) -> None:
    page = (repository / "docs" / "requirements.md").read_text("utf8")
    rows = [line for line in page.splitlines() if re.match(r"\| [A-Z]\d", line)]
    assert len(rows) == len(shown_by) > 0


def test_a_cited_id_is_on_the_page(shown_by: dict[str, set[str]], texts: dict[str, str]) -> None:
    unknown = {path: ids_in(text) - shown_by.keys() for path, text in texts.items()}
    assert {path: ids for path, ids in unknown.items() if ids} == {}


def test_the_tests_that_a_requirement_names_cite_it_and_no_others_do(
    shown_by: dict[str, set[str]], texts: dict[str, str]
) -> None:
    named = {(path, each) for each, paths in shown_by.items() for path in paths}
    citing = {
        (path, each) for path, text in texts.items() if path.startswith("tests/") for each in ids_in(text)
    }
    assert named - citing == set(), (
        "docs/requirements.md names these tests, which do not cite the requirement"
    )
    assert citing - named == set(), (
        "these tests cite a requirement, and docs/requirements.md does not name them"
    )


def test_no_module_cites_a_document_that_is_not_in_the_repository(texts: dict[str, str]) -> None:
    assert [path for path, text in texts.items() if FOREIGN.search(text)] == []
