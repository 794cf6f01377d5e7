"""The view stores and view histories: in a folder, or on a Redis server."""
