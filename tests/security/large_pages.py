"""Views of about 30 KB, the length of the longest rich views, made of benign documents and written views."""

import re
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent.parent
BENIGN: Final = TESTS / "security" / "benign"
FRAGMENTS: Final = TESTS / "written_views" / "fragments"
CHARACTERS: Final = 28_000
_IMPORT: Final = re.compile(r"^\s*import .*$", re.MULTILINE)
_BLOCKS: Final = re.compile(r"<(script|style)[^>]*>.*?</\1>", re.DOTALL)


def large_document(characters: int = CHARACTERS) -> str:
    """Return one document with the markup, styles and scripts of several, each script in a function of its own."""
    styles, bodies, scripts = [], [], []
    for source in _until(characters, _sources(BENIGN)):
        styles.append(_part(source, "style"))
        bodies.append(_BLOCKS.sub("", _part(source, "body")))
        scripts.append(f"(async () => {{{_IMPORT.sub('', _part(source, 'script'))}\n}})();")
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Many</title>'
        f"<style>{''.join(styles)}</style></head><body>{''.join(bodies)}"
        '<script type="module">import { App } from "@modelcontextprotocol/ext-apps";\n'
        f"{chr(10).join(scripts)}</script></body></html>"
    )


def large_fragment(characters: int = CHARACTERS) -> str:
    """Return one fragment with the blocks of several, the written views again and again."""
    styles, templates, scripts = [], [], []
    for number, source in enumerate(_until(characters, _sources(FRAGMENTS) * 100)):
        styles.append(_part(source, "style"))
        templates.append(_part(source, "template"))
        scripts.append(f"const view{number} = (() => {{{_part(source, 'script')}\nreturn render;\n}})();")
    draws = " ".join(f"view{number}(data, ui);" for number in range(len(scripts)))
    scripts.append(f"function render(data, ui) {{ {draws} }}")
    return (
        f"<style>{''.join(styles)}</style>\n<template>{''.join(templates)}</template>\n"
        f"<script>{chr(10).join(scripts)}</script>\n<!--end-->\n"
    )


def _sources(folder: Path) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.html"))]


def _until(characters: int, sources: list[str]) -> list[str]:
    """Return the first sources that are long enough together."""
    taken: list[str] = []
    while sum(map(len, taken)) < characters:
        taken.append(sources[len(taken)])
    return taken


def _part(source: str, name: str) -> str:
    return "\n".join(re.findall(rf"<{name}[^>]*>(.*?)</{name}>", source, re.DOTALL))
