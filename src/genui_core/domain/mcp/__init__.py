"""The Model Context Protocol: messages, versions, the Apps extension, error codes and JSON text."""
