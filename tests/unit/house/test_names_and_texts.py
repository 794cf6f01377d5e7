"""Every public name has a docstring, and no file has a name like "utils"."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

Trees = Mapping[str, ast.Module]
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

LEFTOVERS = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
CODE = {".py", ".js", ".mjs", ".ts"}
NEEDS_NO_TEXT = {"overload", "override", "setter"}


def test_no_file_has_a_name_for_leftovers(project_files: list[Path]) -> None:
    assert [path for path in project_files if path.suffix in CODE and path.stem in LEFTOVERS] == []


def test_every_public_name_has_a_docstring(syntax_trees: Trees) -> None:
    silent = {
        f"{module}: {name}"
        for module, tree in syntax_trees.items()
        for name in unexplained(tree, "the module")
    }
    assert silent == set()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('"""Text."""\ndef f(): ...', ["f"]),
        ('"""Text."""\ndef _f(): ...', []),
        ('"""Text."""\nclass A:\n  """Text."""\n  def g(self): ...', ["A.g"]),
        ("x = 1", ["the module"]),
    ],
)
def test_the_search_for_unexplained_names_finds_them(source: str, expected: list[str]) -> None:
    assert list(unexplained(ast.parse(source), "the module")) == expected


def unexplained(node: ast.Module | Definition, name: str) -> Iterator[str]:
    """Yield the names of public definitions without a docstring, the node's own among them."""
    if ast.get_docstring(node) is None:
        yield name
    if isinstance(node, ast.Module | ast.ClassDef):
        prefix = f"{name}." if isinstance(node, ast.ClassDef) else ""
        for inner in node.body:
            if isinstance(inner, Definition) and is_public(inner):
                yield from unexplained(inner, prefix + inner.name)


def is_public(definition: Definition) -> bool:
    """Return whether a definition is public, and no override or overload of another."""
    decorators = {ast.unparse(each).rpartition(".")[2] for each in definition.decorator_list}
    return not definition.name.startswith("_") and decorators.isdisjoint(NEEDS_NO_TEXT)
