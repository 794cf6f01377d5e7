import pytest

SCHEMA = {
    "type": "object",
    "required": ["city", "units", "place", "count", "tags", "either", "at"],
    "properties": {
        "city": {"type": "string", "examples": ["Oslo"]},
        "units": {"enum": ["metric", "imperial"]},
        "days": {"type": "integer", "default": 3},
        "left_out": {"type": ["string", "null"], "default": None},
        "optional": {"type": "string"},
        "place": {"$ref": "#/$defs/place"},
        "count": {"type": "integer", "minimum": 1.5},
        "tags": {"type": "array"},
        "either": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "at": {"const": "noon"},
    },
    "$defs": {
        "place": {
            "type": "object",
            "required": ["name", "inner"],
            "properties": {"name": {"type": "string"}, "inner": {"$ref": "#/$defs/place"}},
        }
    },
}


@pytest.fixture
def example(page):
    def example(schema):
        script = "async schema => (await import('/assets/example-arguments.js')).exampleArguments(schema)"
        return page.evaluate(script, schema)

    return example


def test_arguments_begin_with_defaults_and_fitting_values_of_required_ones(example):
    made = example(SCHEMA)
    assert made.pop("place")["name"] == ""
    assert made == {
        "city": "Oslo",
        "units": "metric",
        "days": 3,
        "count": 2,
        "tags": [],
        "either": False,
        "at": "noon",
    }


@pytest.mark.parametrize("odd", [None, {}, {"properties": {"a": True}, "required": ["a"]}, {"required": "a"}])
def test_an_odd_schema_still_gives_an_object(example, odd):
    assert isinstance(example(odd), dict)
