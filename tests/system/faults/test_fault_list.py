"""Every fault of the list has tests, and they exist where the list says."""

import ast

import pytest
from fault_list import FAULTS


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_tests(repository, fault):
    assert FAULTS[fault]
    for each in FAULTS[fault]:
        file, _, name = each.partition("::")
        tree = ast.parse((repository / file).read_text("utf8"))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, kinds)}, each


def test_every_listed_test_has_the_marker(request):
    """Checks the listed tests that are collected in the same run."""
    listed = {each for tests in FAULTS.values() for each in tests}
    found = [item for item in request.session.items if item.nodeid.partition("[")[0] in listed]
    assert all(item.get_closest_marker("faults") for item in found)
    assert found
