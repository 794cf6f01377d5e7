"""An upstream for the list of faults: the standard library only, so that it starts at once.

usage: faulty_upstream.py SPAWNED BROKEN

It appends its process id to SPAWNED when it starts, and exits at once if BROKEN exists. Its tool ``read_rows``
answers, ``never`` does not, ``change`` sends `tools/list_changed` ``times`` times, and ``heard`` returns the
number of requests per method.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}
TOOLS = [
    {
        "name": name,
        "description": "Reads rows.",
        "inputSchema": {"type": "object"},
        **({"outputSchema": ROWS} if name == "read_rows" else {}),
    }
    for name in ("read_rows", "never", "change", "heard")
]
CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
HEARD = Counter()


def send(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def called(name, arguments):
    """Return the text of a call's result, or None if the call gets no answer."""
    if name == "change":
        send(CHANGED * arguments["times"])
    if name == "heard":
        return json.dumps(HEARD)
    return None if name == "never" else "done"


def result_of(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "faulty", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        text = called(params["name"], params.get("arguments") or {})
        return None if text is None else {"content": [{"type": "text", "text": text}]}
    return {}


def main(spawned, broken):
    with Path(spawned).open("a") as file:
        file.write(f"{os.getpid()}\n")
    if Path(broken).exists():
        sys.exit("broken at the start")
    for line in sys.stdin.buffer:
        message = json.loads(line)
        HEARD[message.get("method")] += 1
        if "id" in message and "method" in message:
            result = result_of(message["method"], message.get("params") or {})
            if result is not None:
                send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n")


main(*sys.argv[1:])
