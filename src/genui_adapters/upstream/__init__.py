"""Connections to upstream MCP servers, over stdio, Streamable HTTP and SSE."""
