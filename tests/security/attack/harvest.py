"""Reads attack strings from the tests and lists of published packages, as text, without running them."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import tree_sitter
import tree_sitter_javascript
from attack.sources import (
    BLNS,
    BRS_KB,
    HTML5LIB,
    HTML_SANITIZER,
    JUSTHTML,
    SANITIZE_HTML,
    SANITIZE_URL,
    fetched,
)

_MARKUP: Final = re.compile(r"<[a-zA-Z!/?]")
_ENCODED_MARKUP: Final = re.compile(r"<[a-zA-Z!/?]|%3c|&lt;", re.IGNORECASE)
_CODE_ADDRESS: Final = re.compile(r"\s*(?:(?:java|vb)?script|data):", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"script|data:|^[a-z&\\x-]+:")
_JAVASCRIPT: Final = tree_sitter.Language(tree_sitter_javascript.language())


def markup_strings() -> list[str]:
    """Return strings that attack where markup is expected."""
    return _distinct(_all_markup())


def parser_cases() -> list[str]:
    """Return odd markup from the tests of parsers, where readers disagree most."""
    files = sorted(fetched(HTML5LIB).glob("*/html5lib/tests/testdata/tree-construction/*.dat"))
    return _distinct(case for each in files for case in _cases_in(each.read_text("utf8", "replace")))


def addresses() -> list[str]:
    """Return strings that attack where an address is expected."""
    listed = (text for text in _listed_payloads() if not _ENCODED_MARKUP.search(text))
    files = sorted(fetched(SANITIZE_URL).glob("**/src/__tests__/*.ts"))
    tested = (text for each in files for text in _strings_of_javascript(each) if _ADDRESS.search(text))
    return _distinct([*(each for each in listed if _CODE_ADDRESS.match(each)), *tested])


def scripts() -> list[str]:
    """Return strings that attack where a script is expected."""
    listed = (text for text in _listed_payloads() if not _ENCODED_MARKUP.search(text))
    return _distinct(each for each in listed if not _CODE_ADDRESS.match(each))


def _all_markup() -> Iterator[str]:
    for each in fetched(JUSTHTML).glob("*/tests/justhtml-sanitize-tests/cases.json"):
        yield from (case["input_html"] for case in json.loads(each.read_text("utf8")))
    for each in sorted(fetched(JUSTHTML).glob("*/tests/test_sanitize*.py")):
        yield from _strings_of_python(each)
    for each in fetched(HTML_SANITIZER).glob("*/html_sanitizer/tests.py"):
        yield from _strings_of_python(each)
    for each in fetched(HTML5LIB).glob("*/html5lib/tests/sanitizer-testdata/*.dat"):
        yield from (case["input"] for case in json.loads(each.read_text("utf8")))
    yield from (text for text in _listed_payloads() if _ENCODED_MARKUP.search(text))
    for each in fetched(BLNS).glob("**/blns.json"):
        yield from (text for text in json.loads(each.read_text("utf8")) if _MARKUP.search(text))
    for each in fetched(SANITIZE_HTML).glob("**/test/test.js"):
        yield from (text for text in _strings_of_javascript(each) if _MARKUP.search(text))


def _listed_payloads() -> Iterator[str]:
    for each in sorted(fetched(BRS_KB).glob("brs_kb/payloads/**/*.py")):
        for node in ast.walk(ast.parse(each.read_text("utf8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "PayloadEntry":
                given = {keyword.arg: keyword.value for keyword in node.keywords}.get("payload")
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield given.value


def _cases_in(text: str) -> Iterator[str]:
    for block in re.split(r"(?:^|\n\n)#data\n", text)[1:]:
        yield block.split("\n#errors")[0]


def _strings_of_python(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _MARKUP.search(node.value):
            yield node.value


def _strings_of_javascript(file: Path) -> Iterator[str]:
    waiting = [tree_sitter.Parser(_JAVASCRIPT).parse(file.read_bytes()).root_node]
    while waiting:
        node = waiting.pop()
        if node.type == "string":
            yield _meant(node.text.decode("utf8", "replace"))
        elif node.type == "template_string" and b"${" not in node.text:
            yield node.text.decode("utf8", "replace")[1:-1]
        else:
            waiting.extend(node.children)


def _meant(written: str) -> str:
    """Return the string that a literal means; JavaScript and Python agree on the escapes in these files."""
    try:
        return ast.literal_eval(written)
    except (SyntaxError, ValueError):
        return written[1:-1]


def _distinct(texts: Iterator[str] | list[str]) -> list[str]:
    whole = (each.encode("utf8", "replace").decode("utf8") for each in texts)
    return list(dict.fromkeys(each for each in whole if each.strip()))
