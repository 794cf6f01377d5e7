"""Calls to handshake upstreams for stateless hosts, suspended while the host answers questions."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import anyio
from anyio.abc import TaskGroup
from attrs import frozen

from genui_adapters.host.channels import NO_HOST, LoopWaits
from genui_core.application.requests.host_request import (
    HostRequest,
    InputRequired,
    Suspended,
    SuspendedWork,
    Take,
    Tell,
    essence_of,
)
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Params, Result
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.identity import Identity
from genui_core.ports.tool_source import HostChannel

_TOGETHER_S = 0.01
"""How long to wait for further questions, so that the host gets them together."""

_LATE = {"code": INVALID_PARAMS, "message": "The call was cancelled: its input did not come in time."}
_UNKNOWN = {"code": INVALID_PARAMS, "message": "This requestState is unknown, or belongs to another request."}

_CAPABILITIES = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}


def can_be_asked(capabilities: object) -> bool:
    """Return whether a host with these capabilities answers any kind of question of an upstream."""
    return isinstance(capabilities, Mapping) and any(each in capabilities for each in _CAPABILITIES.values())


class SuspendedCall(SuspendedWork):
    """A pending call at the upstream, whose questions its host answers in rounds.

    Attributes:
        capabilities: The host's capabilities.
        channel: The channel to the host while one of its requests is pending.
        scope: The scope of the call.
    """

    def __init__(self, request: HostRequest, essence: object, suspended: Suspended) -> None:
        super().__init__(essence, suspended.keep)
        self.capabilities = as_object(request.capabilities)
        self.channel: HostChannel = NO_HOST
        self.scope = anyio.CancelScope()
        self.soon = partial(asyncio.get_running_loop().call_later, _TOGETHER_S)
        self.end = self.scope.cancel

    async def run(self, call: Callable[[HostChannel], Awaitable[Result]]) -> None:
        """Make the call and store its result or error."""
        outcome: object = UpstreamFailed(_LATE)
        try:
            with self.scope:
                outcome = await call(_CallChannel(lambda: self))
        except GenUiError as error:
            outcome = error
        self.finish(outcome)


@frozen
class _CallChannel(HostChannel):
    """The channel of the call that a function returns, also while no request of its host is open."""

    _call: Callable[[], SuspendedCall | None]

    async def ask(self, method: str, params: Params) -> Result:
        call = self._call()
        if call is None:
            return await NO_HOST.ask(method, params)
        if _CAPABILITIES.get(method) not in call.capabilities:
            raise HostRefused({"code": METHOD_NOT_FOUND, "message": f"The host cannot be asked {method}."})
        answers = asyncio.Queue[Result | GenUiError]()
        withdraw = call.ask(params, answers.put_nowait, method)
        try:
            answer = await answers.get()
        finally:
            withdraw()
        if isinstance(answer, GenUiError):
            raise answer
        return answer

    async def tell(self, method: str, params: Params) -> None:
        call = self._call()
        await (NO_HOST if call is None else call.channel).tell(method, params)


SUSPENDED_S = 600.0
"""How long a host may take to bring the input; then the call is cancelled at the upstream."""
MOST_SUSPENDED = 1000


class SuspendedCalls:
    """The calls of stateless hosts at handshake upstreams."""

    def __init__(self, tasks: TaskGroup, identity: Identity) -> None:
        self._tasks = tasks
        self._suspended = Suspended(identity.nonce, MOST_SUSPENDED)
        self._open: dict[SuspendedCall, str] = {}

    def channel_to(self, owner: str) -> HostChannel:
        """Return a channel to the owner's oldest pending call, so that a question that names no call reaches it."""
        return _CallChannel(
            lambda: next((call for call, whose in self._open.items() if whose == owner), None)
        )

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
        suspended = self._call(request, (owner, essence_of(request)))
        suspended.channel, suspended.scope.deadline = channel, math.inf
        if "requestState" not in request.params:
            self._tasks.start_soon(suspended.run, call)

        def begin(take: Take, _tell: Tell) -> Callable[[], None]:
            suspended.serve(take, request.params.get("inputResponses"))
            return suspended.give_up

        self._open[suspended] = owner
        try:
            made = await LoopWaits().outcome(begin, request, None, lambda _late: None)
        finally:
            del self._open[suspended]
        if isinstance(made, GenUiError):
            raise made
        if not isinstance(made, InputRequired):
            return as_object(made)
        suspended.channel, suspended.scope.deadline = NO_HOST, anyio.current_time() + SUSPENDED_S
        return made.result

    def _call(self, request: HostRequest, essence: object) -> SuspendedCall:
        """Return the suspended call that a request continues, or a new one."""
        if "requestState" not in request.params:
            return SuspendedCall(request, essence, self._suspended)
        suspended = self._suspended.resume(request.params["requestState"], essence)
        if not isinstance(suspended, SuspendedCall):
            raise UpstreamFailed(_UNKNOWN)
        return suspended
