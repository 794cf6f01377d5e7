"""The features of a tool's definition that matter to a view, and a choice of tools that covers all features."""

from collections import Counter
from collections.abc import Iterator, Sequence

from recordings import RecordedTool

DOM_MEMBERS = frozenset(
    [
        "action",
        "attributes",
        "children",
        "className",
        "elements",
        "id",
        "innerHTML",
        "length",
        "method",
        "name",
        "nodeName",
        "parentNode",
        "reset",
        "style",
        "submit",
        "target",
        "title",
        "type",
        "value",
    ]
)
KEYWORDS = [
    "$ref",
    "allOf",
    "const",
    "default",
    "enum",
    "examples",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "not",
    "pattern",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "uniqueItems",
]
LONG_TEXT = 1500
MANY_CHOICES = 30
DEEP = 6


def features_of(definition: dict) -> frozenset[str]:
    """Return the features of a tool: of its schema, its texts, its fields and annotations."""
    schema = definition.get("inputSchema") or {}
    properties = schema.get("properties") or {}
    said = set(of_schema(schema, schema, 0, ()))
    said.add(f"{size_of(len(properties))} properties")
    if properties and not schema.get("required"):
        said.add("nothing is required")
    if DOM_MEMBERS & properties.keys():
        said.add("a name of the DOM")
    said.update(of_texts(definition))
    said.update(
        key for key in ("title", "outputSchema", "icons", "execution", "_meta") if definition.get(key)
    )
    said.update(
        f"{key}: {value}" for key, value in (definition.get("annotations") or {}).items() if key != "title"
    )
    return frozenset(said)


def size_of(count: int) -> str:
    """Return the bucket that a count falls into."""
    bounds = {0: "no", 1: "1", 4: "2-4", 9: "5-9", 19: "10-19"}
    return next((words for most, words in bounds.items() if count <= most), "20 or more")


def of_texts(definition: dict) -> Iterator[str]:
    """Yield the features of a tool's texts."""
    description = definition.get("description") or ""
    if not description:
        yield "no description"
    if len(description) > LONG_TEXT:
        yield "a long description"
    if "\n" in description.strip():
        yield "lines in the description"
    if not str(definition).isascii():
        yield "more than ASCII"


def of_schema(schema: object, root: dict, depth: int, seen: tuple[str, ...]) -> Iterator[str]:
    """Yield the features of a schema and all its subschemas; ``seen`` are the references on the path."""
    if not isinstance(schema, dict) or not schema:
        yield "anything goes"
        return
    yield from (f"keyword {key}" for key in KEYWORDS if key in schema)
    if "format" in schema:
        yield f"format {schema['format']}"
    if depth == DEEP:
        yield "deep"
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            yield "recursion"
        else:
            yield from of_schema(resolved(reference, root), root, depth, (*seen, reference))
    yield from of_type(schema, depth)
    if len(schema.get("enum") or ()) > MANY_CHOICES:
        yield "many choices"
    yield from of_alternatives(schema, root, depth, seen)
    for each in (schema.get("properties") or {}).values():
        yield from of_schema(each, root, depth + 1, seen)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from of_schema(schema[key], root, depth + 1, seen)


def of_type(schema: dict, depth: int) -> Iterator[str]:
    """Yield the features of a schema's type and of its members."""
    kind = schema.get("type")
    if isinstance(kind, list):
        yield "nullable" if "null" in kind and len(kind) == 2 else "several types"
        return
    if kind == "array":
        items = schema.get("items")
        inner = items.get("type", "anything") if isinstance(items, dict) else "anything"
        yield f"list of {inner}"
    elif kind == "object" and depth:
        yield "nested object" if schema.get("properties") else "map"
    elif isinstance(kind, str):
        yield kind


def of_alternatives(schema: dict, root: dict, depth: int, seen: tuple[str, ...]) -> Iterator[str]:
    """Yield the features of alternatives and of merged subschemas."""
    for key in ("anyOf", "oneOf"):
        choices = [each for each in schema.get(key) or () if isinstance(each, dict)]
        real = [each for each in choices if each.get("type") != "null"]
        if len(real) < len(choices):
            yield "nullable"
        if len(real) > 1:
            yield f"variants by {key}"
        for each in real:
            yield from of_schema(each, root, depth, seen)
    for each in schema.get("allOf") or ():
        yield from of_schema(each, root, depth, seen)


def resolved(reference: str, root: dict) -> object:
    """Return the target of a reference inside the document."""
    found: object = root
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found


def spread(tools: Sequence[RecordedTool], count: int) -> list[RecordedTool]:
    """Choose tools of all servers and all features, always the same ones for a number of tools.

    The next is the tool with the rarest features among those chosen so far; servers take turns,
    so that a server with hundreds of tools does not crowd out one with three.
    """
    left = {id(each): (each, features_of(each.definition)) for each in tools}
    features: Counter[str] = Counter()
    servers: Counter[str] = Counter()
    chosen: list[RecordedTool] = []
    while left and len(chosen) < count:
        fewest = min(servers[tool.server] for tool, _ in left.values())
        turn = [(tool, said) for tool, said in left.values() if servers[tool.server] == fewest]
        tool, said = max(turn, key=lambda each: sum(1 / (1 + features[word]) ** 2 for word in each[1]))
        del left[id(tool)]
        features.update(said)
        servers[tool.server] += 1
        chosen.append(tool)
    return chosen
