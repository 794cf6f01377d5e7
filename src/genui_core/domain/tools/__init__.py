"""The upstream's tools, their classification, the addresses of their views, and the wrapper's tools."""
