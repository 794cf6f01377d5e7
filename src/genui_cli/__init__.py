"""The command line: composes the core with the adapters, and talks to the person."""
