"""Log events, and what is redacted in them."""
