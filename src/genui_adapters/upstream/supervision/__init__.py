"""Keeps a connection to an upstream up: connects, restores, lends."""
