"""No imports form a cycle, not even imports inside functions or for types."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest


def test_no_module_imports_itself_through_others(repository: Path) -> None:
    order(imports_of(repository / "src"))


def test_a_type_that_two_modules_exchange_closes_a_cycle(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import two\n")
    (tmp_path / "two.py").write_text("def late():\n    from one import it\n")
    with pytest.raises(CycleError):
        order(imports_of(tmp_path))


def order(imports: dict[str, set[str]]) -> None:
    """Put modules in an order in which each one imports only earlier ones.

    Raises:
        CycleError: There is no such order.
    """
    TopologicalSorter(imports).prepare()


def imports_of(folder: Path) -> dict[str, set[str]]:
    """Return the other modules that each module under a folder imports, also inside functions."""
    paths = {name_of(path.relative_to(folder)): path for path in folder.rglob("*.py")}
    return {
        name: {each for each in imported(path) if each in paths and each != name}
        for name, path in paths.items()
    }


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """Yield each name that a module imports: a module, or a name inside one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = {f"{node.module}.{each.name}" for each in node.names}
            yield from within
            yield node.module
