"""Holds the present connection, and gives it to each request."""

import anyio
from attrs import define, field

from genui_adapters.upstream.supervision.agreed import AgreedConnection
from genui_core.errors import GenUiError, UpstreamUnreachable


@define(eq=False)
class Lending:
    """Holds the connection that stands now, or why there is none.

    Borrowers wait for the first connection while it is being made, and with patience for the next
    one when it was lost; where none is expected soon they are told why there is none.

    Attributes:
        patience_s: How long a request waits for a reconnect, in seconds.
    """

    patience_s: float
    _connection: AgreedConnection | None = None
    _trouble: GenUiError | None = None
    _is_expected: bool = True
    _was_lent: bool = False
    _changed: anyio.Event = field(factory=anyio.Event)

    @property
    def now(self) -> AgreedConnection | None:
        """The connection, or None where there is none at this moment."""
        return self._connection

    def offer(self, connection: AgreedConnection) -> None:
        """Lend this connection from now on."""
        self._was_lent = True
        self._connection, self._trouble = connection, None
        self._wake()

    def withdraw(self, trouble: GenUiError | None = None, *, next_in_s: float | None = 0) -> None:
        """Lend none, for a reason.

        Args:
            trouble: The reason, where it is known.
            next_in_s: When the next connection is tried; None where there will be none.
        """
        self._connection, self._trouble = None, trouble
        self._is_expected = self._was_lent and next_in_s is not None and next_in_s < self.patience_s
        self._wake()

    async def borrow(self, *, instead_of: AgreedConnection | None = None) -> AgreedConnection:
        """Return the connection, waiting for it where it is expected soon.

        Args:
            instead_of: One that has turned out to be lost.

        Raises:
            GenUiError: Why there is none.
        """
        with anyio.move_on_after(self.patience_s if self._was_lent else None):
            while True:
                lent = self._connection
                if lent is not None and lent is not instead_of and lent.connection.loss is None:
                    return lent
                if self._trouble is not None and not self._is_expected:
                    break
                await self._changed.wait()
        # Many requests raise the same error: without this, each would lengthen its traceback.
        raise (self._trouble or UpstreamUnreachable("it is being connected to again")).with_traceback(None)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
