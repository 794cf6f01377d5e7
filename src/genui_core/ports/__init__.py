"""What the core asks of the world, one port a module."""
