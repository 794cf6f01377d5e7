"""Exported views in a folder: written, mirrored, and read again."""
