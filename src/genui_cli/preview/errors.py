"""What can go wrong between the preview and the server it shows.

PreviewError
├── RequestFailed   the server answered with a JSON-RPC error
└── ServerEnded     the server is gone, or was never there
"""

from typing import Any


class PreviewError(Exception):
    """Any failure of the preview's connection to its server."""


class RequestFailed(PreviewError):
    """The server answered a request with an error.

    Attributes:
        code: The JSON-RPC error code.
        message: The server's own words.
        data: Whatever the server attached, or None.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_wire(self) -> dict[str, object]:
        """Return the error object as JSON-RPC writes it."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


class ServerEnded(PreviewError):
    """The server process has ended, could not be started, or has closed its output."""
