"""Where views are kept."""
