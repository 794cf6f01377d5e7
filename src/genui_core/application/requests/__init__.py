"""Requests of HTTP and in-process hosts: forwarded, edited or answered."""
