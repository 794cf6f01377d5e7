"""The stdio transport: a stdio host in front of a stdio upstream."""
