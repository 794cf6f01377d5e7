"""Pages: their frame, their policy, and what is drawn without a model."""
