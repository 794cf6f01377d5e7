"""The HTTP transport: an application without a framework, and the server that runs it."""
