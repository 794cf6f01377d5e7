"""A host in the browser, on loopback: the tools of a server, each with its view, the way a host shows them."""
