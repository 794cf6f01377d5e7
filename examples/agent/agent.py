"""A chat whose agent calls the tools of a wrapped server, and whose page shows their views.

The agent framework keeps the UI: each tool's return carries the address of the view, the arguments and the whole result.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, ToolReturnPart
from pydantic_ai.mcp import MCP_APP_METADATA_KEY, MCPToolset
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

HERE = Path(__file__).parent
BAKERY = HERE.parent / "tutorial" / "bakery_server.py"

# The framework reads the address of a view but does not ask for it, so the wrapper gives UIs `always`.
command = os.environ.get("MCP_GEN_UI", "mcp-gen-ui")
server = os.environ.get("SERVER_PYTHON", "python")
bakery = MCPToolset(StdioTransport(command, ["--apps", "always", "--", server, str(BAKERY)]), init_timeout=60)
tools = bakery.filtered(lambda _, tool: not tool.name.startswith("_ui_"))  # those are for people and pages
agent = Agent(os.environ.get("MODEL", "anthropic:claude-sonnet-4-5"), toolsets=[tools])


async def ask(request: Request) -> JSONResponse:
    """Answer a question; with the answer go the views of the tools that the agent called."""
    done = await agent.run((await request.json())["question"])
    returns = [
        part for message in done.new_messages() for part in message.parts if isinstance(part, ToolReturnPart)
    ]
    apps = [(part.tool_name, (part.metadata or {}).get(MCP_APP_METADATA_KEY)) for part in returns]
    views = [{"tool": {"name": name}, **app} for name, app in apps if app]
    return JSONResponse({"answer": str(done.output), "views": views})


async def read(request: Request) -> JSONResponse:
    """Return the page of a view."""
    return JSONResponse(await bakery.read_resource_for_app(request.query_params["uri"]))


async def call(request: Request) -> JSONResponse:
    """Call a tool for a view."""
    asked = await request.json()
    return JSONResponse(await bakery.call_tool_for_app(asked["name"], asked.get("arguments")))


@asynccontextmanager
async def connected(_: Starlette) -> AsyncIterator[None]:
    """Keep the agent's tools connected while the server runs."""
    async with agent:
        yield


routes = [
    Route("/ask", ask, methods=["POST"]),
    Route("/read", read),
    Route("/call", call, methods=["POST"]),
    Mount("/", StaticFiles(directory=HERE, html=True)),
]

if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
    uvicorn.run(Starlette(routes=routes, lifespan=connected), port=port)
