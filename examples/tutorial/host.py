"""The smallest host there is: it starts a server, asks one thing, prints the answer and leaves.

python host.py tools            -- COMMAND      the tools, and where their UIs are
python host.py read URI         -- COMMAND      a resource, such as a UI
python host.py call TOOL [JSON] -- COMMAND      what a tool answers
"""

import json
import subprocess
import sys
from itertools import count
from typing import Any

SHOWS_APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": SHOWS_APPS,
    "clientInfo": {"name": "smallest", "version": "1"},
}


class Server:
    """A server that was started, with a host's side of the protocol."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.ids = count(1)
        self.ask("initialize", HELLO)
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        """Send one message: a line of JSON."""
        print(json.dumps({"jsonrpc": "2.0", **message}), file=self.process.stdin, flush=True)

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer; what else comes is passed over."""
        asked = next(self.ids)
        self.send({"id": asked, "method": method, "params": params})
        for line in self.process.stdout or ():
            answer = json.loads(line)
            if answer.get("id") == asked and "method" not in answer:
                if "error" in answer:
                    sys.exit(answer["error"]["message"])
                return dict(answer["result"])
        sys.exit("The server left without an answer.")

    def leave(self) -> None:
        """Leave as hosts do, by closing the server's input."""
        self.process.communicate()


def told(server: Server, question: list[str]) -> str:
    """Ask one thing and return the answer as text."""
    match question:
        case ["tools"]:
            tools = server.ask("tools/list", {})["tools"]
            places = (tool.get("_meta", {}).get("ui", {}).get("resourceUri", "no UI") for tool in tools)
            return "\n".join(f"{tool['name']}: {place}" for tool, place in zip(tools, places, strict=True))
        case ["read", uri]:
            server.ask("tools/list", {})
            return str(server.ask("resources/read", {"uri": uri})["contents"][0]["text"])
        case ["call", tool, *arguments]:
            server.ask("tools/list", {})
            given = json.loads(arguments[0]) if arguments else {}
            result = server.ask("tools/call", {"name": tool, "arguments": given})
            return json.dumps(result.get("structuredContent", result["content"]), indent=2)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    if "--" not in sys.argv:
        sys.exit(__doc__)
    dashes = sys.argv.index("--")
    server = Server(sys.argv[dashes + 1 :])
    print(told(server, sys.argv[1:dashes]))
    server.leave()
