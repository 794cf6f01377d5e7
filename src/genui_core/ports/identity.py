"""Where request ids and nonces come from."""

from abc import abstractmethod
from typing import Protocol


class Identity(Protocol):
    """Creates unique names. Never blocks; safe from several threads."""

    @abstractmethod
    def request_id(self) -> str:
        """Return a UUID that names one incoming request wherever it is worked on."""

    @abstractmethod
    def nonce(self) -> str:
        """Return 32 hex digits that no one can guess."""
