"""Settings: one module a section."""
