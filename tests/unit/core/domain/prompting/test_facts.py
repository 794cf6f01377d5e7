"""The facts about a tool in a prompt have limits; the least important part is dropped first (requirement G1)."""

import json

from genui_core.domain.prompting.learned_shape import shape_of
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.setting import Hints
from genui_core.domain.tools.tool import Tool


def tool(**more):
    return Tool({"name": "find_orders", "inputSchema": {"type": "object"}, **more})


def test_names_descriptions_and_schemas_keep_to_their_limits():
    long = tool(
        title="t" * 300,
        description="d" * 9000,
        inputSchema={"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(2000)}},
    )
    told = json.loads(Facts(tool=long).variables()["toolJson"])
    assert len(told["title"]) == 100
    assert len(told["description"]) == 2000
    assert len(json.dumps(told["inputSchema"], separators=(",", ":"), ensure_ascii=False)) <= 5000


def test_an_absent_fact_is_empty_so_that_its_section_is_left_out():
    variables = Facts(tool=tool()).variables()
    for name in ("outputSchemaJson", "learnedShape", "examplesJson", "relatedToolsJson", "wishesJson"):
        assert variables[name] == ""
    assert variables["kind"] is None
    assert variables["destructive"] is False


def test_a_prompt_has_annotations_and_hints():
    one = tool(annotations={"readOnlyHint": True, "destructiveHint": True})
    variables = Facts(tool=one, hints=Hints(kind="table", theme="dark")).variables()
    assert variables["readOnly"] is variables["destructive"] is True
    assert (variables["kind"], variables["theme"]) == ("table", "dark")


def test_the_least_important_part_is_dropped_first():
    facts = Facts(
        tool=tool(),
        refinements=("a", "b"),
        related=(tool(),),
        examples=({"x": 1},),
        learned_shape={"type": "object"},
    )
    left = []
    while facts is not None:
        left.append(
            (
                bool(facts.related),
                bool(facts.examples),
                facts.learned_shape is not None,
                facts.refinements,
                facts.with_schema_words,
            )
        )
        facts = facts.with_less()
    assert left == [
        (True, True, True, ("a", "b"), True),
        (False, True, True, ("a", "b"), True),
        (False, False, True, ("a", "b"), True),
        (False, False, False, ("a", "b"), True),
        (False, False, False, ("b",), True),
        (False, False, False, ("b",), False),
    ]


def test_malformed_definitions_do_no_harm():
    odd = Tool({"name": "x", "description": 7, "inputSchema": [], "annotations": "yes", "outputSchema": None})
    assert json.loads(Facts(tool=odd).variables()["toolJson"])["name"] == "x"


def test_a_prompt_shows_long_names_cut_and_the_view_may_call_them_cut_and_whole():
    name, other = "read “rows” " * 20, "r" * 101
    facts = Facts(tool=tool(name=name), related=(tool(name=other), tool(name="short")))
    told = json.loads(facts.variables()["toolJson"])["name"]
    related = json.loads(facts.variables()["relatedToolsJson"])[0]["name"]
    assert len(told) == len(related) == 100
    assert facts.told_names == {told, name, related, other, "short"}


def test_a_prompt_has_name_purpose_and_required_arguments_of_a_related_tool():
    other = Tool(
        {
            "name": "get_order",
            "description": "Reads an order. It also does much that is of no use here.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "d" * 500},
                    "line": {"anyOf": [{"type": "integer"}]},
                    "verbose": {"type": "boolean"},
                },
                "required": ["id", "line", 7],
            },
        }
    )
    odd = Tool({"name": "odd", "inputSchema": {"required": "id"}})
    told = json.loads(Facts(tool=tool(), related=(other, odd)).variables()["relatedToolsJson"])
    assert told == [
        {"name": "get_order", "purpose": "Reads an order.", "required": {"id": "string", "line": "any"}},
        {"name": "odd", "purpose": "", "required": {}},
    ]


def test_a_prompt_has_the_shape_beside_a_declared_schema():
    """A shape has the lengths of lists and texts, which schemas rarely have."""
    rows = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "integer"}}}}
    facts = Facts(tool=tool(outputSchema=rows), learned_shape=shape_of({"rows": [1, 20, 3]}))
    assert facts.variables()["learnedShape"] == "{rows: [00]*3}"
