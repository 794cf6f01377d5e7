"""The use cases: they answer hosts' requests with the domain and the ports."""
