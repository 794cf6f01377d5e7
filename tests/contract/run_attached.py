"""Serve an SDK-made server with the wrapper attached over HTTP, as a process for tests.

usage: run_attached.py PORT
"""

import sys
from contextlib import asynccontextmanager

from mcp.server import MCPServer

from genui_adapters.host import attach
from genui_core.application.wrapper import Wrapper

wrapper = Wrapper()


@asynccontextmanager
async def lifespan(server):
    async with attach(wrapper, server):
        yield


server = MCPServer("attached", lifespan=lifespan, log_level="CRITICAL")


@server.tool(structured_output=False)
def echo(text: str) -> str:
    """Return the same text."""
    return text


server.run("streamable-http", port=int(sys.argv[1]))
