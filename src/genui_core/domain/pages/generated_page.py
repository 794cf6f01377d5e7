"""The pages of written views, and the parts of the view kit that a tool's page needs.

``view/build.mjs`` builds the kit for each combination of parts: for any schema, and for plain schemas
without the code that few tools need (``view/src/plain``). A schema is plain if both builds draw the same
form, refuse the same values and label results alike. Any other schema needs the build for any schema.
"""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Final

from genui_core.domain.pages.minimal_view import minimal_page
from genui_core.domain.pages.page_frame import (
    CHARSET,
    WITHOUT_POLICY,
    PageNeeds,
    PageParts,
    PagePolicy,
    json_in_script,
    kit_scripts,
    shadowed_script,
    text_in_style,
    tool_page,
)
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.settings.settings import HostRuntime
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.document_plan import DocumentPlan, PlannedScript
from genui_core.domain.validation.extraction import fragment_in

_NOTES: Final = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly"})
_BOUNDS: Final = frozenset(
    {"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)
_LIST_BOUNDS: Final = frozenset({"minItems", "maxItems", "uniqueItems"})
_SCALAR: Final = _NOTES | _BOUNDS | {"type", "enum", "const"}
_MEMBERS: Final = frozenset({"type", "properties", "required", "additionalProperties"})
_ARGUMENTS: Final = _MEMBERS | {"$schema", "$comment", "title", "description"}
_DATA: Final = _ARGUMENTS | _SCALAR | _LIST_BOUNDS | {"items", "format", "pattern"}

_SCALAR_TYPES: Final = frozenset({"string", "number", "integer", "boolean"})
_DATA_TYPES: Final = _SCALAR_TYPES | {"object", "array", "null"}

_MOST_FIELDS: Final = 200
_MOST_VALUES: Final = 40
"""The most values of a plain choice; the kit draws more values as a list with a search."""
_MOST_LEVELS: Final = 30

LIKENESS_PARTS: Final = "browser|calendar|compare|excerpt|file|formula|mark|message|paper|rating|ruler|sheet|steps|swatches|terminal"
"""The parts of ``view/src/likeness``."""
_NAMES_A_LIKENESS: Final = re.compile(rf"\bui\s*\??\.\s*({LIKENESS_PARTS})\b|\bui\s*\[|\}}\s*=\s*ui\b")
"""Finds a script that may use such a part: by its name behind ``ui``, or by destructuring ``ui``."""

_BINARY: Final = re.compile('"(contentEncoding|format)":"(base64|byte|binary)"', re.IGNORECASE)
_Schema = Mapping[str, object]
_IsPlain = Callable[[_Schema], bool]


def page_needs(tool: Tool, source: str = "", mode: GenerationMode = "fragment") -> PageNeeds:
    """Return the parts of the kit that a tool's page needs; source and mode are those of `view_page`.

    A document needs the build for any schema: only that one prepares the page of a document.
    """
    written = bool(source)
    is_document = written and mode == "document"
    likeness = _NAMES_A_LIKENESS.search(source) is not None
    any_schema = is_document or not has_plain_schemas(tool)
    files = any_schema and _BINARY.search(json_in_script(tool.definition.get("inputSchema"))) is not None
    return PageNeeds(any_schema, written, likeness, files=files and not is_document)


def has_plain_schemas(tool: Tool) -> bool:
    """Return whether the smaller build draws the tool's form and results as the whole kit does."""
    arguments, data = tool.definition.get("inputSchema"), tool.definition.get("outputSchema")
    return is_plain_form(arguments) and (data is None or is_plain_data(data))


def is_plain_form(schema: object) -> bool:
    """Return whether a schema asks for an object of single values.

    Args:
        schema: An input schema; None where the tool has none.
    """
    if schema is None:
        return True
    if not isinstance(schema, Mapping) or not _has_only(schema, _ARGUMENTS):
        return False
    members = schema.get("properties", {})
    return (
        schema.get("type") == "object"
        and schema.get("additionalProperties", False) is False
        and _are_names(schema.get("required", []))
        and isinstance(members, Mapping)
        and len(members) <= _MOST_FIELDS
        and all(_is_plain(each, _is_plain_field) for each in members.values())
    )


def is_plain_data(schema: object, levels: int = _MOST_LEVELS) -> bool:
    """Return whether a schema describes data without references, alternatives or conditions.

    Args:
        schema: An output schema, or a part of one.
        levels: How deep it may be nested.
    """
    return levels > 0 and _is_plain(schema, lambda one: _is_plain_value(one, levels - 1))


def _is_plain_value(schema: _Schema, levels: int) -> bool:
    members, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    inner = [schema["items"]] if "items" in schema else []
    if not isinstance(members, Mapping) or not _has_only(schema, _DATA) or not _has_type(schema, _DATA_TYPES):
        return False
    inner += [*members.values(), *([] if isinstance(rest, bool) else [rest])]
    return all(is_plain_data(each, levels) for each in inner)


def _is_plain(schema: object, is_plain: _IsPlain) -> bool:
    """Return whether a schema is plain, or has a plain one and null as its only alternatives."""
    if not isinstance(schema, Mapping):
        return False
    if "anyOf" not in schema:
        return is_plain(schema)
    match schema["anyOf"]:
        case [Mapping() as one, {"type": "null", **more}] if not more:
            return (
                _has_only(schema, _NOTES | {"anyOf"}) and isinstance(one.get("type"), str) and is_plain(one)
            )
    return False


def _is_plain_field(schema: _Schema) -> bool:
    if "enum" in schema and not _are_values(schema["enum"]):
        return False
    if "const" in schema and not _are_values([schema["const"]]):
        return False
    keywords = _SCALAR if schema.keys() & {"type", "enum", "const"} else _NOTES
    return _has_only(schema, keywords) and _has_type(schema, _SCALAR_TYPES)


def _has_only(schema: _Schema, keywords: frozenset[str]) -> bool:
    """Return whether a schema has only these keywords, and extensions, which the kit does not read."""
    return all(each in keywords or each.startswith("x-") for each in schema)


def _has_type(schema: _Schema, types: frozenset[str]) -> bool:
    """Return whether a schema has no type, one of these, or one of these and null."""
    match schema.get("type"):
        case None:
            return "type" not in schema
        case str(one) | ["null", str(one)] | [str(one), "null"]:
            return one in types
    return False


def _are_names(names: object) -> bool:
    """Return whether this is a list of different names."""
    return (
        isinstance(names, list)
        and all(isinstance(each, str) for each in names)
        and len(set(names)) == len(names)
    )


def _are_values(values: object) -> bool:
    """Return whether these are single values, few enough for a plain choice, and not null alone."""
    return (
        isinstance(values, list)
        and len(values) <= _MOST_VALUES
        and all(
            each is None or isinstance(each, str) or (isinstance(each, int | float) and isfinite(each))
            for each in values
        )
        and any(each is not None for each in values)
    )


_DEFAULT_POLICY = PagePolicy()
_PAGE: Final = """\
<!DOCTYPE html>
<html{attributes}>
<head>
{policy}{packages}{rest}"""
# The document's own style is in no layer, so it overrides the kit's.
_DOCUMENT_STYLE: Final = "<style>@layer mcp-gen-ui{{{style}}}</style>\n"
_PREPARE: Final = "McpGenUi.prepareDocument();"
PREPARED: Final = f"<script>{_PREPARE}</script>\n"
"""The script element right before a document in its page."""


def document_page(
    data: str,
    kit: PageParts,
    source: str,
    runtime: HostRuntime = "inline",
    plan: DocumentPlan | None = None,
    policy: PagePolicy = _DEFAULT_POLICY,
) -> str:
    """Return the page of a document.

    A plain head comes first, whatever the document begins with: hosts look for it to put their policy there,
    and nothing that a model wrote may stand before that. The arguments are those of `view_page`.
    """
    if plan is None:
        from genui_core.domain.validation.document_planning import document_plan  # noqa: PLC0415 -- brings parsers

        plan = document_plan(source)
    packages = _package_scripts(data, kit, with_kit=plan.uses_kit, with_runtime=runtime == "inline")
    has_policy = policy.is_on and ("document", runtime) not in WITHOUT_POLICY
    scripts: list[str] = []

    def shadowed(script: str, planned: PlannedScript) -> str:
        scripts.append(shadowed_script("McpGenUi.run", script, is_async=planned.is_module))
        return scripts[-1]

    rest = plan.rest(source, runtime, shadowed if has_policy else None)
    allowed = (kit.script if plan.uses_kit else kit.document_script, _PREPARE, *scripts)
    head = policy.head(allowed) if has_policy else CHARSET
    return _PAGE.format(attributes=plan.attributes, policy=head, packages=packages, rest=rest)


def _package_scripts(data: str, kit: PageParts, *, with_kit: bool, with_runtime: bool) -> str:
    """Return the elements that make the packages importable which a document may use."""
    if not (with_kit or with_runtime):
        return ""
    style = _DOCUMENT_STYLE.format(style=kit.style) if with_kit else ""
    scripts = kit_scripts(data, kit.script if with_kit else kit.document_script)
    return f"{style}{scripts}\n" + (PREPARED if with_runtime else "")


FRAGMENT_STYLE: Final = '<style id="mcp-gen-ui-part">{style}</style>\n'
FRAGMENT_TEMPLATE: Final = """\
<script type="application/json" id="mcp-gen-ui-template">{template}</script>
"""
_START = "McpGenUi.startFragmentView();"


def view_page(
    tool: Tool,
    data: str,
    kit: PageParts,
    source: str,
    mode: GenerationMode,
    *,
    runtime: HostRuntime = "inline",
    plan: DocumentPlan | None = None,
    policy: PagePolicy = _DEFAULT_POLICY,
) -> str:
    """Return the one self-contained HTML file that hosts show for a tool, for any kind of view.

    Args:
        tool: The tool.
        data: The page's data, as ``page_data`` returns it.
        kit: The parts of the kit for the page.
        source: The stored source that a model wrote; "" for the minimal view.
        mode: Whether the source is a fragment or a document.
        runtime: ``host.runtime``: whether the page or the host provides ``App`` to a document.
        plan: How the page embeds a document; None parses the document now.
        policy: The policy of the page.
    """
    if source and mode == "document":
        return document_page(data, kit, source, runtime, plan, policy)
    fragment = fragment_in(source) if source else None
    if fragment is None:
        return minimal_page(tool, data, kit, policy)
    return tool_page(
        tool.title,
        data,
        kit,
        policy=policy,
        head=FRAGMENT_STYLE.format(style=text_in_style(fragment.style)),
        body=FRAGMENT_TEMPLATE.format(template=json_in_script(fragment.template)),
        # A script that does not parse is alone in its element: the view still starts, and shows the error.
        scripts=(drawing_script(fragment.script), _START),
    )


def drawing_script(script: str) -> str:
    """Return the script that registers a fragment's ``render`` function with the kit."""
    return shadowed_script("McpGenUi.fragment", f"\n{script}", "return render;\n")
