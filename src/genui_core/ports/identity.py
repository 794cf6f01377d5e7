"""The identity port: request ids and nonces."""

from abc import abstractmethod
from typing import Protocol


class Identity(Protocol):
    """Creates unique ids. Called from several threads; never blocks."""

    @abstractmethod
    def request_id(self) -> str:
        """Return a new UUID, which names one request in the log and to the provider."""

    @abstractmethod
    def nonce(self) -> str:
        """Return 32 new hex digits in lower case that no one can guess."""
