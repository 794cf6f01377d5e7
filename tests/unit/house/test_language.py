"""Prose is plain English: phrases of `banned.tsv` become fewer and never more.

`banned_counts.tsv` records how often each phrase still stands in each folder. A new occurrence fails with
the words to use instead. A count that has fallen fails too, until it is recorded:

    UPDATE_LANGUAGE=1 pytest tests/unit/house/test_language.py

The update lowers counts and never raises one. It counts everything when `banned_counts.tsv` does not exist.
"""

import ast
import functools
import io
import os
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from pygments.lexer import Lexer
from pygments.lexers import CssLexer, HtmlLexer, JavascriptLexer, TOMLLexer
from pygments.token import Comment, String, Text, _TokenType

HERE = Path(__file__).parent
BANNED, COUNTS = HERE / "banned.tsv", HERE / "banned_counts.tsv"
UPDATE = "UPDATE_LANGUAGE=1 pytest tests/unit/house/test_language.py"

PROSE = {".md", ".mustache"}
CODE: Mapping[str, type[Lexer]] = {
    ".js": JavascriptLexer,
    ".mjs": JavascriptLexer,
    ".html": HtmlLexer,
    ".svg": HtmlLexer,
    ".css": CssLexer,
    ".toml": TOMLLexer,
}
NOT_OUR_PROSE = {
    "docs/reference": "generated from docstrings and help texts, which are counted where they are written",
    "src/genui_core/data/kit": "generated from view/, which is counted there",
    "tests/golden": "prompts and pages as the product writes them; their words are counted in their sources",
    "tests/security/benign": "pages as other people write them",
    "tests/system/recordings": "answers of models",
    "tests/written_views": "answers of models",
}
# What has no space and no capital names something: a key, a path, a value on the wire.
A_NAME = re.compile(r"[a-z0-9_.:/*#@{}=-]*")
MARKERS = re.compile(r"^[ \t]*(?:#+:?|//+|/?\*+/?|<!--)|\*/$|-->$", re.MULTILINE)
INLINE_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)[^`]+\1(?!`)")
SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
COMPARES_PICTURES = re.compile(r"preference(?:_\w+)?\.py$|compare-views\.md$")
BETWEEN_WORDS = r"(?:\\[a-z]|[\W_])+"
PICTURES = re.compile(r"\b(?:picture|screenshot|image)s?\b", re.IGNORECASE)

Counts = Mapping[tuple[str, str], int]


class Ban(NamedTuple):
    """A phrase that the project does not use.

    Attributes:
        source: The pattern as `banned.tsv` spells it.
        instead: What to write instead.
        pattern: The pattern, with any white space between its words.
        trace: A cheap pattern for a file in lower case that matches wherever `pattern` matches one of its texts:
            it allows quotes, escapes and comment marks between the words.
    """

    source: str
    instead: str
    pattern: re.Pattern[str]
    trace: re.Pattern[str]


class Piece(NamedTuple):
    """A text that people read, and the line on which it starts."""

    line: int
    text: str


class Hit(NamedTuple):
    """An occurrence of a banned phrase."""

    ban: Ban
    path: Path
    line: int
    found: str

    @property
    def key(self) -> tuple[str, str]:
        """The row that counts it: the folder, at most two levels deep, and the pattern."""
        return "/".join(self.path.parts[:-1][:2]) or ".", self.ban.source

    def __str__(self) -> str:
        return f"  {self.path}:{self.line}: {self.found!r}; write: {self.ban.instead}"


@pytest.fixture(scope="module")
def hits(repository: Path, project_files: list[Path]) -> list[Hit]:
    """Every occurrence in the repository."""
    return [hit for path in project_files if is_read(path) for hit in hits_in(repository, path)]


def test_no_folder_says_a_banned_phrase_more_often_than_before(hits: list[Hit]) -> None:
    counts = Counter(hit.key for hit in hits)
    before = read_counts(COUNTS) if COUNTS.exists() else counts
    if os.environ.get("UPDATE_LANGUAGE"):
        write_counts(COUNTS, {key: min(count, before.get(key, 0)) for key, count in counts.items()})
    if risen := [hit for hit in hits if counts[hit.key] > before.get(hit.key, 0)]:
        pytest.fail(explanation(risen, counts, before), pytrace=False)


def test_a_count_that_has_fallen_is_recorded(hits: list[Hit]) -> None:
    counts = Counter(hit.key for hit in hits)
    fallen = [key for key, count in read_counts(COUNTS).items() if counts[key] < count]
    if fallen:
        pytest.fail(f"{len(fallen)} counts have fallen. Record them: {UPDATE}", pytrace=False)


def test_every_excluded_folder_exists(repository: Path) -> None:
    assert [folder for folder in NOT_OUR_PROSE if not (repository / folder).is_dir()] == []


def test_counts_name_only_phrases_of_the_list() -> None:
    assert {source for _, source in read_counts(COUNTS)} <= {ban.source for ban in bans()}


@pytest.mark.parametrize(
    ("name", "source", "lines"),
    [
        ("a.py", '"""A big\nbanana."""', [1]),
        ("a.py", "x = 1  # one banana", [1]),
        ("a.py", "# a big\n# banana", [1]),
        ("a.py", "raise ValueError(f'no banana for {name}')", [1]),
        ("a.py", "import banana\nbanana.banana(banana='x')", []),
        ("a.py", "x = f'{banana}'", []),
        ("a.py", "x = {'banana': 'a/banana.py'}", []),
        ("a.py", "label = 'Banana'", [1]),
        ("a.py", '"""See `banana` and ``banana()``."""', []),
        ("a.md", "# Title\n\nOne\nbanana.", [4]),
        ("a.md", "Write `banana: 1`.", []),
        ("a.md", "```sh\n# a banana\n```", [2]),
        ("a.js", "// a banana\nbanana(); /* one\n * banana */", [1, 3]),
        ("a.js", "const a = `no banana ${banana}`; const b = 'Banana';", [1, 1]),
        ("a.js", "const a = /banana '/; const banana = 'banana';", []),
        ("a.html", "<p>\na banana</p><!-- a banana --><p class='banana'>", [2, 2]),
        ("a.html", "<script>\nbanana('a banana');</script>", [2]),
        ("a.css", "/* a banana */ .banana { color: red }", [1]),
        ("a.toml", "banana = 1  # a banana", [1]),
    ],
)
def test_prose_is_read_and_code_is_not(tmp_path: Path, name: str, source: str, lines: list[int]) -> None:
    (tmp_path / name).write_text(source)
    banned = [ban_of(r"\b(big )?banana\b", "apple")]
    assert [hit.line for hit in hits_in(tmp_path, Path(name), banned)] == lines


def test_people_and_models_may_judge_pictures(tmp_path: Path) -> None:
    words = "A model {0}s each\nscreenshot. People {0} pages.".format("judge")
    for name in ("a.md", "compare-views.md"):
        (tmp_path / name).write_text(words)
    assert [hit.line for hit in hits_in(tmp_path, Path("a.md"))] == [2]
    assert not list(hits_in(tmp_path, Path("compare-views.md")))


def test_the_message_names_the_line_and_the_words_to_use(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One\nbanana.")
    risen = list(hits_in(tmp_path, Path("a.md"), [ban_of(r"\bbanana\b", "apple")]))
    told = explanation(risen, Counter(hit.key for hit in risen), {})
    assert "a.md:2: 'banana'; write: apple" in told
    assert r"\bbanana\b: 1 in ., at most 0" in told


def test_the_lower_of_two_counts_after_a_merge_holds(tmp_path: Path) -> None:
    table = tmp_path / "counts.tsv"
    table.write_text("src\tx\t3\nsrc\tx\t2\ndocs\tx\t1\n")
    assert read_counts(table) == {("src", "x"): 2, ("docs", "x"): 1}


def is_read(path: Path) -> bool:
    """Return whether a file holds prose of this project."""
    ours = not any(path.as_posix().startswith(f"{folder}/") for folder in NOT_OUR_PROSE)
    return ours and path.suffix in {".py", *PROSE, *CODE}


@functools.cache
def bans() -> Sequence[Ban]:
    """Return the banned phrases."""
    lines = BANNED.read_text().splitlines()
    return [ban_of(*line.split("\t")) for line in lines if line and not line.startswith("# ")]


def ban_of(source: str, instead: str) -> Ban:
    """Return a ban whose phrase may run over the end of a line."""
    trace = re.sub("[ ']", lambda _: BETWEEN_WORDS, source.replace(r"\b", ""))
    return Ban(source, instead, re.compile(source.replace(" ", r"\s+"), re.IGNORECASE), re.compile(trace))


def hits_in(repository: Path, path: Path, banned: Sequence[Ban] = ()) -> Iterator[Hit]:
    """Yield the occurrences in one file."""
    source = (repository / path).read_text(encoding="utf-8")
    in_lower_case = source.lower()
    wanted = [ban for ban in banned or bans() if ban.trace.search(in_lower_case)]
    if not wanted:
        return  # to read a source piece by piece takes long, and few have any trace
    for piece in pieces(path.suffix, source):
        text = INLINE_CODE.sub(lambda code: "\n" * code[0].count("\n"), piece.text)
        for ban in wanted:
            for found in ban.pattern.finditer(text):
                if not is_about_pictures(ban, path, text, found):
                    line = piece.line + text.count("\n", 0, found.start())
                    yield Hit(ban, path, line, " ".join(found[0].split()))


def is_about_pictures(ban: Ban, path: Path, text: str, found: re.Match[str]) -> bool:
    """Return whether a hit of "judge" is about pictures, which people and models may judge."""
    if "judg" not in ban.source:
        return False
    if COMPARES_PICTURES.search(path.name):
        return True
    start = max((end.end() for end in SENTENCE_END.finditer(text, 0, found.start())), default=0)
    end = SENTENCE_END.search(text, found.end())
    return PICTURES.search(text, start, end.start() if end else len(text)) is not None


def pieces(suffix: str, source: str) -> Iterator[Piece]:
    """Yield the texts of a file that people read."""
    if suffix == ".py":
        yield from joined(python_comments(source))
        yield from python_strings(source)
    elif suffix in CODE:
        yield from joined(lexed(CODE[suffix], source))
    else:
        yield Piece(1, source)


def python_comments(source: str) -> Iterator[Piece]:
    """Yield the comments of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Piece(token.start[0], MARKERS.sub("", token.string))


def python_strings(source: str) -> Iterator[Piece]:
    """Yield the docstrings and string literals of a module, without the code inside f-strings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_prose(node.value):
            yield Piece(node.lineno, node.value)


def lexed(lexer: type[Lexer], source: str) -> Iterator[Piece]:
    """Yield comments, string literals and the text between tags."""
    line = 1
    for kind, text in lexer(stripnl=False, ensurenl=False).get_tokens(source):
        if kind in Comment and kind is not Comment.Preproc:
            yield Piece(line, MARKERS.sub("", text))
        elif is_text(kind, text):
            yield Piece(line, text)
        line += text.count("\n")


def is_text(kind: _TokenType, text: str) -> bool:
    """Whether a token is a string literal or a text between tags that says more than a name."""
    literal = kind in String and kind not in String.Regex and kind not in String.Interpol
    return (literal and is_prose(text.strip("\"'`"))) or (kind is Text and not text.isspace())


def is_prose(text: str) -> bool:
    """Whether a string says more than a name."""
    return A_NAME.fullmatch(text) is None


def joined(found: Iterable[Piece]) -> Iterator[Piece]:
    """Join pieces on consecutive lines, so that a phrase may run from one to the next."""
    held: Piece | None = None
    for piece in found:
        if held and piece.line == held.line + held.text.count("\n") + 1:
            held = Piece(held.line, f"{held.text}\n{piece.text}")
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held


def read_counts(path: Path) -> dict[tuple[str, str], int]:
    """Return how often each phrase may stand in each folder."""
    counts: dict[tuple[str, str], int] = {}
    for line in path.read_text().splitlines():
        folder, source, count = line.split("\t")
        counts[folder, source] = min(int(count), counts.get((folder, source), int(count)))
    return counts


def write_counts(path: Path, counts: Counts) -> None:
    """Write a line for each folder and phrase that stands there."""
    lines = (f"{folder}\t{source}\t{count}\n" for (folder, source), count in sorted(counts.items()) if count)
    path.write_text("".join(lines))


def explanation(risen: Sequence[Hit], counts: Counts, before: Counts) -> str:
    """Return a message with the words to use and every place that may be the new one."""
    told = ["Prose says what tests/unit/house/banned.tsv bans. One of these places is new:"]
    for key in dict.fromkeys(hit.key for hit in risen):
        folder, source = key
        told.append(f"{source}: {counts[key]} in {folder}, at most {before.get(key, 0)}")
        told += [str(hit) for hit in risen if hit.key == key]
    return "\n".join(told)
