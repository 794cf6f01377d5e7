"""The generation worker, to which transports pass work on views."""
