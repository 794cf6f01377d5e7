"""The core imports only listed packages, and its domain has no asynchronous code."""

import ast
import sys
from collections.abc import Iterator, Mapping

import pytest

Trees = Mapping[str, ast.Module]

PARTS_ALLOWED_TO_IMPORT = {
    "attrs": {"*"},
    "cattrs": {"*"},
    "anyio": {"application", "testing"},
    "chevron": {"domain"},
    "html5lib": {"domain"},
    "jsonschema": {"application"},
    "referencing": {"application"},
    "justhtml": {"domain"},
    "tinycss2": {"domain"},
    "tree_sitter": {"domain"},
    "tree_sitter_javascript": {"domain"},
}


@pytest.fixture(scope="module")
def core(syntax_trees: Trees) -> Trees:
    """The modules of the core."""
    return {name: tree for name, tree in syntax_trees.items() if name.split(".")[0] == "genui_core"}


def test_the_core_imports_only_the_packages_on_its_list(core: Trees) -> None:
    own_or_standard = {"genui_core", *sys.stdlib_module_names}
    foreign = {
        (module, package)
        for module, tree in core.items()
        for package in imported_packages(tree)
        if package not in own_or_standard and not may_import(module, package)
    }
    assert foreign == set()


def test_the_core_names_modules_in_full(core: Trees) -> None:
    relative = {
        module
        for module, tree in core.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level > 0
    }
    assert relative == set()


def test_no_function_in_the_domain_is_asynchronous(core: Trees) -> None:
    waiting = {
        (module, getattr(node, "name", type(node).__name__))
        for module, tree in core.items()
        if part_of_core(module) == "domain"
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    }
    assert waiting == set()


def may_import(module: str, package: str) -> bool:
    """Return whether a module of the core may import a package."""
    return not PARTS_ALLOWED_TO_IMPORT.get(package, set()).isdisjoint({"*", part_of_core(module)})


def part_of_core(module: str) -> str:
    """Return the second part of a module's dotted name, or "" for the top of the core."""
    return module.partition(".")[2].partition(".")[0]


def imported_packages(tree: ast.Module) -> Iterator[str]:
    """Yield the top-level package of each import in a module, also of imports inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).partition(".")[0]
