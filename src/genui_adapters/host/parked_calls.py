"""Questions of a handshake upstream for a stateless host: its call waits while the host asks the person.

A stateless host cannot be asked while its request is open. It is answered that input is
required, with a token, and sends the request again with the input. Until then the call at the
upstream goes on, parked under the token.
"""

import math
from collections.abc import Awaitable, Callable, Mapping

import anyio
from anyio.abc import TaskGroup
from attrs import define, field, frozen

from genui_adapters.host.lines import NO_HOST, NoHost
from genui_adapters.host.parked_call import ParkedCall, refusal
from genui_core.application.host_request import HostRequest
from genui_core.ports.identity import Identity
from genui_core.ports.tool_source import HostLine, Params, Result

PARKED_S = 600.0
"""How long a host may take to bring the input; then the call is cancelled at the upstream."""
MOST_PARKED = 1000


@define(eq=False)
class ParkedCalls:
    """The calls of stateless hosts at handshake upstreams."""

    _tasks: TaskGroup
    _identity: Identity
    _parked: dict[str, ParkedCall] = field(factory=dict)
    _open: dict[ParkedCall, None] = field(factory=dict)

    def line_to(self, owner: str) -> HostLine:
        """Return the way to whatever call of an owner's is open, for questions that name none."""
        return _AnyOpenCall(self._open, owner)

    async def make(
        self, request: HostRequest, owner: str, line: HostLine, call: Callable[[HostLine], Awaitable[Result]]
    ) -> Result:
        """Return the result of a call, or what input it requires.

        Args:
            request: The host's request; with a ``requestState`` it goes on where it was parked.
            owner: Names whose request it is.
            line: The way back to the host while this request is open.
            call: Makes the call; its questions go to the line that it is given.

        Raises:
            UpstreamFailed: There is no such parked call, or its host did not come back in time.
            GenUiError: What the call came to.
        """
        if "requestState" in request.params:
            parked = self._resumed(request, owner, line)
        else:
            parked = ParkedCall(request, owner, line)
            self._tasks.start_soon(parked.run, lambda: call(parked))
        self._open[parked] = None
        try:
            result = await parked.step()
        except anyio.get_cancelled_exc_class():
            parked.scope.cancel()
            raise
        finally:
            del self._open[parked]
        return self._park(parked) if result is None else result

    def _park(self, parked: ParkedCall) -> Result:
        token = self._identity.nonce()
        parked.scope.deadline = anyio.current_time() + PARKED_S
        parked.line = NO_HOST
        self._parked = {key: each for key, each in self._parked.items() if not each.scope.cancel_called}
        self._parked[token] = parked
        if len(self._parked) > MOST_PARKED:
            self._parked.pop(next(iter(self._parked))).scope.cancel()
        return {
            "resultType": "input_required",
            "inputRequests": parked.questions(),
            "requestState": token,
        }

    def _resumed(self, request: HostRequest, owner: str, line: HostLine) -> ParkedCall:
        token = request.params["requestState"]
        parked = self._parked.get(token) if isinstance(token, str) else None
        if parked is None or parked.scope.cancel_called:
            raise refusal("This requestState is unknown, or its time is over.")
        if parked.owner != owner or _essence(parked.request) != _essence(request):
            raise refusal("This requestState belongs to another request.")
        del self._parked[str(token)]
        parked.scope.deadline = math.inf
        parked.line = line
        parked.bring(request.params.get("inputResponses"))
        return parked


@frozen
class _AnyOpenCall(NoHost):
    """Takes upstream requests that name no call: the oldest pending call gets them.

    All these calls are of one host, so the right person is asked.
    """

    _open: Mapping[ParkedCall, None]
    _owner: str

    async def ask(self, method: str, params: Params) -> Result:
        for call in self._open:
            if call.owner == self._owner:
                return await call.ask(method, params)
        return await super().ask(method, params)


_OF_THE_ROUND = ("_meta", "inputResponses", "requestState")


def _essence(request: HostRequest) -> tuple[str, Mapping[str, object]]:
    """Return what stays the same when a request is sent again with its input."""
    return request.method, {key: value for key, value in request.params.items() if key not in _OF_THE_ROUND}
