"""Fakes and contract suites for the ports, shipped so that an outside adapter can prove itself."""
