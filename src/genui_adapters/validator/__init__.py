"""Where views are validated: a process of its own."""
