"""Hosts' requests: the decision whether to forward, edit or answer each one."""
