"""Links to upstreams behind a URL."""
