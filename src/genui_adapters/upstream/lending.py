"""The connection of the moment, lent to whoever has a request."""

import anyio
from attrs import define, field

from genui_adapters.upstream.agreed import AgreedConnection
from genui_core.errors import GenUiError


@define(eq=False)
class Lending:
    """Holds the connection that stands now, or why there is none.

    While a lost connection is made anew for the first time, borrowers wait for it; once that
    has failed they are told why at once, until it is there again.
    """

    _connection: AgreedConnection | None = None
    _trouble: GenUiError | None = None
    _changed: anyio.Event = field(factory=anyio.Event)

    @property
    def now(self) -> AgreedConnection | None:
        """The connection, or None where there is none at this moment."""
        return self._connection

    def offer(self, connection: AgreedConnection) -> None:
        """Lend this connection from now on."""
        self._change(connection, None)

    def withdraw(self, trouble: GenUiError | None = None) -> None:
        """Lend none, because of a trouble, or until the next is made."""
        self._change(None, trouble)

    async def borrow(self, *, instead_of: AgreedConnection | None = None) -> AgreedConnection:
        """Return the connection, waiting for it while it is being made.

        Args:
            instead_of: One that has turned out to be lost.

        Raises:
            GenUiError: Why there is none.
        """
        while True:
            lent = self._connection
            if lent is not None and lent is not instead_of and lent.connection.loss is None:
                return lent
            if self._trouble is not None:
                raise self._trouble
            await self._changed.wait()

    def _change(self, connection: AgreedConnection | None, trouble: GenUiError | None) -> None:
        self._connection, self._trouble = connection, trouble
        self._changed.set()
        self._changed = anyio.Event()
