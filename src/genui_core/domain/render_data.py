"""Data for a view, checked against the schema that its author wrote for it (SPEC §16)."""

import json
from collections.abc import Mapping
from typing import TypeAlias

from genui_core.errors import NotAugmented

JsonSchema: TypeAlias = Mapping[str, object] | bool


def checked_render_data(data: object, schema: JsonSchema) -> object:
    """Return a copy of the data as they will be on the wire.

    A schema of draft 2020-12 unless it says another one itself. What it refers to must be in it: nothing
    is ever fetched.

    Args:
        data: Any JSON value.
        schema: What it has to be.

    Raises:
        NotAugmented: It is not.
        jsonschema.SchemaError: The schema is none.
        referencing.exceptions.Unresolvable: The schema refers to what is not in it.
    """
    try:
        copied = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise NotAugmented(f"The render data are no JSON: {error}") from error
    _check(copied, schema)
    return copied


def _check(data: object, schema: JsonSchema) -> None:
    # Only who augments results needs a validator, and loading one takes longer than all of the core.
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    # A registry of its own keeps the validator from fetching what a `$ref` names.
    first = next(iter(kind(schema, registry=Registry()).iter_errors(data)), None)
    if first is not None:
        raise NotAugmented(f"The render data do not fit their schema: {first.json_path}: {first.message}")
