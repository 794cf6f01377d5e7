"""Doors for hosts: how a host reaches the wrapper."""
