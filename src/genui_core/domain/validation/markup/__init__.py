"""Reads markup and styles: their trees, as more than one parser sees them, and what they load or run."""
