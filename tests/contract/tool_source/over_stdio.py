"""A scripted upstream on standard input and output, with faults.

usage: over_stdio.py [--stateless] [--die-of METHOD [--once FILE]] [--hang-on METHOD] [--noise]
                     [--flood LINES] [--half-a-line] [--calls FILE] [--pid FILE] [--slow SECONDS] [--deaf-after METHOD]
"""

import json
import os
import sys
import time
from pathlib import Path

from genui_core.testing.scripted_upstream import Die, ScriptedUpstream

FLAGS = sys.argv[1:]


def option(name):
    return FLAGS[FLAGS.index(name) + 1] if name in FLAGS else None


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def perform(acts):
    for act in acts:
        if isinstance(act, Die):
            if "--half-a-line" in FLAGS:
                write(b'{"jsonrpc":"2.0","id":1,"resu')
            os._exit(9)
        write(json.dumps(act.message).encode() + b"\n")


def note_call(message):
    if message.get("method") == "tools/call" and option("--calls"):
        with Path(option("--calls")).open("a") as calls:
            calls.write(message["params"]["name"] + "\n")


def is_first_time():
    try:
        Path(option("--once") or os.devnull + "/x").open("x").close()
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def main():
    time.sleep(float(option("--slow") or 0))
    if option("--pid"):
        Path(option("--pid")).write_text(str(os.getpid()))
    for _ in range(int(option("--flood") or 0)):
        sys.stderr.write("log " * 20 + "\n")
    if "--noise" in FLAGS:
        write(
            b'Starting...\n\xff\xfe\n{"level":"info"}\n[]\n[1]\n"text"\n{"jsonrpc":"2.0"}\n\n'
            + b"[" * 100_000
            + b"\n"
        )
    upstream = ScriptedUpstream("--stateless" in FLAGS)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        note_call(message)
        method = message.get("method", "an answer")
        if method == option("--die-of") and is_first_time():
            os._exit(9)
        if method != option("--hang-on"):
            perform(upstream.receive(message))
        if method == option("--deaf-after"):
            time.sleep(600)


main()
