"""Compile the prompt templates beside this file into a data module of the core.

``python prompts/build.py`` writes ``src/genui_core/built/prompts.py``;
``python prompts/build.py --check`` writes nothing and exits with 1 when that file is stale.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
TARGET: Final = HERE.parent / "src" / "genui_core" / "built" / "prompts.py"
SET_ID: Final = "mcp-gen-ui"
_HEADER: Final = re.compile(r"\{\{! id: (?P<id>[a-z]+); version: (?P<version>[1-9][0-9]*) \}\}\n")


def main(arguments: list[str] | None = None) -> int:
    """Write the data module, or check it; return the exit status."""
    parser = argparse.ArgumentParser(description="Compile the prompts into genui_core/built/prompts.py.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 when the file is stale"
    )
    wanted = module_text(read_templates(HERE))
    if parser.parse_args(arguments).check:
        return _check(wanted)
    TARGET.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


def _check(wanted: str) -> int:
    """Say whether the committed file is the wanted one."""
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write(f"{TARGET.name} is stale: run `python prompts/build.py`.\n")
    return 1


def read_templates(directory: Path) -> dict[str, str]:
    """Return the templates of a directory by name, in the order of their names."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(directory.glob("*.mustache"))}


def set_version(templates: Mapping[str, str]) -> str:
    """Return the version of the whole set, which rises by one with each version raised in a header."""
    return str(1 + sum(_version(name, text) - 1 for name, text in templates.items()))


def _version(name: str, text: str) -> int:
    """Read the version out of a template's header.

    Raises:
        ValueError: the header is missing, or names another template.
    """
    header = _HEADER.match(text)
    if header is None or header["id"] != name:
        raise ValueError(f"{name}.mustache must begin with {{{{! id: {name}; version: N }}}}")
    return int(header["version"])


def set_hash(templates: Mapping[str, str]) -> str:
    """Return the SHA-256 over every name and every text, as hexadecimal digits."""
    whole = json.dumps(templates, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(whole.encode()).hexdigest()


def module_text(templates: Mapping[str, str]) -> str:
    """Return the source of the data module."""
    entries = "".join(f"    {name!r}: (\n{_literal(text)}    ),\n" for name, text in templates.items())
    return (
        '"""The default prompts. Written by prompts/build.py from prompts/*.mustache: change those, not this."""\n\n'
        "from collections.abc import Mapping\n"
        "from typing import Final\n\n"
        f"PROMPT_SET_ID: Final[str] = {SET_ID!r}\n"
        f"PROMPT_SET_VERSION: Final[str] = {set_version(templates)!r}\n"
        f"PROMPT_SET_HASH: Final[str] = {set_hash(templates)!r}\n"
        f"TEMPLATES: Final[Mapping[str, str]] = {{\n{entries}}}\n"
    )


def _literal(text: str) -> str:
    """Write a text as one string literal a line."""
    return "".join(f"        {line!r}\n" for line in text.splitlines(keepends=True))


if __name__ == "__main__":
    sys.exit(main())
