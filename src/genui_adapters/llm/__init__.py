"""Models behind their providers' own libraries, each loaded when it is first asked."""
