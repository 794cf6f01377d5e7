"""Puts the proxy into hosts' own lists of servers, and takes it out again."""
