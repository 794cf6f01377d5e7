"""The command line: composes the core with the adapters, and prints results and errors."""
