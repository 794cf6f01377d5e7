"""What the command's exit status says; the one table (design CLI)."""

OK = 0
FAILED = 1
USAGE = 2
NOT_LET_IN = 3
UPSTREAM_UNREACHABLE = 4
TOOL_OR_MODEL_FAILED = 5
INTERRUPTED = 130
