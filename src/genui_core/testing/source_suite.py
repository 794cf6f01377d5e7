"""The parts with which the contract suites of tool sources run their tests."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from json import dumps
from typing import TypedDict, TypeVar, cast

import anyio
from attrs import field, frozen

from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, LATEST_STATELESS
from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.errors import GenUiError, UpstreamDied, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice, ToolSource

Said = tuple[str, Params]


def _agree(_method: str, params: Params) -> Result:
    return {"agreed": params}


@frozen(eq=False, repr=False)
class RecordingChannel(HostChannel):
    """A channel to a host that records everything.

    Attributes:
        answer: Returns the host's answer to a request, or raises `HostRefused`.
    """

    answer: Callable[[str, Params], Result] = _agree
    told: list[Said] = field(factory=list)
    asked: list[Said] = field(factory=list)

    async def ask(self, method: str, params: Params) -> Result:
        """Record a request and return its answer, after one turn of the event loop."""
        self.asked.append((method, params))
        await anyio.lowlevel.checkpoint()
        return self.answer(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Record a notification, after one turn of the event loop."""
        await anyio.lowlevel.checkpoint()
        self.told.append((method, params))


class RecordingNotice:
    """Records the notifications that belong to no request."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self._changed = anyio.Event()

    async def __call__(self, method: str, params: Params) -> None:
        """Record a notification."""
        self.said.append((method, params))
        self._changed.set()

    async def until(self, count: int) -> list[Said]:
        """Wait until ``count`` notifications were recorded, and return all."""
        while len(self.said) < count:
            self._changed = anyio.Event()
            await self._changed.wait()
        return self.said


LIMIT_S = 60
"""The seconds after which a scenario counts as hanging."""


class Seen(TypedDict):
    """The messages that a scripted upstream got, and the names of its cancelled calls."""

    requests: list[dict[str, object]]
    notifications: list[dict[str, object]]
    cancelled: list[str]


@frozen
class Scene:
    """An open source, and what its host recorded."""

    source: ToolSource
    notice: RecordingNotice = field(factory=RecordingNotice)
    owner: RecordingChannel = field(factory=RecordingChannel)

    async def call(self, name: str, channel: HostChannel | None = None, /, **arguments: object) -> Result:
        """Call a tool of the scripted upstream."""
        return await self.source.request("tools/call", {"name": name, "arguments": arguments}, channel)

    async def structured(
        self, name: str, channel: HostChannel | None = None, /, **arguments: object
    ) -> dict[str, object]:
        """Call a tool and return the structured content of its result."""
        content = (await self.call(name, channel, **arguments))["structuredContent"]
        assert isinstance(content, dict)
        return content

    async def until(self, look: Callable[[Seen], bool]) -> Seen:
        """Wait until ``look`` accepts what the upstream got, and return that; messages may be reordered.

        The method asks again if the upstream is down or does not answer in time.
        """
        while True:
            try:
                seen = cast("Seen", await self.structured("seen"))
            except (UpstreamDied, UpstreamTimeout, UpstreamUnreachable):
                seen = None
            if seen is not None and look(seen):
                return seen
            await anyio.sleep(0.01)


Error = TypeVar("Error", bound=GenUiError)
Suite = TypeVar("Suite", bound="SourceSuite")
Scenario = Callable[[Scene], Awaitable[None]]


class SourceSuite(ABC):
    """The base of the contract suites of tool sources: opens a source for each test.

    Attributes:
        stateless: Whether the scripted upstream is of the modern protocol era (2026-07-28).
    """

    stateless = False

    @abstractmethod
    def open(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None
    ) -> AbstractAsyncContextManager[ToolSource]:
        """Open the source under test, with a new scripted upstream; leaving the context ends both."""

    def host(self) -> HostFacts:
        """Return a host of the same protocol era as the upstream."""
        version = LATEST_STATELESS if self.stateless else LATEST_HANDSHAKE
        return HostFacts({"name": "contract", "version": "1"}, {"roots": {}, "vendor": [1.0, None]}, version)

    async def play(self, scenario: Scenario, *, owned: bool = True) -> None:
        """Run a scenario with a new source, for at most `LIMIT_S` seconds."""
        notice, owner = RecordingNotice(), RecordingChannel()
        with anyio.fail_after(LIMIT_S):
            async with self.open(self.host(), notice, owner if owned else None) as source:
                await scenario(Scene(source, notice, owner))


def as_test(
    scenario: Callable[[Suite, Scene], Awaitable[None]], *, owned: bool = True
) -> Callable[[Suite], None]:
    """Return a test that runs a method with the scene of a new source, for at most `LIMIT_S` seconds."""

    def test(suite: Suite) -> None:
        anyio.run(partial(suite.play, partial(scenario, suite), owned=owned))

    test.__name__, test.__doc__ = scenario.__name__, scenario.__doc__
    return test


def methods(messages: list[dict[str, object]]) -> list[object]:
    """Return the methods of messages."""
    return [each["method"] for each in messages]


def called_tools(seen: Seen) -> list[object]:
    """Return the names of the tools that were called."""
    params = [each["params"] for each in seen["requests"] if each["method"] == "tools/call"]
    return [each.get("name") for each in params if isinstance(each, dict)]


def same_json(left: object, right: object) -> bool:
    """Whether two values are the same JSON, with the same order of keys and types of numbers."""
    return dumps(left) == dumps(right)


async def failure(kind: type[Error], request: Awaitable[Result]) -> Error:
    """Wait for a request to fail, and return its error of this type."""
    try:
        result = await request
    except kind as error:
        return error
    raise AssertionError(f"answered: {str(result)[:200]}")
