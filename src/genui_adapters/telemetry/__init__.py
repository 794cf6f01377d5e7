"""Event logs, metrics and traces."""
