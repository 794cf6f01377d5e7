"""Processes, pipes and the loops that watch them, for hosts and upstreams over stdio."""
