"""Waits, on an event loop, for the results of the generation worker, which runs elsewhere."""

from collections.abc import Awaitable, Callable, Mapping
from math import inf
from typing import cast

import anyio

from genui_core.application.input_rounds import InputRequired, Take
from genui_core.domain.mcp.progress import ProgressReport
from genui_core.errors import GenUiError

Params = Mapping[str, object]


async def awaited(
    begin: Callable[[Take, Callable[[str], None]], Callable[[], None]],
    params: Params,
    tell: Callable[[str, Params], Awaitable[None]],
    within_s: float | None = None,
    late: Callable[[object], None] = lambda _made: None,
) -> object:
    """Return the result of work in the generation worker; cancel the work if the caller is cancelled.

    Args:
        begin: Starts the work. Takes a callback for the result and one for progress; returns a function
            that cancels the work.
        params: The parameters of the request that needs the work.
        tell: Sends a progress notification to the host.
        within_s: How long to wait, in seconds; after that the work continues, and None is returned.
        late: Called with the result of work that took longer.

    Raises:
        GenUiError: There is no generation worker, or the work failed.
        InputRequired: The work needs input from the host first.
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
