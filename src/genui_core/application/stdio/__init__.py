"""One stdio host and its upstream: which requests are forwarded, edited or answered."""
