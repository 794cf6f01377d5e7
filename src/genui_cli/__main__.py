"""Run the command as a module: ``python -m genui_cli``."""

from genui_cli.entry import main

if __name__ == "__main__":  # the validator's process imports this module under another name
    main()
