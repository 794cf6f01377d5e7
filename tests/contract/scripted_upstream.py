"""An upstream whose flags select its behaviour: the standard library only, so that it starts at once.

usage: scripted_upstream.py [FLAGS]

--noise           says something before the protocol   --ignore-end      lives on when its input ends
--ignore-sigterm  lives on after SIGTERM               --silent          never answers
--die-on METHOD   ends when it is asked that           --broken-if FILE  ends at once where the file is
--pid-file FILE   writes its process id                --tools FILE      lists the tools in the file
--heard FILE      appends each message and the process id that heard it
--pause SECONDS   takes so long before each answer      --slow SECONDS    takes so long to start
--called NAME     calls itself that
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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
CURRENT = {}


def option(name):
    return FLAGS[FLAGS.index(name) + 1] if name in FLAGS else None


def send(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def text_result(text):
    return {"content": [{"type": "text", "text": text}], "isError": False}


# --- tools --------------------------------------------------------------------------------


def say_much_to_the_log(lines):
    sys.stderr.write(("log " * 20 + "\n") * lines)
    sys.stderr.flush()
    return "logged"


def start_child():
    return str(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid)


def ask_the_host():
    send({"jsonrpc": "2.0", "id": 0, "method": "roots/list"})
    return "asked"


def announce_other_tools():
    send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    return "announced"


CALLS = {
    "echo": lambda text: text,
    "big": lambda bytes: "x" * bytes,  # noqa: A006
    "stderr": say_much_to_the_log,
    "child": start_child,
    "environment": lambda: json.dumps(dict(os.environ)),
    "ask": ask_the_host,
    "announce": announce_other_tools,
    "fault": lambda kind: FAULTS[kind]() or kind,
}


# --- ways in which servers go wrong -------------------------------------------------------


def leave(last=b""):
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os.write(1, last)
    os._exit(7)


def leave_a_child_behind():
    start_child()
    leave()


def close_and_live_on(descriptor):
    os.close(descriptor)
    time.sleep(600)


def half_a_long_line():
    return b'{"jsonrpc":"2.0","id":%s,"result":{"x":"' % json.dumps(CURRENT["id"]).encode() + b"x" * 60_000


FAULTS = {
    "none": lambda: None,
    "exit": leave,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "half a line": lambda: leave(b'{"jsonrpc":"2.0","id":'),
    "half a long line": lambda: leave(half_a_long_line()),
    "exit, child holds output": leave_a_child_behind,
    "close output": lambda: close_and_live_on(1),
    "close input": lambda: close_and_live_on(0),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hang": lambda: time.sleep(600),
    "hang in a line": lambda: os.write(1, half_a_long_line()) and time.sleep(600),
    "garbage": lambda: sys.stdout.write("\x00\x01 not a message\n{half\n" * 1000) and None,
    "flood": lambda: say_much_to_the_log(100_000) and None,
}


# --- requests -----------------------------------------------------------------------------


def listed():
    return json.loads(Path(option("--tools")).read_text()) if option("--tools") else TOOLS


RESULTS = {
    "initialize": lambda params: {
        "protocolVersion": params["protocolVersion"],
        "capabilities": {"tools": {}, "logging": {}},
        "serverInfo": {"name": option("--called") or "scripted", "version": "1"},
    },
    "tools/list": lambda _params: {"tools": listed()},
    "tools/call": lambda params: text_result(CALLS[params["name"]](**params.get("arguments") or {})),
}


def serve(message):
    if option("--heard"):
        with open(option("--heard"), "a") as file:  # noqa: PTH123
            file.write(json.dumps([os.getpid(), message]) + "\n")
    if "id" not in message or "method" not in message or "--silent" in FLAGS:
        return
    if message["method"] == option("--die-on"):
        os._exit(9)
    CURRENT.update(message)
    time.sleep(float(option("--pause") or 0))
    result = RESULTS.get(message["method"], lambda _params: {})(message.get("params") or {})
    send({"jsonrpc": "2.0", "id": message["id"], "result": result})


def main():
    if option("--broken-if") and Path(option("--broken-if")).exists():
        sys.exit("broken at the start")
    if "--ignore-sigterm" in FLAGS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if option("--pid-file"):
        Path(option("--pid-file")).write_text(str(os.getpid()))
    time.sleep(float(option("--slow") or 0))
    if "--noise" in FLAGS:
        sys.stdout.write("Starting up...\nDEBUG ready\n")
        sys.stdout.flush()
    for line in sys.stdin.buffer:
        serve(json.loads(line))
    while "--ignore-end" in FLAGS:
        time.sleep(1)


main()
