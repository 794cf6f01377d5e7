"""What a model is told: facts about a tool, cut to their limits, in the words of the templates (requirement G3)."""
