"""The ports: the interfaces that the core needs and adapters implement, one per module."""
