"""Lines of bytes: how they are split, peeked at and forwarded."""
