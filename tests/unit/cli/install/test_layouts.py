"""`install` and `--undo` keep every byte of a host's JSON file, however it is laid out."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from genui_cli.install.installing import added, with_unwrapped, with_wrapped, without
from genui_cli.install.json_file import JsonFile
from genui_cli.install.json_parsing import parsed
from genui_cli.install.json_text import JsonText
from genui_cli.install.text_tree import Items, Pairs

US = [sys.executable, "-P", "-m", "genui_cli"]
KEYS = ("mcpServers",)
WORDS = ("--llm", "none")

TABS = '{\n\t"mcpServers": {\n\t\t"git": {\n\t\t\t"command": "uvx",\n\t\t\t"args": ["a"]\n\t\t}\n\t}\n}\n'
FOUR = json.dumps({"a": 1, "mcpServers": {"git": {"command": "uvx", "args": ["a", "b"]}}}, indent=4)
COMMENTED = """\
// what I use
{
  "theme": "dark", // at night
  "mcpServers": {
    /* first */ "git": {
      "command": "uvx", // from its own folder
      "args": [
        // no version
        "mcp-server-git",
        "--repository", // mine
      ],
      "env": { "TOKEN": "canary", }, // secret
    }, // end of git
    // "old": {}
  },
}
"""
LAYOUTS = {
    "compact": '{"mcpServers":{"git":{"command":"uvx","args":["mcp-server-git"]}}}',
    "spaces on one line": '{ "mcpServers" : { "git" : { "command" : "uvx" , "args" : [ "a" , "b" ] } } }\n',
    "tabs": TABS,
    "4 spaces": FOUR,
    "carriage returns": FOUR.replace("\n", "\r\n") + "\r\n",
    "byte order mark": "\ufeff" + TABS,
    "numbers": TABS.replace('"args"', '"timeout": 1e3, "x": 1.0, "y": -0, "z": 1E400, "args"'),
    "escapes": '{"mcpServers":{"git":{"command":"\\u00e9\\/uvx","args":["\\u00e9","\\ud83d\\ude00","\\u0041"]}}}',
    "same text spelled twice": '{"mcpServers":{"git":{"command":"\\u0061","args":["a","\\u0061","a"]}}}',
    "doubled spaces": FOUR.replace(": ", ":   ").replace(",\n", "  ,\n\n"),
    "comments and trailing commas": COMMENTED,
    "comments with carriage returns": COMMENTED.replace("\n", "\r\n"),
    "no arguments": '{"mcpServers":{"git":{"command":"server"}}}',
    "no arguments, over lines": TABS.replace(',\n\t\t\t"args": ["a"]', ""),
    "no arguments, a comment": '{"mcpServers": {"git": {"command": "server" // here\n}}}',
    "no arguments, more members": '{"mcpServers": {"git": {"command": "s",  "env": {}, "disabled": false}}}',
    "empty arguments": '{"mcpServers":{"git":{"command":"server","args":[]}}}',
    "empty arguments with a space": '{"mcpServers":{"git":{"command":"server","args":[ ]}}}',
    "empty arguments with a comment": '{"mcpServers":{"git":{"command":"server","args":[ // none\n]}}}',
    "arguments first": '{"mcpServers":{"git":{"args":["a"],"env":{"A":"b"},"command":"server"}}}',
    "numbers as arguments": '{"mcpServers":{"git":{"command":"server","args":["--port", 8080, 1e3]}}}',
    "dashes as arguments": '{"mcpServers":{"git":{"command":"a","args":["--","--","-e","--"]}}}',
    "a type of the host": '{"mcpServers":{"git":{"type":"local","command":"server","args":["a"]}}}',
    "a URL": '{"mcpServers":{"git":{"url":"https://x/mcp"}}}',
    "a URL over lines": TABS.replace('"command": "uvx"', '"url" : "https:\\/\\/x"').replace("args", "note"),
    "a URL with headers": '{"mcpServers":{"git":{"type":"streamable-http","url":"https://x","headers":'
    '{"A" : "\\u00e9"  , /* b */ "B": "c",},  "env": { }, "timeout": 1e3}}}',
    "a URL of an unknown type": '{"mcpServers":{"git":{"type":"websocket","url":"https://x"}}}',
}
EMPTY = [
    None, "", "\n", "  ", "\r\n\r\n", "\ufeff", "// nothing\n", "// nothing", "/* nothing */",
    "{}", "{}\n", "{ }", "{\n}", "{\n}\n", "{ \n}\n", "{  \n}\n", "{   \n}", "{ // none\n}\n", "\ufeff{}\r\n",
    "  {}", "\t{\n\t}",
    '{"mcpServers":{}}', '{"mcpServers":{ }}', '{"mcpServers":{  }}', '{"mcpServers":{   }}',
    '{\n  "mcpServers": {}\n}\n', '{\n  "mcpServers": {\n  }\n}\n', '{\n  "mcpServers": { \n  }\n}\n',
    '{\n  "mcpServers": {  \n  }\n}', '{\r\n\t"mcpServers": {\r\n\t}\r\n}', '{"mcpServers": {/* none */}}',
    '{"a": 1}', '{"a":1,}', '{"a": 1 , }', '{"a": 1, // c\n}', '{"a": 1 // c\n}', '{"a": 1 /* c */ , // d\n}',
    '{\n  "a": 1\n}\n', '{\n  "a": 1,\n}\n', '{\n  "a": {"b": []}, // c\n\n  // d\n}\n', '{"a": /* c */ 1}',
]  # fmt: skip


def file_of(text):
    """Return a host's file with some text, in memory only."""
    return JsonFile.of(Path("mcp.json"), KEYS, text)


def wrap_and_undo(text, name="git"):
    """Return the file with the server wrapped, and the file after the undo."""
    wrapped = with_wrapped(file_of(text), name, WORDS)
    again = file_of(wrapped.content)
    assert with_wrapped(again, name, WORDS).content == again.content
    return again, with_unwrapped(again, name)


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_wrapped_server_is_put_back_byte_for_byte(text):
    wrapped, back = wrap_and_undo(text)
    assert back.content == text
    entry = wrapped.servers["git"]
    assert [entry["command"], *entry["args"]][: len(US)] == US


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_only_the_entry_of_the_wrapped_server_changes(text):
    wrapped, _ = wrap_and_undo(text)
    before, after = outside_of_entry(text), outside_of_entry(wrapped.content)
    assert before == after


def outside_of_entry(text):
    """Return what stands before and after the entry of git."""
    entry = JsonText.of(text).get(["mcpServers", "git"])
    return text[: entry.start], text[entry.end :]


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_wrapped_server_starts_as_the_host_would_start_it(text):
    before, after = file_of(text).servers["git"], with_wrapped(file_of(text), "git", WORDS).servers["git"]
    if "command" in before:
        assert after["args"][after["args"].index("--") + 1 :] == [before["command"], *before.get("args", [])]
    rest = {"command", "args", "env", "url", "headers", "type"}
    assert {key: after[key] for key in after.keys() - rest} == {
        key: before[key] for key in before.keys() - rest
    }


@pytest.mark.parametrize("text", [*EMPTY, *LAYOUTS.values()])
def test_a_new_server_is_removed_byte_for_byte(text):
    after = added(file_of(text), "new", WORDS, states_type=True)
    assert parsed(after.content) is not None
    assert without(file_of(after.content), "new").content == text


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("text", [*EMPTY, *LAYOUTS.values()])
def test_several_servers_are_removed_in_any_order(text, order):
    file = file_of(text)
    for number in range(3):
        file = added(file_of(file.content), f"new {number}", WORDS, states_type=False)
    assert {*file.servers} == {*file_of(text).servers, "new 0", "new 1", "new 2"}
    for number in order:
        file = without(file_of(file.content), f"new {number}")
    assert file.content == text


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_wraps_and_new_servers_are_undone_in_any_order(text):
    both = added(with_wrapped(file_of(text), "git", WORDS), "new", WORDS, states_type=False)
    assert without(with_unwrapped(both, "git"), "new").content == text
    assert with_unwrapped(without(both, "new"), "git").content == text


BLANK = st.sampled_from(
    ["", "", " ", "  ", "\n", "\r\n", "\n\n  ", "\t", "/* c */", " // c\n", "/**/ /* d */\n"]
)
TEXTS = st.one_of(
    st.sampled_from(["a", "uvx", "--", "é", 'q"', "\\", "// no", "/* no */", "\u2028"]), st.text()
)
SCALARS = st.sampled_from(
    ["1e3", "-0", "1.50", "true", "null", "[]", "{ }", "123456789012345678901234567890"]
)


@st.composite
def strings(draw, values=TEXTS):
    """Return a JSON string with some unnecessary escapes."""
    value = draw(values)
    escaped = draw(st.booleans())
    spelled = json.dumps(value, ensure_ascii=escaped)
    if not escaped and any("\ud800" <= each <= "\udfff" for each in value):
        spelled = json.dumps(value)
    if "\\" not in spelled and draw(st.booleans()):
        return spelled.replace("a", "\\u0061")
    return spelled


@st.composite
def lists(draw, opening, members):
    """Return members in brackets, with white space and comments anywhere, and perhaps a trailing comma."""
    blank = lambda: draw(BLANK)  # noqa: E731
    inside = ",".join(f"{blank()}{each}{blank()}" for each in members)
    last = f",{blank()}" if members and draw(st.booleans()) else ""
    return f"{opening[0]}{inside if members else blank()}{last}{opening[1]}"


@st.composite
def objects(draw, members):
    """Return an object; its members are pairs of a key and a JSON text."""
    blank = lambda: draw(BLANK)  # noqa: E731
    pairs = [f"{json.dumps(key)}{blank()}:{blank()}{value}" for key, value in members.items()]
    return draw(lists("{}", pairs))


@st.composite
def entries(draw):
    """Return an entry that starts a program or is behind a URL."""
    members = {}
    if draw(st.booleans()):
        members["command"] = draw(strings())
        if draw(st.booleans()):
            members["args"] = draw(lists("[]", draw(st.lists(st.one_of(strings(), SCALARS), max_size=3))))
    else:
        members["url"] = draw(strings(st.sampled_from(["https://x/mcp", "http://é"])))
        if draw(st.booleans()):
            members["type"] = draw(strings(st.sampled_from(["http", "sse", "streamable-http", "other"])))
        if draw(st.booleans()):
            headers = draw(st.dictionaries(st.sampled_from(["A", "B"]), strings(), max_size=2))
            members["headers"] = draw(objects(headers))
    if draw(st.booleans()):
        variables = draw(
            st.dictionaries(st.sampled_from(["A", "B-é"]), st.one_of(strings(), SCALARS), max_size=2)
        )
        members["env"] = draw(objects(variables))
    if draw(st.booleans()):
        members["timeout"] = draw(SCALARS)
    keys = draw(st.permutations(list(members)))
    return draw(objects({key: members[key] for key in keys}))


@st.composite
def host_files(draw):
    """Return a file with one to three servers, in any layout."""
    names = draw(st.lists(st.sampled_from(["one", "two", "ü"]), min_size=1, max_size=3, unique=True))
    members = {"mcpServers": draw(objects({name: draw(entries()) for name in names}))}
    if draw(st.booleans()):
        members = {"theme": draw(SCALARS), **members}
    if draw(st.booleans()):
        members["last"] = draw(strings())
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return names, f"{mark}{draw(BLANK)}{draw(objects(members))}{draw(BLANK)}"


@given(host_files(), st.randoms(use_true_random=False))
def test_any_layout_comes_back_after_any_number_of_changes(named, random):
    names, text = named
    file, undone = file_of(text), []
    for name in names:
        file = with_wrapped(file_of(file.content), name, WORDS)
        undone.append((with_unwrapped, name))
    for number in range(2):
        file = added(file_of(file.content), f"new {number}", WORDS, states_type=True)
        undone.append((without, f"new {number}"))
    random.shuffle(undone)
    for undo, name in undone:
        file = undo(file_of(file.content), name)
    assert file.content == text


@given(host_files())
@example((["one"], '{"mcpServers": {"one": {"command": "a", "args": []}, "two": {"command": "b"}}}'))
def test_an_edit_of_a_person_in_the_meantime_stays(named):
    names, text = named
    wrapped = with_wrapped(file_of(text), names[0], WORDS)
    edited = added(wrapped, "mine", ("--", "by hand"), states_type=False)
    expected = added(file_of(text), "mine", ("--", "by hand"), states_type=False)
    assert with_unwrapped(file_of(edited.content), names[0]).content == expected.content


def test_an_edit_of_the_wrapped_entry_itself_stays():
    wrapped = with_wrapped(file_of(COMMENTED), "git", WORDS).content
    edited = wrapped.replace('"TOKEN": "canary",', '"TOKEN": "other", "MORE": "x",').replace(
        "--repository", "--path"
    )
    assert with_unwrapped(file_of(edited), "git").content == COMMENTED.replace(
        '"TOKEN": "canary",', '"TOKEN": "other", "MORE": "x",'
    ).replace("--repository", "--path")


def test_an_edit_of_a_wrapped_url_stays_and_the_rest_is_put_back_as_written():
    text = LAYOUTS["a URL with headers"]
    edited = with_wrapped(file_of(text), "git", WORDS).content
    edited = edited.replace('_URL":"https://x"', '_URL":"https://y"').replace(
        '"timeout": 1e3', '"timeout": 5'
    )
    back = with_unwrapped(file_of(edited), "git").content
    assert back == text.replace("https://x", "https://y").replace("1e3", "5")


def test_a_rewritten_file_still_gets_the_same_servers_back():
    """A host that rewrites the file in its own layout changes the bytes, but not the meaning."""
    for text in (each.replace("1E400", "1") for each in LAYOUTS.values()):
        wrapped = with_wrapped(file_of(text), "git", WORDS)
        for indent in (None, 2):
            content = {"mcpServers": dict(wrapped.servers)}
            back = with_unwrapped(file_of(json.dumps(content, indent=indent)), "git").servers["git"]
            assert {"args": [], **back} == {"args": [], **file_of(text).servers["git"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: a key in double quotes is expected"),
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: ',' is expected"),
        ('{\r\n  "a": tru\r\n}', "line 2, column 8: 'tru' is no JSON value"),
        ('{"a": NaN}', "line 1, column 7: 'NaN' is no JSON value"),
        ('{"a": 01}', "line 1, column 7: '01' is no JSON value"),
        ('{"a": "x\ny"}', "line 1, column 7: a string does not end"),
        ('{"a": "\\x"}', "line 1, column 8: Invalid \\escape"),
        ('{\n"a": 1,\n"a": 2}', 'line 3, column 1: the key "a" is written twice'),
        ("{} {}", "line 1, column 4: text after the end"),
        ("{a: 1}", "line 1, column 2: a key in double quotes is expected"),
        ("{,}", "line 1, column 2: a key in double quotes is expected"),
        ('{"a": [,]}', "line 1, column 8: a value is expected"),
        ("\n[]", "line 2: the file is not a JSON object"),
        ('{\n "mcpServers": []}', "line 2: 'mcpServers' is not an object"),
        ("/* no end", "line 1, column 1: a value is expected"),
    ],
)
def test_a_bad_file_is_named_with_its_line_and_not_changed(command, text, said):
    path = Path(".mcp.json")
    path.write_bytes(text.encode())
    code, out, err = command("install", "claude-code", "--", "server")
    assert (code, out) == (2, "")
    assert f".mcp.json cannot be used: {said}" in err
    assert path.read_bytes() == text.encode()
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("data", [b'{\n"a": "\xff"}', '{"a": 1}'.encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_named_with_its_line_and_not_changed(command, data):
    path = Path(".mcp.json")
    path.write_bytes(data)
    code, _, err = command("install", "claude-code", "--", "server")
    assert (code, path.read_bytes()) == (2, data)
    assert f".mcp.json cannot be used: line {data[:8].count(10) + 1}: it is not written in UTF-8" in err


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text()), lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner))),
    st.sampled_from([None, 2, "\t"]), st.booleans())  # fmt: skip
def test_the_parser_reads_json(value, indent, is_ascii):
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    assert parsed(text).value == value


def members_of(part):
    """Return each member of a part with the value that is expected there."""
    if isinstance(part, Pairs):
        return [(value, part.value[key.value]) for key, value in part.pairs]
    return list(zip(part.items, part.value, strict=True)) if isinstance(part, Items) else []


def agrees(text, part, value):
    """Return whether a part and all its members have the values of the text at their positions."""
    if parsed(text[part.start : part.end]).value != value or part.value != value:
        return False
    return all(agrees(text, inner, expected) for inner, expected in members_of(part))


@given(host_files())
def test_every_part_stands_where_its_text_is(named):
    _, text = named
    root = parsed(text)
    assert agrees(text, root, root.value)


@pytest.mark.parametrize("text", ['{"a": {"b": 1, "b": 2}}', '{"a": [{"b": 1, /* c */ "\\u0062": 2,},]}'])
def test_a_key_that_is_written_twice_anywhere_is_named_with_its_line(text):
    with pytest.raises(ValueError, match=r'line 1, column \d+: the key "b" is written twice'):
        parsed(text)


def test_a_deeply_nested_file_is_refused_and_not_a_crash(command):
    Path(".mcp.json").write_text('{"a":' * 50_000)
    code, _, err = command("install", "claude-code", "--", "server")
    assert code == 2
    assert ".mcp.json cannot be used" in err
