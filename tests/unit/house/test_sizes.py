"""Folders and modules stay small enough to be read at once, and imports go one way.

What is larger than the limit today is listed with its size, which may only fall.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

MOST_MODULES = 16
MOST_LINES = 350
LARGER_FOLDERS = {
    "src/genui_adapters/host": 32,
    "src/genui_adapters/llm": 19,
    "src/genui_adapters/upstream": 21,
    "src/genui_cli": 26,
    "src/genui_cli/preview": 17,
    "src/genui_core/application": 40,
    "src/genui_core/domain/validation/script": 25,
    "src/genui_core/testing": 23,
}
LONGER_MODULES = {
    "src/genui_core/application/generation/generator.py": 354,
    "src/genui_core/application/wrapper.py": 454,
}

IN_CYCLES = {
    "genui_core.application.request_router",
    "genui_core.application.served_views",
    "genui_core.domain.session.relay",
    "genui_core.domain.session.relay_decisions",
    "genui_core.domain.session.relay_host_side",
    "genui_core.domain.session.relay_upstream_side",
}


def test_no_folder_holds_more_modules_than_a_reader_keeps_in_mind(repository: Path) -> None:
    modules = (path for path in sources(repository) if not path.endswith("/__init__.py"))
    counts = Counter(path.rpartition("/")[0] for path in modules)
    assert larger(counts, MOST_MODULES) == LARGER_FOLDERS


def test_no_module_is_longer_than_a_reader_takes_in(repository: Path) -> None:
    lines = {path: len((repository / path).read_text().splitlines()) for path in sources(repository)}
    assert larger(lines, MOST_LINES) == LONGER_MODULES


def test_no_module_imports_itself_through_others(repository: Path) -> None:
    paths = {module_of(path): repository / path for path in sources(repository)}
    imports = {module: {*imported_by(path, {*paths})} & paths.keys() for module, path in paths.items()}
    assert {module for module in paths if module in reached_from(module, imports)} == IN_CYCLES


def module_of(path: str) -> str:
    """Return the name of the module in a file."""
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported_by(path: Path, modules: set[str]) -> Iterator[str]:
    """Yield what a module imports anywhere in it, for its types too: modules of packages, or what holds a name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = [f"{node.module}.{each.name}" for each in node.names]
            yield from (each if each in modules else node.module for each in inner)


def reached_from(module: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Return the modules that a module imports, itself or through others."""
    reached: set[str] = set()
    waiting = [*imports[module]]
    while waiting:
        found = waiting.pop()
        if found not in reached:
            reached.add(found)
            waiting.extend(imports[found])
    return reached


def sources(repository: Path) -> list[str]:
    """Return the modules of the packages, relative to the repository."""
    return sorted(path.relative_to(repository).as_posix() for path in (repository / "src").rglob("*.py"))


def larger(sizes: Mapping[str, int], limit: int) -> dict[str, int]:
    """Return what exceeds a limit."""
    return {name: size for name, size in sizes.items() if size > limit}
