"""``python -m genui_cli`` is the command ``mcp-gen-ui``."""

from genui_cli.entry import main

if __name__ == "__main__":  # a process that judges views reads this module under another name
    main()
