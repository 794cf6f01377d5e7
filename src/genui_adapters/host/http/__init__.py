"""The HTTP transport: a bare ASGI application, and the server that runs it."""
