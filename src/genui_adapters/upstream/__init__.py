"""Upstream MCP servers: started, watched, ended."""
