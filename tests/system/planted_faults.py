"""A server whose tools have their own views, each with faults that a check must find; `sound` has none.

usage: planted_faults.py
"""

import json
import sys

SPEAKS = """
<script>
const ask = (method, params) => parent.postMessage({ jsonrpc: "2.0", id: method, method, params }, "*");
addEventListener("message", ({ data }) => {
  if (data.id === "ui/initialize") {
    parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*");
    parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { height: 200 } }, "*");
  }
  if (data.method === "ui/notifications/tool-result" && window.shows !== false) {
    document.querySelector("output").textContent = data.params.content[0].text;
  }
});
ask("ui/initialize", { appInfo: { name: "planted", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" });
document.querySelector("form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  ask("tools/call", { name: "form", arguments: { count: "many" } });
});
</script>
"""


def sound(body):
    """Return a page without faults around a body."""
    return f"<!doctype html><html lang='en'><title>Planted</title><body>{body}<output>…</output>{SPEAKS}"


PAGES = {
    "sound": sound(
        "<label>Name <input></label><script>try { new Function(''); } catch { /* as some libraries do */ }</script>"
    ),
    "markup": "<!doctype html><html><body style='color: #bbb; background: #fff'><input><i id='a'>one</i><i id='a'>two</i>"
    "<div style='width: 500px'>wide</div><output>…</output>" + SPEAKS,
    "script": sound("<img alt='' src='https://example.org/a.png'>")
    + "<script>console.error('planted in the console'); setTimeout(() => planted.fails());</script>",
    "silent": "<!doctype html><html lang='en'><title>Silent</title><p>Nothing is said.</p><output>…</output>",
    "empty": sound("").replace("<output>…</output>", "<output></output>") + "<script>shows = false</script>",
    "form": sound("<form><button>Send</button></form>"),
    "unreadable": "",
}
FAULTS = {
    "sound": set(),
    "markup": {"name", "contrast", "ids", "lang", "title", "overflow"},
    "script": {"console", "error", "policy"},
    "silent": {"silent"},
    "empty": {"empty", "result"},
    "form": {"form"},
    "unreadable": {"unreadable"},
}
"""The rules that each view breaks, and no others."""


def answer(method, params):
    """Return the result of a request."""
    if method == "initialize":
        capabilities = {"tools": {}, "resources": {}}
        version = params["protocolVersion"]
        return {
            "protocolVersion": version,
            "capabilities": capabilities,
            "serverInfo": {"name": "p", "version": "1"},
        }
    if method == "tools/list":
        schema = {"type": "object", "properties": {"count": {"type": "integer"}}}
        return {"tools": [
            {"name": name, "inputSchema": schema, "_meta": {"ui": {"resourceUri": f"ui://planted/{name}"}}}
            for name in PAGES
        ]}  # fmt: skip
    if method == "resources/read":
        page = PAGES[params["uri"].rpartition("/")[2]]
        return {"contents": [{"uri": params["uri"], "mimeType": "text/html;profile=mcp-app", "text": page}]}
    return {"tools": [], "resources": []}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message["method"], message.get("params", {}))
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
            sys.stdout.flush()
