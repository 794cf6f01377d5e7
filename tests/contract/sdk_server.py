"""A server made with the SDK, plain or with the wrapper. usage: sdk_server.py high|low plain|attached"""

import sys

import anyio
import mcp_types as types
from mcp.server import MCPServer, Server
from mcp.server.stdio import stdio_server

from genui_adapters.host import attach
from genui_core.application.wrapper import Wrapper

kind, dress = sys.argv[1:3]
ADD = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
}


def high():
    server = MCPServer("high")

    @server.tool(title="Add numbers")
    def add(a: float, b: float) -> float:
        """Add two numbers."""
        return a + b

    @server.resource("demo://greeting")
    def greeting() -> str:
        """A resource of the server itself."""
        return "hello"

    return server, server.run


def low():
    async def list_tools(_context, _params):
        return types.ListToolsResult(tools=[types.Tool(name="add", title="Add numbers", input_schema=ADD)])

    async def call_tool(_context, params):
        given = params.arguments
        text = types.TextContent(type="text", text=str(given["a"] + given["b"]))
        return types.CallToolResult(content=[text])

    server = Server("low", on_list_tools=list_tools, on_call_tool=call_tool)

    async def run():
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    return server, lambda: anyio.run(run)


server, run = {"high": high, "low": low}[kind]()
if dress == "attached":
    attach(Wrapper(), server)
run()
