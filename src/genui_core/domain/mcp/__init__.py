"""The Model Context Protocol: messages, versions, the Apps extension, error codes."""
