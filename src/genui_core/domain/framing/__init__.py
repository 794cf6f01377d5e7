"""Lines of bytes: split, peeked at, passed on."""
