"""Run the command as a module: ``python -m genui_cli``."""

from genui_cli.entry import main

if __name__ == "__main__":  # a worker process loads this module as well, under another name
    main()
