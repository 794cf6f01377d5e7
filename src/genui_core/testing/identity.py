"""An identity for tests, and the contract suite of all identities."""

import re
from abc import ABC, abstractmethod
from uuid import UUID

from genui_core.ports.identity import Identity


class NumberedIdentity(Identity):
    """An identity that counts from 1, so that a test can predict the next id."""

    def __init__(self) -> None:
        self._made = 0

    def request_id(self) -> str:
        """Return the next number as a UUID."""
        return str(UUID(int=self._next()))

    def nonce(self) -> str:
        """Return the next number as 32 hex digits."""
        return f"{self._next():032x}"

    def _next(self) -> int:
        self._made += 1
        return self._made


class IdentityContract(ABC):
    """The contract suite of identities: inherit it and implement `make`."""

    @abstractmethod
    def make(self) -> Identity:
        """Return the identity under test."""

    def test_request_ids_are_uuids_and_differ(self) -> None:
        """No two requests share an id."""
        identity = self.make()
        ids = [identity.request_id() for _ in range(100)]
        assert [str(UUID(each)) for each in ids] == ids
        assert len(set(ids)) == len(ids)

    def test_nonces_are_32_hex_digits_and_differ(self) -> None:
        """No two prompts share a nonce."""
        identity = self.make()
        nonces = {identity.nonce() for _ in range(100)}
        assert len(nonces) == 100
        assert all(re.fullmatch("[0-9a-f]{32}", each) for each in nonces)
