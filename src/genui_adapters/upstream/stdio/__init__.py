"""Links to upstreams that are child processes."""
