"""Adds the wrapper to hosts' lists of servers, and removes it."""
