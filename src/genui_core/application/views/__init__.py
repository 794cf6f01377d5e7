"""The view of each tool: stored, frozen, generated, or changed by a person."""
