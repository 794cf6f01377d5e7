"""Describes a text in a result by its format and the shape of its lines, without its values.

A word may be a name or a value ("Summary" or a person's name). It reaches a prompt only if the tool's
definition or the vocabulary below has it.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS

COLUMNS: Final = "columns"
"""The key of a text's shape for the names of its columns."""
LINES: Final = "lines"
"""The key of a text's shape for its different lines, as `line_shape` returns them."""
BUILT: Final = "built"
"""The key of a short text's shape for its different forms, as `line_shape` returns them."""
STATES: Final = "one of"
"""The key of a short text's shape for the texts themselves, if all texts are one of a few states."""
KINDS: Final = "kinds"
"""The key of a short text's shape for the number of its states, in prompts that may not name them."""
MOST_LINE_SHAPES: Final = 10
MOST_COLUMNS: Final = 24
_MOST_CHARACTERS = 50_000
_MOST_JSON_CHARACTERS = 500_000
_MOST_LINES = 400
_FEWEST_ROWS = 3
_MAX_CELLS = 60
_MOST_ROWS_COMPARED = 20
_MAX_LINE = 120
_SHORT_WORD = 3

_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_LABEL = re.compile(
    r"^[ \t>]*(?:[-*+•] +|\d+[.)] +)?(?:\*\*|__)?(?P<name>[^\W\d_][^\n:*|#<>{}()\"'/\\]{0,38}?)(?:\*\*|__)? ?:"
    r"(?:\*\*|__)?(?=[ \t]+\S)",
    re.MULTILINE,
)
_ROW = re.compile(r"^[ \t]*\|.+\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*$", re.MULTILINE)
_HUNK = re.compile(r"^(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|diff --git )", re.MULTILINE)
_FORMATTED = re.compile(
    r"^(?:```|[-*+] \S.*\n[-*+] \S|1\. \S.*\n2\. \S)|\*\*\S[^*\n]{0,200}\*\*", re.MULTILINE
)
_ENTRY = re.compile(
    r"^\W{0,2}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b)"
)
_TYPED = re.compile(r"\b[A-Z]\w{0,30}\('[^'\\]*'\)|\b(?:datetime\.)?date(?:time)?\([\d, ]+\)")
"""A value that Python prints with its type: a decimal, a date."""
_WARNED_ESCAPE = re.compile(r"\\[^\\'\"abfnrtvxuUN0-7\n]")
_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(?P<inside>.*)\n```\Z", re.DOTALL)
_WITHIN = re.compile(r"^(?:[^\n{}\[\]]{0,80}: *)?(?=[{\[])", re.MULTILINE)
_LINE_ENDS = re.compile(r"\n+")
_MOST_STARTS = 5

_LINE_CHARACTERS = 100
_MAX_LINES_CHARACTERS = 400
_SAID_BY_FORMAT = ("csv", "diff", "html", "json", "python", "svg", "text with json", "xml")
"""The formats for which the shapes of the lines add nothing."""
_TOKEN = re.compile(
    r"(?P<before>[-*•+#>|({\[<\"'`]*)(?:(?P<number>[+-]?\d+(?:[.,]+\d+)*%?)|(?P<link>https?://)\S*?"
    r"|\S*[^\s.]\.(?P<kind>css|csv|docx|gif|html|jpg|js|json|md|pdf|png|pptx|py|sql|svg|toml|ts|txt|xlsx|xml|yaml)"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*))?(?P<after>[]:,;.!?)}>\"'`|*]*)"
)
_WORD = re.compile(r"(?<!…\.)\b[^\W\d_]+(?:['-][^\W\d_]+)*\b(?!://)")
_FIELD_WORDS = """
    a about account action active activity actual added address age all amount an and answer api app area
    argument article at attribute author available average balance body branch build by calculation call category
    cell change chapter character city class code column comment commit company component condition config
    configuration connection contact contain content context cost count country coverage created creation current
    customer data database date day default deleted dependency deployment description detail device difference
    direction distance document domain duration email end endpoint entry environment error estimate event example
    executed expected expression feature field file filter first folder for format forecast found framework from
    function general group header health height high history host hour how humidity id identifier image impact
    important in index info information input installation instruction instruments integration interval introduction
    invoice is issue item job key kind label language last latest latitude length level limit line link list
    location log longitude low main maximum max mean median member memory message metadata method metric minimum min
    minute mode model modified module month name network next node note notice number object of on open operation
    option order organization origin other output overview owner package page parameter parent part password path
    pattern payment percent percentage performance period phase phone plan point policy port position prerequisite
    present preview price priority problem process product profile progress project property provider purpose
    quality quantity query question rank rate rating ratio read reason recommendation record reference region
    related relationship release repository request required requirement resource response result return review
    role row rule run sample schedule schema score search second section security sender sequence series server
    service session setting severity shape sheet size snapshot source speed stack standard start state statistic
    status step storage street structure subject suggestion sum summary support symbol syntax system table tag
    target task team temperature test text threshold time timestamp timezone title to token tool topic total trend
    type unit update updated uri url usage use used user validation value variable version view warning weather
    week weight width wind with word workflow working write year zone
"""
_STATES_OF_THINGS = """
    accepted active approved archived available blocked busy canceled cancelled closed complete completed connected
    critical danger debug degraded deleted deprecated disabled disconnected done down draft enabled error expired
    failed failure fatal finished full good healthy high idle in inactive info invalid late locked low major medium
    merged minor missing new no none normal off offline ok on online open optional overdue paid partial passed paused
    pending private progress public published queued ready rejected required resolved running scheduled sent skipped
    started stopped success succeeded successful supported todo unavailable unhealthy unknown unpaid unread unstable
    up valid verified waiting warn warning yes
"""


def text_shape(text: str, shape_of: Callable[[object], Mapping[str, object]]) -> dict[str, object]:
    """Return a JSON Schema for a text, with its format and the names of its parts.

    It has the ``type``, the length, the ``format`` of a structured text, and ``contentSchema`` or `COLUMNS`
    for data or `LINES` for other texts. ``shape_of`` returns the shape of a JSON value inside the text.
    """
    whole = text.strip()
    head = "\n".join(whole[:_MOST_CHARACTERS].replace("\r\n", "\n").split("\n")[:_MOST_LINES])
    lines = [each for each in head.split("\n") if each.strip()]
    found = (
        (len(whole) <= _MOST_JSON_CHARACTERS and _json(whole, shape_of))
        or _python(whole, shape_of)
        or _markup(head)
        or _table(lines)
        or _log(lines)
        or _formatted(head, lines)
    )
    shape = {"type": "string", "maxLength": len(text), **found}
    if shape.get("format") in _SAID_BY_FORMAT:
        return shape
    shapes = list(dict.fromkeys(map(line_shape, lines)))
    return {**shape, LINES: shapes[:MOST_LINE_SHAPES]} if shapes else shape


def line_shape(line: str) -> str:
    """Return a line as its words and marks, with `0` for each number and `…` for other values."""
    return _closed(" ".join(map(_token_shape, line[:_LINE_CHARACTERS].split())))


def _token_shape(token: str) -> str:
    """Return a token of a line as its word and marks; all other characters are a value."""
    read = _TOKEN.fullmatch(token)
    if read is None:
        return "…:" if token.endswith(":") else "…"
    if read["kind"] is not None:
        inside = f"….{read['kind']}"
    elif read["number"]:
        inside = "0%" if read["number"].endswith("%") else "0"
    else:
        inside = f"{read['link']}…" if read["link"] else read["word"] or ""
    return f"{read['before']}{inside}{read['after']}"


def _closed(line: str) -> str:
    """Return a line with one `…` for several values in a row."""
    return re.sub(r"…(?: …)+", "…", line)


def safe_shape(shape: object, definition: str) -> object:
    """Return a learned shape for a prompt, without names that may be values and are not in a definition."""
    known = frozenset(_words(definition))
    return _without_values(shape, lambda name: _is_known(name, known))


def _without_values(shape: object, is_known: Callable[[str], bool]) -> object:
    if isinstance(shape, list):
        return [_without_values(each, is_known) for each in shape]
    if not isinstance(shape, Mapping):
        return shape
    kept: dict[str, object] = {}
    for key, value in shape.items():
        if key == STATES and isinstance(value, list):
            may_be_named = all(_STATE_WORDS.issuperset(_words(str(each))) for each in value)
            kept.update({STATES: value} if may_be_named else {KINDS: len(value)})
        elif key == COLUMNS and isinstance(value, list):
            if columns := [each for each in value if is_known(str(each))]:
                kept[key] = columns
        elif key in (BUILT, LINES) and isinstance(value, list):
            if lines := _lines_without_values(value, is_known):
                kept[key] = lines
        else:
            kept[key] = _without_values(value, is_known)
    return kept


def _lines_without_values(lines: list[object], is_known: Callable[[str], bool]) -> list[str]:
    """Return the first lines that have known words, with `…` for each word that may be a value."""
    kept: dict[str, None] = {}
    for line in map(str, lines):
        words = _closed(_WORD.sub(lambda word: word[0] if is_known(word[0]) else "…", line))
        if sum(map(len, kept)) + len(words) <= _MAX_LINES_CHARACTERS and re.search(r"\w", words):
            kept[words] = None
    return list(kept)


def _is_known(name: str, known: frozenset[str]) -> bool:
    words = _words(name)
    return bool(words) and all(each in known or each in _VOCABULARY for each in words)


def _words(text: str) -> list[str]:
    """Return the words of a text in the singular; a number is a word that the vocabulary lacks."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [_singular(each) for each in re.findall(r"[^\W_]+", apart.lower())]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s") if len(word) > _SHORT_WORD and not word.endswith("ss") else word


_VOCABULARY: Final = frozenset(map(_singular, _FIELD_WORDS.split()))
_STATE_WORDS: Final = frozenset(map(_singular, _STATES_OF_THINGS.split()))


def _json(text: str, shape_of: Callable[[object], Mapping[str, object]]) -> dict[str, object] | None:
    fenced = _FENCE.match(text)
    inside = text if fenced is None else fenced["inside"].strip()
    value = _value_in(inside) if inside[:1] in ("{", "[") else None
    if value is not None:
        return {"format": "json", "contentSchema": shape_of(value)}
    within = _value_within(text)
    return None if within is None else {"format": "text with json", "contentSchema": shape_of(within)}


def _value_in(text: str) -> object:
    """Return the JSON object or list in a text; several objects, one a line, are a list."""
    try:
        value: object = json.loads(text)
    except PARSE_DEPTH_ERRORS:
        value = None
    if value is None and text.startswith("{") and "\n{" in text:
        return _value_in("[" + _LINE_ENDS.sub(",", text) + "]")
    return value if isinstance(value, dict | list) and value else None


def _value_within(text: str) -> object:
    """Return the JSON object or list that makes up at least half of a text."""
    decoder = json.JSONDecoder()
    for start in list(_WITHIN.finditer(text[:_MOST_CHARACTERS]))[:_MOST_STARTS]:
        try:
            value, end = decoder.raw_decode(text, start.end())
        except PARSE_DEPTH_ERRORS:
            continue
        if value and isinstance(value, dict | list) and 2 * (end - start.end()) >= len(text):
            return value
    return None


def _python(text: str, shape_of: Callable[[object], Mapping[str, object]]) -> dict[str, object] | None:
    """Return the shape of the list, tuple or dict that Python printed; of a long list, its first rows."""
    if len(text) > _MOST_CHARACTERS:
        text = text[: max(text.rfind(end, 0, _MOST_CHARACTERS) for end in ("},", "),")) + 1] + "]"
    if text[:1] not in ("[", "{", "(") or _WARNED_ESCAPE.search(text):
        return None
    try:
        value = json.loads(json.dumps(ast.literal_eval(_TYPED.sub("'0'", text)), default=str))
    except (*PARSE_DEPTH_ERRORS, SyntaxError, TypeError, MemoryError):
        return None
    is_data = value and isinstance(value, dict | list)
    return {"format": "python", "contentSchema": shape_of(value)} if is_data else None


def _markup(text: str) -> dict[str, object] | None:
    start = text[:200].lower()
    if _HUNK.search(text):
        return {"format": "diff"}
    if start.startswith(("<svg", "<?xml")):
        return {"format": "svg" if "<svg" in start else "xml"}
    if re.match(r"<(?:!doctype|html|table|h[1-6]|p|ul|ol|div)\b", start):
        return {"format": "html"}
    rule = _RULE.search(text)
    if rule is not None and _ROW.search(text, 0, rule.start()):
        return {"format": "markdown", "parts": ["table"]}
    return None


def _table(lines: list[str]) -> dict[str, object] | None:
    for mark in ("\t", ",", ";", "|"):
        counts = {each.count(mark) for each in lines[:_MOST_ROWS_COMPARED]}
        is_grid = len(counts) == 1 and 0 < counts.pop() < _MAX_CELLS
        if is_grid and len(lines) >= _FEWEST_ROWS and _is_head(lines[0], mark):
            columns = dict.fromkeys(each.strip(' \t"') for each in lines[0].split(mark))
            return {"format": "csv", COLUMNS: list(columns)[:MOST_COLUMNS]}
    return None


def _is_head(line: str, mark: str) -> bool:
    """Whether the cells of a line are short words, as the names of columns are."""
    cells = line.split(mark)
    return len(set(cells)) == len(cells) and all(
        re.fullmatch(r"\s*\"?[^\W\d][\w ./()%°-]{0,40}\"?\s*", each) for each in cells
    )


def _log(lines: list[str]) -> dict[str, object] | None:
    entries = sum(1 for each in lines if _ENTRY.match(each))
    return {"format": "log"} if entries >= _FEWEST_ROWS and 2 * entries >= len(lines) else None


def _formatted(text: str, lines: list[str]) -> dict[str, object]:
    if _HEADING.search(text) or _FORMATTED.search(text):
        return {"format": "markdown"}
    if len({each["name"] for each in _LABEL.finditer(text)}) >= _FEWEST_ROWS:
        return {"format": "fields"}
    is_list = len(lines) >= _FEWEST_ROWS and all(len(each) <= _MAX_LINE for each in lines)
    return {"format": "lines"} if is_list else {}
