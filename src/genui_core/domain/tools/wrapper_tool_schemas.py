"""The JSON Schemas of the arguments and results of the wrapper's own tools (requirement T1)."""

from collections.abc import Collection, Mapping

Schema = dict[str, object]


def json_object(*, required: Collection[str] | None = None, **properties: object) -> Schema:
    """Return the schema of an object with these properties and no others; by default all are required."""
    names = list(properties if required is None else required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def _answer(*, required: Collection[str] | None = None, **properties: object) -> Schema:
    """Return the schema of a result: these properties, or the type of an error and its request id."""
    names = list(properties if required is None else required)
    return {
        "type": "object",
        "properties": {**properties, **{name: _ERROR[name] for name in _ERROR if name not in properties}},
        "anyOf": [{"required": names}, {"required": ["errorType", "requestId"]}],
        "additionalProperties": False,
    }


def _of(kind: str, title: str, **more: object) -> Schema:
    """Return the schema of values of one JSON type, with a title for people."""
    return {"type": kind, "title": title, **more}


def _titled(title: str, schema: Mapping[str, object]) -> Schema:
    return {**schema, "title": title}


_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_NUMBER_OR_NULL = {"type": ["number", "null"]}
_OBJECTS = {"type": "array", "items": {"type": "object"}}
_NAMES = {"type": "array", "items": {"type": "string"}}
_DONE_OR_FAILED = {"type": "string", "enum": ["done", "failed"], "title": "Status"}
_UI_TYPE = {"type": "string", "enum": ["rich", "minimal", "undetermined"], "title": "Kind of UI"}
_TOOL_NAME = _titled("Tool", _TEXT)
_GENERATED_AT = _titled("Generated at", _TEXT_OR_NULL)
_MODEL = _titled("Model", _TEXT_OR_NULL)
_FINDINGS = _titled("Findings", _OBJECTS)
_REFINEMENTS = _titled("Refinements", _NAMES)
_NEXT = _titled("What to do then", _TEXT)
_ERROR: Mapping[str, object] = {
    "toolName": _titled("Tool of the failed call", _TEXT_OR_NULL),
    "errorType": _titled("Kind of failure", _TEXT_OR_NULL),
    "fallbackUsed": _titled("Fallback", _TEXT_OR_NULL),
    "retryable": {"type": "boolean", "title": "Worth another try"},
    "requestId": _titled("Request id", _TEXT_OR_NULL),
}
"""The properties of a result that is an error (requirement E1)."""
_TOOL = {"type": "string", "title": "Tool", "minLength": 1}

NO_ARGUMENTS: Schema = {"type": "object", "properties": {}, "additionalProperties": False}
ONE_TOOL = json_object(toolName=_TOOL)
REFINE_INPUT = json_object(
    toolName=_TOOL,
    feedback=_of(
        "string",
        "Refinement",
        description="What to change, in plain words: “make the table sortable”.",
        minLength=1,
    ),
)
REGENERATE_INPUT = json_object(
    toolName=_TOOL,
    clearRefinements=_of("boolean", "Forget the refinements so far", default=False),
    uiType=_of(
        "string", "Kind of UI", description="Left out, it stays what it is.", enum=["rich", "minimal"]
    ),
    variants=_of("integer", "Variants to choose between", enum=[1, 2], default=1),
    required=("toolName",),
)
SUBMIT_INPUT = json_object(
    toolName=_TOOL,
    html=_of(
        "string",
        "View",
        description="The view that was written to the prompt of `_ui_prompt`, whole.",
        minLength=1,
    ),
)
_NUMBER = _of(
    "integer", "Version", description="The number of a version that `_ui_history` lists.", minimum=1
)
ROLLBACK_INPUT = json_object(toolName=_TOOL, version=_NUMBER)
HISTORY_INPUT = json_object(
    toolName=_TOOL,
    version={**_NUMBER, "description": "The number of a version, to be given its source and its page too."},
    required=("toolName",),
)

LIST_OUTPUT = _answer(
    tools={
        "type": "array",
        "items": json_object(
            name=_TOOL_NAME,
            uiType=_UI_TYPE,
            cached={"type": "boolean", "title": "Cached"},
            refinements={"type": "integer", "minimum": 0, "title": "Refinements"},
            enabled={"type": "boolean", "title": "Has a UI"},
        ),
    }
)
INSPECT_OUTPUT = _answer(
    tool=_TOOL_NAME,
    uiType=_UI_TYPE,
    state=_titled("State", {"type": "string", "enum": ["minimal", "provisional", "generated", "fallback"]}),
    enabled={"type": "boolean", "title": "Has a UI"},
    resourceUri=_titled("UI address", _TEXT_OR_NULL),
    cached={"type": "boolean", "title": "Cached"},
    cacheKey=_titled("Cache key", _TEXT),
    generatedAt=_GENERATED_AT,
    generationDurationMs=_titled("Generation took (ms)", _NUMBER_OR_NULL),
    llmModel=_MODEL,
    promptVersion=_titled("Prompt version", _TEXT),
    templateVersion=_titled("Template version", _TEXT),
    refinementHistory=_titled("Refinements", _OBJECTS),
    inputSchema={"type": "object", "title": "Input schema"},
    repairs=_titled("Repairs", _NAMES),
    findings=_FINDINGS,
    fallbackReason=_titled("Why the minimal UI", _TEXT_OR_NULL),
    fallbackKind=_titled("Kind of failure", _TEXT_OR_NULL),
    requestId=_titled("Request id", _TEXT_OR_NULL),
)
REFRESH_OUTPUT = _answer(
    added=_titled("Added", _NAMES),
    removed=_titled("Removed", _NAMES),
    changed=_titled("Changed", _NAMES),
    unchanged=_titled("Unchanged", _NAMES),
)
CHANGE_OUTPUT = _answer(
    tool=_TOOL_NAME,
    status={"type": "string", "enum": ["done", "running", "failed"], "title": "Status"},
    uiType=_UI_TYPE,
    seconds={"type": "number", "minimum": 0, "title": "Seconds"},
    reason=_titled("Why it failed", _TEXT_OR_NULL),
    errorType=_titled("Kind of failure", _TEXT_OR_NULL),
    requestId=_titled("Request id", _TEXT),
    variants={"type": "array", "items": {"type": "integer"}, "title": "Versions to choose between"},
    next=_NEXT,
    required=("tool", "status", "uiType", "seconds", "reason", "errorType", "requestId"),
)
PROMPT_OUTPUT = _answer(
    tool=_TOOL_NAME,
    mode={"type": "string", "enum": ["fragment", "document"], "title": "What to write"},
    system=_titled("System prompt", _TEXT),
    prompt=_titled("Prompt", _TEXT),
    next=_NEXT,
)
SUBMIT_OUTPUT = _answer(
    tool=_TOOL_NAME,
    status=_DONE_OR_FAILED,
    ruling={"type": "string", "enum": ["accepted", "repaired", "fixable", "refused"], "title": "Ruling"},
    repairs=_titled("Repaired", _NAMES),
    findings=_FINDINGS,
    requestId=_titled("Request id", _TEXT),
)
_SAVED_VERSION = {"type": "integer", "minimum": 1, "title": "Version"}
_VERSION = json_object(
    version=_SAVED_VERSION,
    isPresent={"type": "boolean", "title": "Shown now"},
    occasion=_titled("Made for", _TEXT),
    uiType=_UI_TYPE,
    generatedAt=_GENERATED_AT,
    llmModel=_MODEL,
    refinements=_REFINEMENTS,
)
HISTORY_OUTPUT = _answer(
    tool=_TOOL_NAME,
    versions={"type": "array", "items": _VERSION},
    source=_titled("What was written", _TEXT),
    page=_titled("The page that hosts show", _TEXT),
    required=("tool", "versions"),
)
ROLLBACK_OUTPUT = _answer(tool=_TOOL_NAME, version=_SAVED_VERSION, uiType=_UI_TYPE, refinements=_REFINEMENTS)
LONGEST_WAIT_MS = 20_000
"""The longest time that an open page may wait for one answer."""
VIEW_INPUT = json_object(
    toolName=_TOOL,
    have={"type": "string", "title": "Version on the page"},
    waitMs=_of("integer", "Longest wait (ms)", default=0, minimum=0, maximum=LONGEST_WAIT_MS),
    broken={"type": "boolean", "title": "Not drawn", "default": False},
    view={"type": "string", "title": "View id"},
    keep={"type": "object", "title": "State to keep"},
    required=("toolName",),
)
VIEW_OUTPUT = _answer(
    tool=_TOOL_NAME,
    version=_titled("Version", _TEXT),
    state={"type": "string", "enum": ["minimal", "pending", "written"], "title": "State"},
    style=_titled("Style sheet", _TEXT),
    template=_titled("Template", _TEXT),
    script=_titled("Script", _TEXT),
    related=_titled("Tools that the view may call", _NAMES),
    document={"type": "boolean", "title": "No open page can take this view"},
    kept={"type": "object", "title": "State that is kept"},
    undo=_of("object", "What gives the tool its former view", properties={"tool": _TEXT, "version": _NUMBER}),
    choice=_of(
        "object",
        "What gives the tool the other of two variants",
        properties={"tool": _TEXT, "version": _NUMBER, "shown": {"type": "integer", "enum": [1, 2]}},
    ),
    required=("tool", "version", "state"),
)
LONGEST_COMPANION_WAIT_S = 50
"""The longest time of one call of `_ui_wait`: hosts abort longer calls."""
WAIT_INPUT = json_object(
    timeoutSeconds=_of(
        "integer", "Longest wait (s)", default=30, minimum=0, maximum=LONGEST_COMPANION_WAIT_S
    ),
    required=(),
)
PUSH_INPUT = json_object(
    title={"type": "string", "title": "Heading"},
    data={"title": "Data", "description": "Any JSON."},
    html={"type": "string", "title": "View", "description": "The fragment, whole.", "minLength": 1},
    required=(),
)
_ADDRESS = _titled("Address of the page", _TEXT)
OPEN_OUTPUT = _answer(
    address=_ADDRESS,
    tab={"type": "string", "enum": ["open", "opening", "not opened"], "title": "Tab in the browser"},
    next=_NEXT,
)
WAIT_OUTPUT = _answer(events=_titled("What the person did, in order", _OBJECTS))
PUSH_OUTPUT = _answer(
    status=_DONE_OR_FAILED,
    address=_ADDRESS,
    repairs=_titled("Repaired", _NAMES),
    findings=_FINDINGS,
    required=("status", "address"),
)
