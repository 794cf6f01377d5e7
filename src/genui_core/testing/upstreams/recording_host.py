"""A host for tests: records notifications and answers requests."""

from collections.abc import Callable

import anyio
from attrs import define, field

from genui_core.ports.tool_source import HostChannel, Params, Result

Said = tuple[str, Params]


def _agree(_method: str, params: Params) -> Result:
    return {"agreed": params}


@define(eq=False)
class RecordingChannel(HostChannel):
    """The way to a host that keeps everything.

    Attributes:
        answer: Answers what is asked; raises `HostRefused` to refuse.
        told: What was told, in order.
        asked: What was asked, in order.
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


@define(eq=False)
class RecordingNotice:
    """Keeps what belongs to no request.

    Attributes:
        said: What was said, in order.
    """

    said: list[Said] = field(factory=list)
    _changed: anyio.Event = field(factory=anyio.Event)

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
