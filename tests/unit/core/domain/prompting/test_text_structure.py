"""The structure of a text for a prompt: its formats and names, and no value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.prompting.learned_shape import merged_shapes, shape_of
from genui_core.domain.prompting.text_structure import safe_shape, text_shape


def shape(text):
    return shape_of(text)


LOG = """2026-05-04 10:00:01 INFO started
2026-05-04 10:00:02 WARN slow
  at line 3
2026-05-04 10:00:03 ERROR failed
"""
DIFF = """commit 1f0
--- a/one.txt
+++ b/one.txt
@@ -1,2 +1,2 @@
-a
+b
"""
REPORT = """# Quarterly report for Ada Byron

## Summary
**Total:** 12
- Owner: Ada Byron
- Status: open

## Details
Some words.
"""
REPORT_LINES = [
    "# Quarterly report for Ada Byron", "## Summary", "**Total:** 0", "- Owner: Ada Byron", "- Status: open",
    "## Details", "Some words.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            '{"rows": [{"id": 1}]}\n',
            {
                "format": "json",
                "contentSchema": {
                    "type": "object",
                    "properties": {
                        "rows": {
                            "type": "array",
                            "maxItems": 1,
                            "items": {
                                "type": "object",
                                "properties": {"id": {"type": "integer", "digits": 1}},
                            },
                        }
                    },
                },
            },
        ),
        ("```json\n[1, 2]\n```", {"format": "json", "contentSchema": shape_of([1, 2])}),
        ('{"a": 1}\n{"a": 2}\n', {"format": "json", "contentSchema": shape_of([{"a": 1}, {"a": 2}])}),
        (
            'Result:\n{"a": 1, "b": [2, 3, 4, 5]}\nDone',
            {"format": "text with json", "contentSchema": shape_of({"a": 1, "b": [2, 3, 4, 5]})},
        ),
        (
            "[{'id': 1, 'name': None, 'size': (1, 2)}]",
            {"format": "python", "contentSchema": shape_of([{"id": 1, "name": None, "size": [1, 2]}])},
        ),
        ("[(0, 1), (2, 4)]", {"format": "python", "contentSchema": shape_of([[0, 1], [2, 4]])}),
        (
            "[{'id': 1, 'price': Decimal('2'), 'day': datetime.date(2026, 5, 4)}]",
            {"format": "python", "contentSchema": shape_of([{"id": 1, "price": "0", "day": "0"}])},
        ),
        (r"[{'id': 'C:\dir'}]", {"lines": ["[{'id': …"]}),
        ("(" * 3000, {"lines": ["(" * 100]}),
        ("(42)", {"lines": ["(0)"]}),
        ("{'a', 'b'}", {"lines": ["{'a', 'b'}"]}),
        ("{[1]: 2}", {"lines": ["{[0]: 0}"]}),
        ("name,price\ntea,2\ncoffee,3", {"format": "csv", "columns": ["name", "price"]}),
        ("name\tprice\r\ntea\t2\r\ncoffee\t3", {"format": "csv", "columns": ["name", "price"]}),
        (LOG, {"format": "log", "lines": ["… INFO started", "… WARN slow", "at line 0", "… ERROR failed"]}),
        (DIFF, {"format": "diff"}),
        ("<svg width='1'>\n</svg>", {"format": "svg"}),
        ("<?xml version='1.0'?>\n<a/>", {"format": "xml"}),
        ("<table><tr><td>x</td></tr></table>", {"format": "html"}),
        (
            "## Rows\n\n| Name | **Size** |\n|---|---:|\n| a | 1 |\n",
            {
                "format": "markdown",
                "parts": ["table"],
                "lines": ["## Rows", "| Name | **Size** |", "|---|---:|", "| a | 0 |"],
            },
        ),
        (
            REPORT,
            {
                "format": "markdown",
                "lines": REPORT_LINES,
            },
        ),
        (
            "Commit: 1f0\nAuthor: Ada\nDate: today\n",
            {
                "format": "fields",
                "lines": ["Commit: …", "Author: Ada", "Date: today"],
            },
        ),
        ("one\ntwo\nthree", {"format": "lines", "lines": ["one", "two", "three"]}),
        ("**Total** 12\n\n**Total** 13.5", {"format": "markdown", "lines": ["**Total** 0"]}),
        (
            "Read 2 files in /srv/a:\n- a.md (1.5 kB)\n- b.md (2 kB)",
            {"format": "markdown", "lines": ["Read 0 files in …:", "- ….md (0 kB)"]},
        ),
        ("See https://a.example/b?c=1, 40% of x9f3", {"lines": ["See https://…, 0% of …"]}),
        ("One sentence.\nAnd another one.", {"lines": ["One sentence.", "And another one."]}),
        ("The sum of 2 and 40.5 is 42.5.", {"lines": ["The sum of 0 and 0 is 0."]}),
        ("From 1,234.50, up to +3%!", {"lines": ["From 0, up to +0%!"]}),
        ("[not data", {"lines": ["[not data"]}),
        ("{}", {"lines": ["{}"]}),
        ("", {}),
    ],
)
def test_the_format_of_a_text_and_the_names_in_it_are_seen(text, wanted):
    assert text_shape(text, shape_of) == {"type": "string", "maxLength": len(text), **wanted}


def test_a_long_list_in_python_syntax_is_recognised_by_its_first_rows():
    learned = text_shape(f"[{', '.join(['(1, 2)'] * 9000)}]", shape_of)
    items = {"type": "array", "maxItems": 2, "items": {"type": "integer", "digits": 1}}
    assert (learned["format"], learned["contentSchema"]["items"]) == ("python", items)


def test_a_short_text_on_one_line_is_a_text():
    assert shape("Author: Ada") == {"type": "string", "maxLength": 11}
    assert shape("2026-05-04") == {"type": "string", "format": "date"}


def test_json_in_a_text_in_data_is_read_and_no_deeper_than_data():
    inner = json.dumps({"rows": [{"id": 1}]})
    assert shape({"result": inner})["properties"]["result"]["contentSchema"]["properties"].keys() == {"rows"}
    nested = "1"
    for _ in range(12):
        nested = json.dumps([nested])
    assert len(json.dumps(shape(nested))) < 1_000


def test_names_reach_a_prompt_only_where_the_definition_or_the_vocabulary_has_their_words():
    told = safe_shape(shape(REPORT), "{}")
    assert told["lines"][0] == "# … for …"
    assert {"## Summary", "**Total:** 0", "- Owner: …"} <= set(told["lines"])
    named = safe_shape(shape(REPORT), '{"description": "Writes the quarterly report for Ada Byron."}')
    assert named["lines"][0] == "# Quarterly report for Ada Byron"


def test_a_line_keeps_only_words_that_are_no_secret():
    text = "Ada Byron moved 3 files to ada.md\nGrace moved 4 files to grace.md"
    assert safe_shape(text_shape(text, shape_of), "{}")["lines"] == ["… 0 files to ….md"]
    assert safe_shape(text_shape(text, shape_of), '"Moves files"')["lines"] == ["… 0 files to ….md"]
    assert safe_shape(text_shape("k3!x(9)z", shape_of), "{}") == {"type": "string", "maxLength": 8}


def test_a_part_whose_names_are_all_unknown_is_left_out():
    told = safe_shape(shape("Ada: hello\nGrace: hi\nAda: bye\nHedy: bye"), "{}")
    assert told == {"type": "string", "maxLength": 39, "format": "fields"}


def test_a_property_may_be_called_like_a_part():
    learned = shape({"labels": [1], "columns": {"headings": 1}, "lines": {"built": 2}, "one of": [3]})
    assert safe_shape(learned, "{}") == learned


NAME = st.text(alphabet="abcXYZ éß漢", min_size=1, max_size=12).map(lambda text: f"Zq{text.strip()}qz")
TEXT = st.sampled_from(
    [
        "# {0}\n\n## {1}\n{2}: x\n",
        "{0}: 1\n{1}: 2\n{2}: 3\n",
        "{0},{1},{2}\n1,2,3\n4,5,6\n",
        "| {0} | {1} |\n|---|---|\n| {2} | x |\n",
        # The keys of a dict that can be read are names of members, as in JSON.
        "[{{'name': '{0}'}}, {{'name': ['{1}', ('{2}',)]}}]",
        "[{{'name': Decimal('{0}')}}, {{'name': {1}}}, {{'{2}'}}]",
        "- **{0}**: {1}\n- **{2}**: x\n",
        "2026-05-04 10:00 {0}\n2026-05-04 10:01 {1}\n2026-05-04 10:02 {2}\n",
        "{0}\n{1}\n{2}\n",
        "{0}",
        "Saved ({0}) in {1}.md: {2}!",
        "….{0} {1}://{2} https://{0}.{1}",
    ]
)


@given(TEXT, NAME, NAME, NAME)
def test_no_value_of_a_text_reaches_the_prompt(text, one, two, three):
    filled = text.format(one, two, three)
    for learned in (shape({"result": filled}), text_shape(filled, shape_of)):
        assert "Zq" not in json.dumps(safe_shape(learned, "{}"), ensure_ascii=False)


@given(st.text(alphabet="ab#|-:,;\t\n {}[]'\"<>*`@+0", max_size=200))
def test_every_text_has_a_shape(text):
    assert text_shape(text, shape_of)["type"] == "string"


def test_shapes_of_texts_merge():
    first, second = shape("# Summary\nTotal: 1\n"), shape("# Details\nTotal: 1\nOwner: x\n")
    merged = merged_shapes(first, second)
    assert merged == {
        "type": "string",
        "maxLength": 28,
        "format": "markdown",
        "lines": ["# Summary", "Total: 0", "# Details", "Owner: x"],
    }
    mixed = merged_shapes(first, shape("a,b\n1,2\n3,4"))
    assert "format" not in mixed
    assert set(mixed) == {"type", "maxLength", "lines", "columns"}


def test_a_long_text_is_looked_at_up_to_a_limit():
    lines = "\n".join(f"Label {'x' * 10}: {number}" for number in range(100_000))
    assert text_shape(lines, shape_of)["lines"] == ["Label xxxxxxxxxx: 0"]
