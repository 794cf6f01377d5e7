"""Parses markup with two parsers, and finds what it loads or runs."""
