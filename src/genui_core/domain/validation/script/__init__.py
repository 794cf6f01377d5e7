"""Reads scripts: their tree, their names, what their expressions can be, and what they reach for."""
