"""Waits, on an event loop, for what a studio makes elsewhere."""

from collections.abc import Awaitable, Callable, Mapping
from math import inf
from typing import cast

import anyio

from genui_core.application.input_rounds import InputRequired, Take
from genui_core.domain.progress import ProgressReport
from genui_core.errors import GenUiError

Params = Mapping[str, object]


async def awaited(
    begin: Callable[[Take, Callable[[str], None]], Callable[[], None]],
    params: Params,
    tell: Callable[[str, Params], Awaitable[None]],
    within_s: float | None = None,
    late: Callable[[object], None] = lambda _made: None,
) -> object:
    """Return what a studio makes of work; it is given up where the caller is cancelled.

    Args:
        begin: Begins it: takes what is to be called with what it came to, and who is told of
            its progress; returns what gives it up.
        params: Of the request that it is for.
        tell: Tells the host of its progress.
        within_s: How long to wait; then the work goes on, and nothing is returned.
        late: Called with what came of work that took longer.

    Raises:
        GenUiError: There is no studio, or the work failed.
        InputRequired: The host is to bring something first.
    """
    results = list[object]()
    deadline = anyio.CancelScope(deadline=inf if within_s is None else anyio.current_time() + within_s)
    say, said = anyio.create_memory_object_stream[tuple[str, Params]](inf)

    def take(made: object) -> None:
        if deadline.cancelled_caught:
            late(made)
        results.append(made)
        say.close()

    def report(*news: object) -> None:
        if not deadline.cancelled_caught:
            say.send_nowait(cast("tuple[str, Params]", news))

    give_up = begin(take, ProgressReport(params, report))
    try:
        with deadline:
            async for method, news in said:
                await tell(method, news)
    finally:
        if not deadline.cancelled_caught:
            give_up()
        say.close()
        said.close()
    if deadline.cancelled_caught and not results:
        return None
    (made,) = results
    if isinstance(made, GenUiError | InputRequired):
        raise made
    return made
