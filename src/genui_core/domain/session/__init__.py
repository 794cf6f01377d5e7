"""The relay between one host and one upstream, as decisions without input or output."""
