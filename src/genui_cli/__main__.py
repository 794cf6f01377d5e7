"""``python -m genui_cli`` is the command ``mcp-gen-ui``."""

from genui_cli.entry import main

main()
