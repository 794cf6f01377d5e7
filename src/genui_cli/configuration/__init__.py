"""Configuration: from files, variables and flags to one checked value (SPEC §11)."""
