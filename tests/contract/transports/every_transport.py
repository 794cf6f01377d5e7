"""The transports of the contract tests in this folder, and the marks that repeat a test over them and both eras.

``stdio to url`` is a host on standard streams whose upstream is behind a URL. A host on standard streams whose
upstream is a command has a transport of its own: see ``test_stdio_*.py`` in the folder above.
"""

import pytest

PROXIES = ("http", "sse", "stdio to url")
"""The wrapper as a program between the host and the upstream."""
TRANSPORTS = (*PROXIES, "attached http", "attached stdio")
"""The same, and the wrapper in the process of a server made with the SDK."""
EVERY_PROXY = pytest.mark.parametrize("transport", PROXIES)
EVERY_TRANSPORT = pytest.mark.parametrize("transport", TRANSPORTS)
EVERY_HOST = pytest.mark.parametrize("stateless", [False, True], ids=["handshake", "stateless"])
EVERY_UPSTREAM = pytest.mark.parametrize(
    "upstream_stateless", [False, True], ids=["handshake-upstream", "stateless-upstream"]
)
