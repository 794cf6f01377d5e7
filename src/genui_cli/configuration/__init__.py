"""Configuration: from files, variables and flags to one checked value (requirement S1)."""
