"""Prompts: facts about a tool, cut to their limits and rendered into templates (requirement G3)."""
