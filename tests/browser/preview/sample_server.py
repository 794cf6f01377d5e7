"""A small MCP server with hand-written views, which the preview's browser tests show."""

import json
import os
import sys

VIEW_TYPE = "text/html;profile=mcp-app"
VIEW = r"""<!DOCTYPE html>
<html><head><meta charset="utf-8"><style>
:root { color-scheme: light dark }
body { margin: 0; padding: 16px; font: 14px/1.5 var(--font-sans, sans-serif); color: var(--color-text-primary) }
</style></head><body>
<p>Revision <b id="revision">@REVISION@</b>, theme <b id="theme"></b>, width <b id="width"></b></p>
<p>Input <code id="input">none</code></p><p>Result <code id="result">none</code></p>
<p>Own call <code id="own">none</code></p>
<button id="call">Greet Ada</button> <button id="link">Open a link</button> <button id="say">Say</button>
<button id="mode">Full screen</button> Shown <b id="shown"></b>
<script type="module">
const waiting = new Map(); let numbers = 0;
const $ = (id) => document.getElementById(id);
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params) => new Promise((resolve) => {
  const id = numbers++; waiting.set(id, resolve); send({ id, method, params });
});
const context = {};
function merge(part) {
  Object.assign(context, part);
  $("theme").textContent = context.theme; $("shown").textContent = context.displayMode; $("width").textContent = context.containerDimensions?.width;
  document.documentElement.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    document.documentElement.style.setProperty(name, value);
  }
}
const heard = {
  "ui/notifications/tool-input": (p) => { $("input").textContent = JSON.stringify(p.arguments); },
  "ui/notifications/tool-result": (p) => { $("result").textContent = p.content[0].text; },
  "ui/notifications/tool-cancelled": (p) => { $("result").textContent = "cancelled: " + p.reason; },
  "ui/notifications/host-context-changed": merge,
};
addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  if (data.method && data.id !== undefined) send({ id: data.id, result: {} });
  else if (data.method) heard[data.method]?.(data.params);
  else waiting.get(data.id)?.(data);
});
$("call").onclick = async () => {
  const answer = await ask("tools/call", { name: "greet", arguments: { name: "Ada" } });
  $("own").textContent = answer.result?.content[0].text ?? answer.error.message;
};
$("link").onclick = async () => {
  const answer = await ask("ui/open-link", { url: "https://example.com/a?b=c" });
  $("own").textContent = JSON.stringify(answer.result);
};
$("mode").onclick = async () => {
  const answer = await ask("ui/request-display-mode", { mode: "fullscreen" });
  $("own").textContent = answer.result.mode;
};
$("say").onclick = () => ask("ui/message", { kind: "rolled_back", number: 0, role: "user", content: [{ type: "text", text: "Hello, chat" }] });
const answer = await ask("ui/initialize", {
  appInfo: { name: "sample", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26",
});
merge(answer.result.hostContext);
send({ method: "ui/notifications/initialized" });
const size = () => ({ width: document.body.offsetWidth, height: document.body.offsetHeight });
new ResizeObserver(() => send({ method: "ui/notifications/size-changed", params: size() })).observe(document.body);
@EXTRA@
</script></body></html>"""
TROUBLE = (
    "new Image().src = 'https://example.com/pixel.png'; console.error('view', 'trouble');"
    "send({ method: 'ui/notifications/sandbox-diagnostic', params: { kind: 'error', text: 'spoofed' } });"
)

revision = 1


def tool(name, description, *, ui=True, required=(), **more):
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": list(required)}
    made = {"name": name, "description": description, "inputSchema": schema, **more}
    return {**made, "_meta": {"ui": {"resourceUri": f"ui://{name}"}}} if ui else made


TOOLS = [
    tool(
        "greet",
        "Greets a person by name.",
        title="Greet",
        required=["name"],
        annotations={"readOnlyHint": True},
    ),
    tool("plain", "Has no view of its own.", ui=False),
    tool("erase", "Deletes everything it finds.", annotations={"destructiveHint": True}),
    tool("trouble", "Its view does what a view may not."),
    tool("hostile", "<img src=x onerror=alert(1)>", title="<script>alert(1)</script>", ui=False),
    tool("broken", "Its view cannot be read."),
    tool("refuse", "Always fails.", ui=False),
    tool("wait", "Never answers."),
    tool("revise", "Changes every view.", ui=False),
    tool("die", "Ends the server.", ui=False),
    tool("data", "Returns data.", ui=False),
    tool("_ui_refine", "Changes a view.", ui=False),
]


class Refused(Exception):
    pass


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def report(params):
    token = params["_meta"]["progressToken"]
    for number, words in enumerate(("Thinking", "Writing")):
        told = {"progressToken": token, "progress": number, "message": words}
        send({"method": "notifications/progress", "params": told})


def call(params):
    global revision  # noqa: PLW0603
    name, arguments = params["name"], params.get("arguments", {})
    if name == "refuse":
        raise Refused("The sample refuses.")
    if name == "die":
        sys.stderr.write("the sample server dies now\n")
        sys.stderr.flush()
        os._exit(7)
    if name in {"revise", "_ui_refine"}:
        revision += 1
        send({"method": "notifications/resources/updated", "params": {"uri": "ui://greet"}})
    if name == "_ui_refine":
        return {"content": [{"type": "text", "text": f"Heard: {arguments['feedback']}"}]}
    if name == "data":
        data = {"rows": [{"a": 1.0}]}
        text = json.dumps(data) if arguments.get("name") == "text" else "One row."
        more = {} if arguments.get("name") == "text" else {"structuredContent": data}
        return {"content": [{"type": "text", "text": text}], **more}
    return {"content": [{"type": "text", "text": f"Hello, {arguments.get('name', 'you')}!"}], "unknown": 1.0}


def read(params):
    name = params["uri"].removeprefix("ui://")
    if name == "broken":
        raise Refused("The sample cannot read that.")
    html = VIEW.replace("@REVISION@", str(revision)).replace("@EXTRA@", TROUBLE if name == "trouble" else "")
    return {"contents": [{"uri": params["uri"], "mimeType": VIEW_TYPE, "text": html}]}


def initialize(params):
    return {
        "protocolVersion": params["protocolVersion"],
        "capabilities": {"tools": {"listChanged": True}, "resources": {}},
        "serverInfo": {"name": "sample", "version": "1.0"},
    }


def list_tools(params):
    # Two pages, so that whoever lists the tools has to ask twice.
    return {"tools": TOOLS[5:]} if params.get("cursor") else {"tools": TOOLS[:5], "nextCursor": "rest"}


METHODS = {"initialize": initialize, "tools/list": list_tools, "tools/call": call, "resources/read": read}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if "id" not in message:
            continue
        if params.get("name") == "wait":
            told = {
                "progressToken": params["_meta"]["progressToken"],
                "progress": 2,
                "total": 5,
                "message": "Halfway",
            }
            send({"method": "notifications/progress", "params": told})
            continue
        if params.get("arguments", {}).get("feedback") == "slowly":
            report(params)
            continue
        try:
            send({"id": message["id"], "result": METHODS[method](params)})
        except Refused as refused:
            send({"id": message["id"], "error": {"code": -32001, "message": str(refused), "data": {"a": 1}}})


main()
