"""Synchronous and pure: what the wrapper knows, with no effect on the world."""
