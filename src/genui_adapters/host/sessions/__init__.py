"""Many hosts in front of one upstream: their sessions, and the connections to the upstream."""
