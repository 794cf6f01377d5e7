"""Sample arguments that fit a tool's input schema, with values that a person could type."""

import re
from collections.abc import Mapping
from typing import Final

from features import resolved
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator

NOTHING: Final = object()
"""Stands for a value that could not be found."""

BY_FORMAT = {
    "date": "2026-03-14",
    "date-time": "2026-03-14T15:09:00Z",
    "time": "15:09:00Z",
    "email": "ada@example.com",
    "uri": "https://example.com/a",
    "url": "https://example.com/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
WORDS = (
    *(
        "Paris",
        "abc",
        "ABC",
        "a",
        "7",
        "12345",
        "A1",
        "a-b",
        "a.b",
        "a_b",
        "a/b",
        "1.2.3",
        "1h",
        "7d",
    ),
    *(
        "#aabbcc",
        "en-US",
        "15:09",
        "12:34",
        "2026-03-14",
        "2026-03",
        "2026-03-14T15:09:00Z",
        "now-1h",
        "2d6",
        "F",
    ),
    *(
        "ada@example.com",
        "https://example.com/a",
        "123e4567-e89b-42d3-a456-426614174000",
        "I12:34",
        "$a",
        "@a",
    ),
    *("0123456789abcdef01234567", "U0123456789abcdef0123456789abcdef"),
)
DEEPEST = 8


def validator_of(schema: dict) -> Validator:
    """Return a validator of a schema, in the dialect that the schema names."""
    older = re.search(r"draft-0[4-7]", str(schema.get("$schema")))
    return (Draft7Validator if older else Draft202012Validator)(schema)


def complaints(arguments: object, schema: dict) -> list[str]:
    """Return the messages of the validation errors of arguments."""
    return [f"{error.json_path}: {error.message}" for error in validator_of(schema).iter_errors(arguments)]


def sample_arguments(schema: dict) -> dict:
    """Return arguments with every property that has a plain value; they fit the schema if possible."""
    described = flattened(schema, schema)
    made = {key: sample(each, schema, 1) for key, each in (described.get("properties") or {}).items()}
    return {key: value for key, value in made.items() if value is not NOTHING}


def flattened(schema: object, root: dict, variant: int = 0) -> dict:
    """Return a schema without references and merged parts, with the wanted alternative of each choice."""
    for _ in range(DEEPEST):
        if not isinstance(schema, dict):
            return {}
        if isinstance(schema.get("$ref"), str):
            schema = merged(without(schema, "$ref"), resolved(schema["$ref"], root))
        elif schema.get("allOf"):
            parts = [flattened(each, root) for each in schema["allOf"]]
            schema = without(schema, "allOf")
            for part in parts:
                schema = merged(schema, part)
        elif alternatives(schema, root):
            choices = alternatives(schema, root)
            schema = merged(without(schema, "anyOf", "oneOf"), choices[variant % len(choices)])
        else:
            return schema
    return schema if isinstance(schema, dict) else {}


def alternatives(schema: Mapping, root: dict) -> list[dict]:
    """Return the alternatives of a schema that are not null."""
    choices = [flattened(each, root) for each in schema.get("anyOf") or schema.get("oneOf") or ()]
    return [each for each in choices if each.get("type") != "null"]


def without(schema: dict, *keys: str) -> dict:
    """Return a schema without some of its keywords."""
    return {key: value for key, value in schema.items() if key not in keys}


def merged(first: dict, second: object) -> dict:
    """Return a schema with the requirements of both."""
    other = second if isinstance(second, dict) else {}
    both = {**other, **first}
    for key, empty in (("properties", {}), ("required", [])):
        if key in first and key in other:
            both[key] = {**other[key], **first[key]} if empty == {} else [*other[key], *first[key]]
    return both


def sample(schema: object, root: dict, depth: int) -> object:
    """Return a value for a schema; if it has alternatives, for the first one that has a value."""
    choices = alternatives(schema, root) if isinstance(schema, dict) else []
    for variant in range(max(1, len(choices))):
        made = plain_sample(flattened(schema, root, variant), root, depth)
        if made is not NOTHING:
            return made
    return NOTHING


def plain_sample(schema: dict, root: dict, depth: int) -> object:
    """Return a value for a schema without alternatives."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        real = [each for each in schema["enum"] if each is not None]
        return next((each for each in real if each != schema.get("default")), real[0] if real else None)
    kinds = schema.get("type", "object" if "properties" in schema else None)
    kind = next((each for each in kinds if each != "null"), "null") if isinstance(kinds, list) else kinds
    if depth > DEEPEST:
        return NOTHING
    makers = {"string": word, "integer": number, "number": number, "array": items, "object": members}
    if kind == "boolean":
        return schema.get("default") is not True
    if kind == "null":
        return None
    return makers[kind](schema, root, depth) if kind in makers else "abc"


def word(schema: dict, *_: object) -> object:
    """Return a text with the length, the format and the pattern of a schema."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", 10**6)
    pattern = schema.get("pattern", "")
    examples = [each for each in schema.get("examples") or () if isinstance(each, str)]
    preferred = [BY_FORMAT[schema["format"]]] if schema.get("format") in BY_FORMAT else []
    long = [each * least for each in ("a", "A", "1")] if least > 1 else []
    for each in (*preferred, *examples, *WORDS, *long):
        if least <= len(each) <= most and matches(pattern, each):
            return each
    return NOTHING


def matches(pattern: str, text: str) -> bool:
    """Return whether a text fits a pattern; a pattern that Python cannot read fits every text."""
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def number(schema: dict, *_: object) -> object:
    """Return a number within the bounds."""
    step = schema.get("multipleOf") or (1 if "integer" in str(schema.get("type")) else 0.5)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    low = schema.get("minimum", above + step if isinstance(above, int | float) else -(10**9))
    high = schema.get("maximum", below - step if isinstance(below, int | float) else 10**9)
    wanted = min(max(3 if step == 1 else 2.5, low), high)
    made = wanted // step * step
    made = made + step if made < low else made
    return (int(made) if made == int(made) else made) if low <= made <= high else NOTHING


def items(schema: dict, root: dict, depth: int) -> object:
    """Return the shortest list that fits and is not empty."""
    of = schema.get("items")
    if not isinstance(of, dict):
        return ["abc"]
    count = max(1, schema.get("minItems", 0))
    choices = flattened(of, root).get("enum")
    made = choices[:count] if choices else [sample(of, root, depth + 1)] * count
    if any(each is NOTHING for each in made):
        return [] if not schema.get("minItems") else NOTHING
    return made


def members(schema: dict, root: dict, depth: int) -> object:
    """Return an object with its required and its constant members, else with its first property."""
    properties = schema.get("properties") or {}
    fixed = [key for key, each in properties.items() if isinstance(each, dict) and "const" in each]
    required = [
        each for each in dict.fromkeys([*(schema.get("required") or ()), *fixed]) if each in properties
    ]
    made = {key: sample(properties[key], root, depth + 1) for key in required or list(properties)[:1]}
    if any(made[key] is NOTHING for key in required):
        return NOTHING
    return {key: value for key, value in made.items() if value is not NOTHING}
