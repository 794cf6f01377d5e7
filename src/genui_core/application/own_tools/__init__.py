"""The wrapper's own tools (requirement T3)."""
