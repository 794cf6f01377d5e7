"""An upstream that costs almost nothing: one tool returns its text, and one returns a long text."""

import json
import os


def main() -> None:
    """Answer requests on standard input until it ends."""
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "payload")]
    buffer = b""
    while chunk := os.read(0, 1 << 16):
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "id" in message:
                result = answer(message["method"], message.get("params") or {}, tools)
                write_all(
                    json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n"
                )


def answer(method: str, params: dict, tools: list) -> dict:
    """Return the result of a request."""
    if method == "tools/call":
        arguments = params["arguments"]
        text = arguments["text"] if params["name"] == "echo" else "x" * arguments["bytes"]
        return {"content": [{"type": "text", "text": text}]}
    if method == "tools/list":
        return {"tools": tools}
    return {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "echo", "version": "1"},
    }


def write_all(data: bytes) -> None:
    """Write all bytes."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


main()
