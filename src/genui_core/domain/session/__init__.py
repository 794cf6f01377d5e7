"""The stdio relay between one host and one upstream, as a state machine without input or output."""
