"""Journals: where events are written."""
