"""What the command's exit status says; the one table (design CLI)."""

OK = 0
FAILED = 1
USAGE = 2
AUTHENTICATION = 3
UPSTREAM_UNREACHABLE = 4
INTERRUPTED = 130
