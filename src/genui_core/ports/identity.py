"""Where request ids and nonces come from."""

from abc import abstractmethod
from typing import Protocol
from uuid import uuid4


class Identity(Protocol):
    """Creates unique names. Never blocks; safe from several threads."""

    @abstractmethod
    def request_id(self) -> str:
        """Return a UUID that names one incoming request wherever it is worked on (SPEC §15)."""
        ...

    @abstractmethod
    def nonce(self) -> str:
        """Return 32 hex digits that no one can guess."""
        ...


class RandomIdentity(Identity):
    """Identity out of the system's randomness: the default."""

    def request_id(self) -> str:
        """Return a random UUID (RFC 9562, version 4)."""
        return str(uuid4())

    def nonce(self) -> str:
        """Return 32 random hex digits."""
        return uuid4().hex
