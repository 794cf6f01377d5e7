"""A server made with the SDK. usage: sdk_server.py stdio | sse PORT | streamable-http PORT"""

import sys

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

transport, *port = sys.argv[1:]
server = MCPServer("sdk", instructions="Made with the SDK.")


@server.tool()
async def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@server.tool()
async def work(steps: int, ctx: Context) -> str:
    """Report every step."""
    for step in range(steps):
        await ctx.report_progress(step, steps, f"step {step}")
    return "done"


@server.tool()
async def roots(ctx: Context) -> int:
    """Count the host's roots."""
    return len((await ctx.session.list_roots()).roots)


@server.tool()
async def grow(ctx: Context) -> str:
    """Add a tool and notify the host."""
    server.add_tool(lambda: "grown", name="grown")
    await ctx.session.send_tool_list_changed()
    await ctx.notify_tools_changed()
    return "done"


@server.resource("text://big")
def big() -> str:
    """Return a long text."""
    return "x" * 2_000_000


if transport == "stdio":
    server.run()
else:
    server.run(transport, host="127.0.0.1", port=int(port[0]))
