"""The validator: it extracts the view from an answer, checks and repairs it (requirements V1 to V3)."""
