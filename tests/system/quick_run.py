"""Selects the tests of a quick run: all tests, but only a few cases of each matrix.

``@pytest.mark.matrix`` marks a test whose cases repeat one decision in many surroundings. `--quick` then runs
a few cases in which each value of each parameter occurs; ``@pytest.mark.matrix(quick=3)`` runs three cases,
and ``quick=0`` none. Without `--quick`, all cases run. The choice depends on the names of the cases only, so
it is the same in every process and on every machine.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--quick`."""
    parser.addoption("--quick", action="store_true", help="run a few cases of each matrix; see quick_run.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the cases that a quick run leaves to a full one."""
    if not config.getoption("--quick"):
        return
    matrices = defaultdict(list)
    for item in items:
        if item.get_closest_marker("matrix"):
            matrices[item.nodeid.partition("[")[0]].append(item)
    left_out = {item for cases in matrices.values() for item in set(cases) - set(chosen(cases))}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def chosen(cases: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the cases of one matrix that a quick run takes."""
    mixed = sorted(cases, key=lambda case: hashlib.sha256(case.nodeid.encode()).digest())
    count = cases[0].get_closest_marker("matrix").kwargs.get("quick")
    return covering(mixed) if count is None else mixed[:count]


def covering(cases: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return few cases in which each value of each parameter occurs."""
    values = {case: _values(case) for case in cases}
    missing = set().union(*values.values())
    taken = []
    while missing:
        taken.append(max(cases, key=lambda case: len(values[case] & missing)))
        missing -= values[taken[-1]]
    return taken


def _values(case: pytest.Item) -> set[tuple[str, int]]:
    specification = getattr(case, "callspec", None)  # its values are one object in all cases, hashable or not
    return {(name, id(value)) for name, value in specification.params.items()} if specification else set()
