"""Tools: what they are, where their views live, which are the wrapper's own."""
