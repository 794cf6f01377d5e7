"""The project in the working directory: the commands that may start its server, and which of them work."""
