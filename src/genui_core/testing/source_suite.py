"""What the contracts of sources of answers are run with."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from json import dumps
from typing import TypedDict, TypeVar, cast

import anyio
from attrs import field, frozen

from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, LATEST_STATELESS
from genui_core.errors import GenUiError, UpstreamDied, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice, Params, Result, ToolSource

Said = tuple[str, Params]


def _agree(_method: str, params: Params) -> Result:
    return {"agreed": params}


@frozen(eq=False)
class RecordingChannel(HostChannel):
    """The way to a host that keeps everything.

    Attributes:
        answer: Answers what is asked; raises `HostRefused` to refuse.
    """

    answer: Callable[[str, Params], Result] = _agree
    told: list[Said] = field(factory=list)
    asked: list[Said] = field(factory=list)

    async def ask(self, method: str, params: Params) -> Result:
        """Keep the question and answer it, not quite at once."""
        self.asked.append((method, params))
        await anyio.lowlevel.checkpoint()
        return self.answer(method, params)

    async def tell(self, method: str, params: Params) -> None:
        """Keep what is told, not quite at once."""
        await anyio.lowlevel.checkpoint()
        self.told.append((method, params))


class RecordingNotice:
    """Keeps what belongs to no request."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self._changed = anyio.Event()

    async def __call__(self, method: str, params: Params) -> None:
        """Keep a notice."""
        self.said.append((method, params))
        self._changed.set()

    async def until(self, count: int) -> list[Said]:
        """Wait until so many notices were kept, and return all."""
        while len(self.said) < count:
            self._changed = anyio.Event()
            await self._changed.wait()
        return self.said


LIMIT_S = 60
"""A scenario that takes longer hangs."""


class Seen(TypedDict):
    """What a scripted upstream has got, and whose calls were cancelled."""

    requests: list[dict[str, object]]
    notifications: list[dict[str, object]]
    cancelled: list[str]


@frozen
class Scene:
    """A source that is open, and what its host keeps."""

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
        """Wait until the upstream has seen something; messages to it may overtake each other.

        While it is away, or takes too long, it is asked again.
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
    """Opens the source and plays scenarios with it.

    Attributes:
        stateless: Whether the scripted upstream behind it is of the 2026-07-28 generation.
    """

    stateless = False

    @abstractmethod
    def open(
        self, host: HostFacts, notice: Notice, owner: HostChannel | None
    ) -> AbstractAsyncContextManager[ToolSource]:
        """Open a source with a scripted upstream of its own behind it; what it is made of ends with the context."""

    def host(self) -> HostFacts:
        """Return a host of the same protocol era as the upstream."""
        version = LATEST_STATELESS if self.stateless else LATEST_HANDSHAKE
        return HostFacts({"name": "contract", "version": "1"}, {"roots": {}, "vendor": [1.0, None]}, version)

    async def play(self, scenario: Scenario, *, owned: bool = True) -> None:
        """Play a scenario with a source of its own, within the limit."""
        notice, owner = RecordingNotice(), RecordingChannel()
        with anyio.fail_after(LIMIT_S):
            async with self.open(self.host(), notice, owner if owned else None) as source:
                await scenario(Scene(source, notice, owner))


def played(
    scenario: Callable[[Suite, Scene], Awaitable[None]], *, owned: bool = True
) -> Callable[[Suite], None]:
    """Make a test of a method that takes the scene: it is played with a source of its own, within the limit."""

    def test(suite: Suite) -> None:
        anyio.run(partial(suite.play, partial(scenario, suite), owned=owned))

    test.__name__, test.__doc__ = scenario.__name__, scenario.__doc__
    return test


def methods(messages: list[dict[str, object]]) -> list[object]:
    """Return the methods of messages."""
    return [each["method"] for each in messages]


def called(seen: Seen) -> list[object]:
    """Return the names of the tools that were called."""
    params = [each["params"] for each in seen["requests"] if each["method"] == "tools/call"]
    return [each.get("name") for each in params if isinstance(each, dict)]


def same(left: object, right: object) -> bool:
    """Whether two values are the same JSON, with the order of keys and the kinds of numbers."""
    return dumps(left) == dumps(right)


async def failure(kind: type[Error], request: Awaitable[Result]) -> Error:
    """Return the error of that kind that a request fails with."""
    try:
        result = await request
    except kind as error:
        return error
    raise AssertionError(f"answered: {str(result)[:200]}")
