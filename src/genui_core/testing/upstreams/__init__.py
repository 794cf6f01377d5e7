"""Scripted upstreams, and the parts of the contract suite of tool sources."""
