"""Event logs: where events are written."""
