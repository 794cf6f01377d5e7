"""Fakes of the ports, and contract suites with which other packages test their adapters."""
