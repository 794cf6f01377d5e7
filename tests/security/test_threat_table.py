"""Each row of the threat table in docs/security.md names a protection and existing tests."""

import re

import pytest

THREATS = [
    "text of a tool instructs the model", "hostile HTML from the model", "hostile results in a view", "hostile names and schemas",
    "regular expressions", "schema bombs", "secrets", "a web page sends requests", "cache files", "floods",
    "calls tools in a loop",
]  # fmt: skip
LEFT_TO_THE_HOST = {"calls tools in a loop"}
"""Threats that only the host can stop."""


@pytest.fixture(scope="module")
def rows(repository):
    """The rows of the table, by threat."""
    page = (repository / "docs" / "security.md").read_text("utf8")
    table = page.partition("## Threats")[2].partition("\n## ")[0]
    cells = (line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| "))
    found = [each for each in cells if each[0] != "threat"]
    assert {len(each) for each in found} == {3}
    return {threat: next(each for each in found if threat in each[0]) for threat in THREATS}


def test_the_table_has_these_rows_and_no_others(rows):
    assert len({row[0] for row in rows.values()}) == len(THREATS)


@pytest.mark.parametrize("threat", THREATS)
def test_a_threat_has_something_against_it_and_tests_that_exist(rows, repository, threat):
    _, against, shown = rows[threat]
    assert against
    named = re.findall(r"`([^`]+)`", shown)
    assert bool(named) is (threat not in LEFT_TO_THE_HOST)
    source = (repository / "tests" / "security" / "test_threats.py").read_text("utf8")
    for each in named:
        if each.startswith("Test"):
            assert re.search(rf"^class {each}:", source, re.MULTILINE), each
        elif "/" in each:
            assert (repository / each).exists(), each
        else:
            assert [*(repository / "tests").rglob(each)], each
