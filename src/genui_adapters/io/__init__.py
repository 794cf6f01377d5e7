"""Processes, pipes and the loops that watch them: what hosts and upstreams over stdio share."""
