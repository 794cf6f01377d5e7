"""Waits, on an event loop, for what a studio makes elsewhere."""

from collections.abc import Awaitable, Callable, Mapping
from math import inf

import anyio

from genui_core.application.input_rounds import InputRequired, Take
from genui_core.domain.progress import ProgressReport
from genui_core.errors import GenUiError

Params = Mapping[str, object]


async def awaited(
    begin: Callable[[Take, Callable[[str], None]], Callable[[], None]],
    params: Params,
    tell: Callable[[str, Params], Awaitable[None]],
) -> object:
    """Return what a studio makes of work; it is given up where the caller is cancelled.

    Args:
        begin: Begins it: takes what is to be called with what it came to, and who is told of
            its progress; returns what gives it up.
        params: Of the request that it is for.
        tell: Tells the host of its progress.

    Raises:
        GenUiError: There is no studio, or the work failed.
        InputRequired: The host is to bring something first.
    """
    results = list[object]()
    say, said = anyio.create_memory_object_stream[tuple[str, Params]](inf)

    def take(made: object) -> None:
        results.append(made)
        say.close()

    give_up = begin(take, ProgressReport(params, lambda *news: say.send_nowait(news)))
    try:
        async for method, news in said:
            await tell(method, news)
    finally:
        give_up()
        say.close()
        said.close()
    (made,) = results
    if isinstance(made, GenUiError | InputRequired):
        raise made
    return made
