"""Adapters of the judge."""
