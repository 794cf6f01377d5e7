"""Calls to handshake upstreams for stateless hosts, suspended while the host answers questions."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping

import anyio
from anyio.abc import TaskGroup
from attrs import frozen

from genui_adapters.host.channels import NO_HOST, NoHost
from genui_core.application.requests.host_request import HostRequest, essence_of
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Params, Result
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.identity import Identity
from genui_core.ports.tool_source import HostChannel

_TOGETHER_S = 0.01
"""How long to wait for further questions, so that the host gets them together."""

_CAPABILITIES = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}


def can_be_asked(capabilities: object) -> bool:
    """Return whether a host with these capabilities answers any kind of question of an upstream."""
    return isinstance(capabilities, Mapping) and any(each in capabilities for each in _CAPABILITIES.values())


class SuspendedCall(HostChannel):
    """A pending call at the upstream, and the questions that the upstream asked during it.

    Attributes:
        owner: The key of the call's host; no other host can answer its questions.
        channel: The channel to the host while one of its requests is pending.
    """

    def __init__(self, request: HostRequest, owner: str, channel: HostChannel) -> None:
        self.request = request
        self.owner = owner
        self.channel = channel
        self.scope = anyio.CancelScope()
        self._questions: dict[str, tuple[str, Params, asyncio.Future[object]]] = {}
        self._asked = 0
        self._outcome: Result | GenUiError | None = None
        self._changed = anyio.Event()

    async def run(self, call: Callable[[], Awaitable[Result]]) -> None:
        """Make the call and store its result or error."""
        try:
            with self.scope:
                self._outcome = await call()
        except GenUiError as error:
            self._outcome = error
        if self._outcome is None:
            self._outcome = refusal("The call was cancelled: its input did not come in time.")
        self._changed.set()

    async def ask(self, method: str, params: Params) -> Result:
        """Add a question, and wait for the host's answer."""
        capabilities = self.request.capabilities
        if not isinstance(capabilities, Mapping) or _CAPABILITIES.get(method) not in capabilities:
            raise HostRefused({"code": METHOD_NOT_FOUND, "message": f"The host cannot be asked {method}."})
        self._asked += 1
        key, brought = f"question-{self._asked}", asyncio.get_running_loop().create_future()
        self._questions[key] = method, params, brought
        self._changed.set()
        try:
            answer = await brought
        finally:
            self._questions.pop(key, None)
        if not isinstance(answer, Mapping):
            raise HostRefused({"code": INVALID_PARAMS, "message": "The host brought no answer to this."})
        return answer

    async def tell(self, method: str, params: Params) -> None:
        """Forward a notification while a request of the host is pending; else drop it."""
        await self.channel.tell(method, params)

    def bring(self, answers: object) -> None:
        """Take the host's answers; questions without an answer stay open."""
        given = as_object(answers)
        for key in [each for each in self._questions if each in given]:
            _, _, brought = self._questions.pop(key)
            if not brought.done():
                brought.set_result(given[key])

    async def step(self) -> Result | None:
        """Wait for the call's result, which is returned, or its error; return None if there are questions."""
        while True:
            if self._questions:
                await anyio.sleep(_TOGETHER_S)
            if self._questions:
                return None
            if isinstance(self._outcome, GenUiError):
                raise self._outcome
            if self._outcome is not None:
                return self._outcome
            self._changed = anyio.Event()
            await self._changed.wait()

    def questions(self) -> dict[str, object]:
        """Return the questions for the host, by key."""
        asked = self._questions.items()
        return {key: {"method": method, "params": params} for key, (method, params, _) in asked}


def refusal(message: str) -> UpstreamFailed:
    """Return the error for a round of input that cannot go on."""
    return UpstreamFailed({"code": INVALID_PARAMS, "message": message})


SUSPENDED_S = 600.0
"""How long a host may take to bring the input; then the call is cancelled at the upstream."""
MOST_SUSPENDED = 1000


class SuspendedCalls:
    """The calls of stateless hosts at handshake upstreams."""

    def __init__(self, tasks: TaskGroup, identity: Identity) -> None:
        self._tasks = tasks
        self._identity = identity
        self._suspended: dict[str, SuspendedCall] = {}
        self._open: dict[SuspendedCall, None] = {}

    def channel_to(self, owner: str) -> HostChannel:
        """Return a channel to the owner's oldest pending call, for questions that name no call."""
        return _AnyOpenCall(self._open, owner)

    async def make(
        self,
        request: HostRequest,
        owner: str,
        channel: HostChannel,
        call: Callable[[HostChannel], Awaitable[Result]],
    ) -> Result:
        """Return the result of a call, or the input that it requires; a ``requestState`` continues a call.

        Raises:
            UpstreamFailed: There is no such suspended call, or its host came back too late.
            GenUiError: The call failed.
        """
        if "requestState" in request.params:
            suspended = self._resumed(request, owner, channel)
        else:
            suspended = SuspendedCall(request, owner, channel)
            self._tasks.start_soon(suspended.run, lambda: call(suspended))
        self._open[suspended] = None
        try:
            result = await suspended.step()
        except anyio.get_cancelled_exc_class():
            suspended.scope.cancel()
            raise
        finally:
            del self._open[suspended]
        return self._suspend(suspended) if result is None else result

    def _suspend(self, suspended: SuspendedCall) -> Result:
        token = self._identity.nonce()
        suspended.scope.deadline = anyio.current_time() + SUSPENDED_S
        suspended.channel = NO_HOST
        self._suspended = {key: each for key, each in self._suspended.items() if not each.scope.cancel_called}
        self._suspended[token] = suspended
        if len(self._suspended) > MOST_SUSPENDED:
            self._suspended.pop(next(iter(self._suspended))).scope.cancel()
        return {"resultType": "input_required", "inputRequests": suspended.questions(), "requestState": token}

    def _resumed(self, request: HostRequest, owner: str, channel: HostChannel) -> SuspendedCall:
        token = request.params["requestState"]
        suspended = self._suspended.get(token) if isinstance(token, str) else None
        if suspended is None or suspended.scope.cancel_called:
            raise refusal("This requestState is unknown or has expired.")
        if suspended.owner != owner or essence_of(suspended.request) != essence_of(request):
            raise refusal("This requestState belongs to another request.")
        del self._suspended[str(token)]
        suspended.scope.deadline = math.inf
        suspended.channel = channel
        suspended.bring(request.params.get("inputResponses"))
        return suspended


@frozen
class _AnyOpenCall(NoHost):
    """The channel to a host's oldest pending call, for upstream requests that name no call.

    So the right person is asked.
    """

    _open: Mapping[SuspendedCall, None]
    _owner: str

    async def ask(self, method: str, params: Params) -> Result:
        for call in self._open:
            if call.owner == self._owner:
                return await call.ask(method, params)
        return await super().ask(method, params)
