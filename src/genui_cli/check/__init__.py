"""The command ``check``: validates every view of a server, and shows it in a browser with stories."""
