"""The configuration: read from files, variables and flags, checked, and merged (requirement S1)."""
