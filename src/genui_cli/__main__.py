"""Run the command as a module: ``python -m genui_cli``."""

from genui_cli.entry import main

if __name__ == "__main__":  # a process that judges views reads this module under another name
    main()
