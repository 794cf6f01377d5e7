"""A server with everything that the official conformance suite tests. usage: fixture_server.py PORT

Its tools and prompts have the names and answers that the suite's scenarios expect.
"""

import hashlib
import hmac
import json
import sys

import anyio
import uvicorn
from mcp import MCPError
from mcp.server import Server
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ToolsListChanged,
)

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
NOTHING = {"type": "object", "properties": {}}
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SECRET = b"only this process knows"
bus = InMemorySubscriptionBus()


def text(said):
    return {"type": "text", "text": said}


def content(*items, **fields):
    return {"content": [text(each) if isinstance(each, str) else each for each in items], **fields}


def embedded(uri, mime_type, said):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": said}}


def form(message, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(prompt, most_tokens=100):
    messages = [{"role": "user", "content": text(prompt)}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": most_tokens}}


ROOTS = {"method": "roots/list", "params": {}}
STRING = {"type": "string"}


async def ask(context, question):
    """Send a request to a host with a session and return its answer."""
    return await context.session._request_outbound.send_raw_request(question["method"], question["params"])


def needs(requests, state=None):
    signed = {} if state is None else {"requestState": sign(state)}
    return {"resultType": "input_required", "inputRequests": requests, **signed}


def sign(state):
    return f"{state}.{hmac.new(SECRET, state.encode(), hashlib.sha256).hexdigest()}"


def verified_state(params):
    """Return the state that the host sent back; raise an error if its signature is wrong."""
    given = params.request_state
    state = (given or "").rpartition(".")[0]
    if given is None or not hmac.compare_digest(sign(state), given):
        raise MCPError(-32602, "requestState is not what was given")
    return state


def input_responses(params, *keys):
    """Return the host's input responses to these keys, or None if one is missing."""
    given = params.input_responses or {}
    found = {key: plain(given[key]) for key in keys if key in given}
    return found if len(found) == len(keys) else None


def plain(value):
    return (
        value if isinstance(value, dict) else value.model_dump(mode="json", by_alias=True, exclude_none=True)
    )


# --- tools ----------------------------------------------------------------------------------


async def log(context, _params):
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", said, related_request_id=context.request_id)
        await anyio.sleep(0.05)
    return content("logged")


async def progress(context, _params):
    for step in (0, 50, 100):
        await context.session.report_progress(step, 100)
        await anyio.sleep(0.05)
    return content("done")


async def sample(context, params):
    answer = await ask(context, sampling(params.arguments["prompt"]))
    return content(f"LLM response: {answer['content']['text']}")


async def elicit(context, params):
    described = {"type": "string", "description": "User's response"}
    answer = await ask(context, form(params.arguments["message"], username=described, email=described))
    return content(f"User response: {json.dumps(answer)}")


def elicits(**properties):
    async def run(context, _params):
        answer = await ask(context, form("Please fill in", **properties))
        return content(f"Elicitation completed: action={answer['action']}, content={answer.get('content')}")

    return run


DEFAULTS = elicits(
    name={"type": "string", "default": "John Doe"},
    age={"type": "integer", "default": 30},
    score={"type": "number", "default": 95.5},
    status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    verified={"type": "boolean", "default": True},
)
PLAIN = ["option1", "option2", "option3"]
TITLED = [
    {"const": f"value{number}", "title": f"{name} Option"}
    for number, name in enumerate(("First", "Second", "Third"), 1)
]
ENUMS = elicits(
    untitledSingle={"type": "string", "enum": PLAIN},
    titledSingle={"type": "string", "oneOf": TITLED},
    legacyEnum={
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti={"type": "array", "items": {"type": "string", "enum": PLAIN}},
    titledMulti={"type": "array", "items": {"anyOf": TITLED}},
)


def once(requests, done, state=None):
    """Return a tool that requires these inputs once, and then returns its result."""

    async def run(_context, params):
        if state is not None and params.input_responses is not None:
            verified_state(params)
        answers = input_responses(params, *requests)
        return needs(requests, state) if answers is None else content(done(answers))

    return run


async def multi_round(_context, params):
    first, second = (
        form("Step 1: What is your name?", name=STRING),
        form("Step 2: What is your favorite color?", color=STRING),
    )
    state = verified_state(params) if params.request_state is not None else None
    if state is None or (state == "one" and input_responses(params, "step1") is None):
        return needs({"step1": first}, "one")
    if state == "one" or input_responses(params, "step2") is None:
        return needs({"step2": second}, "two")
    return content("All steps are done.")


async def tampered(_context, params):
    if params.request_state is None:
        return needs({"confirm": form("Please confirm", ok={"type": "boolean"})}, "kept")
    verified_state(params)
    return content("state-ok")


async def capable(context, params):
    known = {"sampling": sampling("Hello"), "elicitation": form("Who?", name=STRING), "roots": ROOTS}
    shown = (context.params or {}).get("_meta", {}).get(CAPABILITIES, {})
    requests = {name: question for name, question in known.items() if name in shown}
    if params.input_responses is not None or not requests:
        return content("done")
    return needs(requests)


async def missing(context, _params):
    shown = (context.params or {}).get("_meta", {}).get(CAPABILITIES, {})
    if "sampling" not in shown:
        raise MCPError(
            -32021, "The capability sampling is needed", {"requiredCapabilities": {"sampling": {}}}
        )
    return content("done")


async def streaming(context, _params):
    await context.session.report_progress(1, 2)
    return content("streamed")


def changes(event):
    async def run(context, _params):
        await bus.publish(event)
        return content("changed")

    return run


def says(*items, **fields):
    async def run(_context, _params):
        return content(*items, **fields)

    return run


IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
NAME = form("What is your name?", name=STRING)
TOOLS = {
    "test_simple_text": says("This is a simple text response for testing."),
    "test_image_content": says(IMAGE),
    "test_audio_content": says({"type": "audio", "data": SOUND, "mimeType": "audio/wav"}),
    "test_embedded_resource": says(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": says(
        "Multiple content types test:",
        IMAGE,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
    "test_tool_with_logging": log,
    "test_logging_tool": log,
    "test_error_handling": says("This tool intentionally returns an error for testing", isError=True),
    "test_tool_with_progress": progress,
    "test_sampling": sample,
    "test_elicitation": elicit,
    "test_elicitation_sep1034_defaults": DEFAULTS,
    "test_elicitation_sep1330_enums": ENUMS,
    "test_missing_capability": missing,
    "test_streaming_elicitation": streaming,
    "test_trigger_tool_change": changes(ToolsListChanged()),
    "test_trigger_prompt_change": changes(PromptsListChanged()),
    "test_custom_headers": says("seen"),
    "json_schema_2020_12_tool": says("ok"),
    "test_input_required_result_elicitation": once(
        {"user_name": NAME}, lambda got: f"Hello, {got['user_name'].get('content', {}).get('name')}!"
    ),
    "test_input_required_result_sampling": once(
        {"capital_question": sampling("What is the capital of France?")},
        lambda got: got["capital_question"]["content"]["text"],
    ),
    "test_input_required_result_list_roots": once(
        {"client_roots": ROOTS}, lambda got: json.dumps(got["client_roots"]["roots"])
    ),
    "test_input_required_result_request_state": once(
        {"confirm": form("Please confirm", ok={"type": "boolean"})}, lambda _got: "state-ok", "kept"
    ),
    "test_input_required_result_multiple_inputs": once(
        {"user_name": NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS},
        lambda got: f"{len(got)} answers",
        "kept",
    ),
    "test_input_required_result_multi_round": multi_round,
    "test_input_required_result_tampered_state": tampered,
    "test_input_required_result_capabilities": capable,
}
SCHEMAS = {
    "test_sampling": {"type": "object", "properties": {"prompt": STRING}, "required": ["prompt"]},
    "test_elicitation": {"type": "object", "properties": {"message": STRING}, "required": ["message"]},
    "test_custom_headers": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": STRING},
    },
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": STRING, "city": STRING},
            }
        },
        "properties": {
            "name": STRING,
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": STRING,
            "email": STRING,
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
}


async def list_tools(_context, _params):
    return {
        "tools": [
            {"name": name, "description": name, "inputSchema": SCHEMAS.get(name, NOTHING)} for name in TOOLS
        ]
    }


async def call_tool(context, params):
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(-32602, f"Unknown tool: {params.name}")
    return await tool(context, params)


# --- resources and prompts ------------------------------------------------------------------

RESOURCES = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "watched"},
}


async def list_resources(_context, _params):
    return {
        "resources": [
            {"uri": uri, "name": uri, "description": uri, "mimeType": each["mimeType"]}
            for uri, each in RESOURCES.items()
        ]
    }


async def list_templates(_context, _params):
    template = {"uriTemplate": "test://template/{id}/data", "name": "template", "description": "A template"}
    return {"resourceTemplates": [template]}


async def read(_context, params):
    uri = str(params.uri)
    parts = uri.split("/")
    if uri.startswith("test://template/") and parts[-1] == "data":
        data = {"id": parts[3], "templateTest": True, "data": f"Data for ID: {parts[3]}"}
        return {"contents": [{"uri": uri, "mimeType": "application/json", "text": json.dumps(data)}]}
    if uri not in RESOURCES:
        raise MCPError(-32602, "Resource not found", {"uri": uri})
    return {"contents": [{"uri": uri, **RESOURCES[uri]}]}


def user(said):
    return {"role": "user", "content": said}


PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


async def list_prompts(_context, _params):
    def argument(name):
        return {"name": name, "description": name, "required": True}

    return {
        "prompts": [
            {"name": name, "description": name, "arguments": [*map(argument, names)]}
            for name, names in PROMPTS.items()
        ]
    }


async def get_prompt(_context, params):
    given = params.arguments or {}
    if params.name == "test_input_required_result_prompt":
        requests = {"user_context": form("What context should the prompt use?", context=STRING)}
        if input_responses(params, "user_context") is None:
            return needs(requests)
        return {"messages": [user(text("With context."))]}
    said = {
        "test_simple_prompt": lambda: [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": lambda: [
            text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")
        ],
        "test_prompt_with_embedded_resource": lambda: [
            embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": lambda: [IMAGE, text("Please analyze the image above.")],
    }
    if params.name not in said:
        raise MCPError(-32602, f"Unknown prompt: {params.name}")
    return {"messages": [*map(user, said[params.name]())]}


async def complete(_context, _params):
    return {"completion": {"values": ["paris", "suspend", "party"], "total": 150, "hasMore": False}}


async def nothing(_context, _params):
    return {}


def with_envelope(handler, **hints):
    """Return a handler whose results have the envelope of the modern era."""

    async def run(context, params):
        result = await handler(context, params)
        if context.protocol_version < "2026":
            return result
        return {"resultType": "complete", **hints, **result}

    return run


def cacheable(handler):
    return with_envelope(handler, ttlMs=0, cacheScope="private")


server = Server(
    "conformance fixture",
    version="1",
    on_list_tools=cacheable(list_tools),
    on_call_tool=with_envelope(call_tool),
    on_list_resources=cacheable(list_resources),
    on_list_resource_templates=cacheable(list_templates),
    on_read_resource=cacheable(read),
    on_subscribe_resource=nothing,
    on_unsubscribe_resource=nothing,
    on_subscriptions_listen=ListenHandler(bus),
    on_list_prompts=cacheable(list_prompts),
    on_get_prompt=with_envelope(get_prompt),
    on_completion=with_envelope(complete),
    on_set_logging_level=nothing,
)
if __name__ == "__main__":
    uvicorn.run(server.streamable_http_app(), port=int(sys.argv[1]), log_level="error", http="h11")
