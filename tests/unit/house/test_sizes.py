"""Folders and modules stay small, and the packages do not grow.

A folder or module above its limit is listed with its size, which may only fall.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

MOST_MODULES = 16
MOST_LINES = 350
LARGER_FOLDERS: dict[str, int] = {}
LONGER_MODULES: dict[str, int] = {}
MODULES_IN_ALL = 272
LINES_IN_ALL = 44_058
"""What changes existing code may only lower them. A feature may raise them by what it needs, in its own commit, which
says so: the companion page did, and the TypeScript export. Before a new module, ask which one should hold its code."""
FROZEN = 0.85
"""The smallest allowed share of frozen classes among the data classes."""


def test_no_folder_holds_more_modules_than_a_reader_keeps_in_mind(repository: Path) -> None:
    modules = (path for path in sources(repository) if not path.endswith("/__init__.py"))
    counts = Counter(path.rpartition("/")[0] for path in modules)
    assert larger(counts, MOST_MODULES) == LARGER_FOLDERS


def test_no_module_is_longer_than_a_reader_takes_in(repository: Path) -> None:
    lines = {path: len((repository / path).read_text().splitlines()) for path in sources(repository)}
    assert larger(lines, MOST_LINES) == LONGER_MODULES


def test_the_packages_hold_no_more_modules_and_lines_than_before(repository: Path) -> None:
    lines = [len((repository / path).read_text().splitlines()) for path in sources(repository)]
    for what, now, most in (("modules", len(lines), MODULES_IN_ALL), ("lines", sum(lines), LINES_IN_ALL)):
        rule = "write less nearby; only a feature raises the number, and its commit says so"
        assert now <= most, f"src has {now - most} {what} more than {what.upper()}_IN_ALL allows: {rule}"


def test_most_data_classes_never_change(repository: Path) -> None:
    kinds = Counter(
        kind for path in sources(repository) for kind in data_classes((repository / path).read_text())
    )
    assert kinds["frozen"] >= FROZEN * kinds.total()


def data_classes(text: str) -> Iterator[str]:
    """Yield ``frozen`` or ``define`` for each class of attrs in a module."""
    for node in ast.walk(ast.parse(text)):
        for each in node.decorator_list if isinstance(node, ast.ClassDef) else ():
            name = each.func if isinstance(each, ast.Call) else each
            if isinstance(name, ast.Name) and name.id in {"frozen", "define"}:
                yield name.id


def sources(repository: Path) -> list[str]:
    """Return the modules of the packages, relative to the repository."""
    return sorted(path.relative_to(repository).as_posix() for path in (repository / "src").rglob("*.py"))


def larger(sizes: Mapping[str, int], limit: int) -> dict[str, int]:
    """Return the entries that exceed a limit."""
    return {name: size for name, size in sizes.items() if size > limit}
