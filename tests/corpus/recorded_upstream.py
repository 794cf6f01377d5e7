"""Play a recorded third-party server: its tools as it listed them, its results as it gave them.

usage: recorded_upstream.py FOLDER [--without-uis]      (FOLDER holds tools.json and calls.json)

With --without-uis, tools that have their own UI are listed without its address, as an older
version of the server would list them. A call that was recorded with the same arguments gets its recorded
answer, another call of the same tool the tool's first recorded answer, and any other call an error.
"""

import json
import sys
from pathlib import Path

UI_ADDRESSES = frozenset({"ui/resourceUri", "openai/outputTemplate"})


def main(folder, *options):
    """Answer requests on standard input until it ends."""
    tools = json.loads((folder / "tools.json").read_text())["tools"]
    if "--without-uis" in options:
        tools = [without_ui(each) for each in tools]
    recorded = folder / "calls.json"
    calls = json.loads(recorded.read_text()) if recorded.is_file() else []
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message and "method" in message:
            body = answer(message["method"], message.get("params") or {}, folder.name, tools, calls)
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}) + "\n")
            sys.stdout.flush()


def without_ui(tool):
    """Return a tool without the address of its own UI, in every spelling that hosts read."""
    meta = {key: value for key, value in (tool.get("_meta") or {}).items() if key not in UI_ADDRESSES}
    if isinstance(meta.get("ui"), dict):
        meta["ui"] = {key: value for key, value in meta["ui"].items() if key != "resourceUri"}
    meta = {key: value for key, value in meta.items() if key != "ui" or value}
    return {**tool, "_meta": meta} if meta else {key: value for key, value in tool.items() if key != "_meta"}


def answer(method, params, server, tools, calls):
    """Return the ``result`` or ``error`` of a request to the server with this name."""
    if method == "initialize":
        info = {"name": server, "version": "1"}
        version = params["protocolVersion"]
        return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}}
    if method == "tools/list":
        return {"result": {"tools": tools}}
    if method == "tools/call":
        return recorded_answer(params, calls)
    return {"result": {}} if method == "ping" else {"error": {"code": -32601, "message": "Method not found"}}


def recorded_answer(params, calls):
    """Return the recorded answer of a call, or of another call of the tool."""
    of_tool = [each for each in calls if each["tool"] == params["name"]]
    same = [each for each in of_tool if each["arguments"] == params.get("arguments")]
    for each in (*same, *of_tool):
        response = each.get("response") or {}
        if "result" in response or "error" in response:
            return {key: response[key] for key in ("result", "error") if key in response}
    said = "There is no recording of this tool's result."
    text = json.dumps({"tool": params["name"], "said": said, "arguments": params.get("arguments")})
    return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
