"""Use-cases: the walk of a request through the domain and the ports."""
