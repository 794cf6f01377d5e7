"""An upstream that does what a test wants: the standard library only, so that it starts at once.

usage: scripted_upstream.py [--noise] [--ignore-end] [--ignore-sigterm] [--pid-file FILE] [--die-on METHOD]
"""

import json
import os
import signal
import subprocess
import sys
import time

FLAGS = sys.argv[1:]
TOOLS = [
    {
        "name": "echo",
        "description": "Say it again.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
    {
        "name": "big",
        "description": "Much text.",
        "inputSchema": {"type": "object", "properties": {"bytes": {"type": "integer"}}},
    },
]


def option(name):
    return FLAGS[FLAGS.index(name) + 1] if name in FLAGS else None


def send(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def text_result(text):
    return {"content": [{"type": "text", "text": text}], "isError": False}


def call(params):
    name, arguments = params["name"], params.get("arguments") or {}
    if name == "echo":
        return text_result(arguments["text"])
    if name == "big":
        return text_result("x" * arguments["bytes"])
    if name == "stderr":
        for _ in range(arguments["lines"]):
            sys.stderr.write("log " * 20 + "\n")
        sys.stderr.flush()
        return text_result("logged")
    if name == "child":
        code = "import time; time.sleep(600)"
        return text_result(str(subprocess.Popen([sys.executable, "-c", code]).pid))
    if name == "environment":
        return text_result(json.dumps(dict(os.environ)))
    raise KeyError(name)


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == option("--die-on"):
        os._exit(9)
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "scripted", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    return {}


def main():
    if "--ignore-sigterm" in FLAGS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if option("--pid-file"):
        with open(option("--pid-file"), "w") as file:  # noqa: PTH123
            file.write(str(os.getpid()))
    if "--noise" in FLAGS:
        sys.stdout.write("Starting up...\nDEBUG ready\n")
        sys.stdout.flush()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message and "method" in message:
            send({"jsonrpc": "2.0", "id": message["id"], "result": answer(message)})
    while "--ignore-end" in FLAGS:
        time.sleep(1)


main()
