"""Waits, on an event loop, for what a studio makes elsewhere."""

from collections.abc import Awaitable, Callable, Mapping
from math import inf
from typing import TYPE_CHECKING, TypeVar

import anyio

from genui_core.domain.progress import ProgressReport
from genui_core.errors import GenUiError

if TYPE_CHECKING:
    from genui_core.application.generation.view_studio import StudioLine, Work

Made = TypeVar("Made")
Params = Mapping[str, object]


async def awaited(
    studio: "StudioLine | None",
    work: "Work[Made]",
    params: Params,
    tell: Callable[[str, Params], Awaitable[None]],
) -> Made:
    """Return what a studio makes of work; it is given up where the caller is cancelled.

    Args:
        studio: Where it is made.
        work: What is to be done.
        params: Of the request that it is for.
        tell: Tells the host of its progress.

    Raises:
        GenUiError: There is no studio, or the work failed.
    """
    if studio is None:
        raise GenUiError("This door has no studio to make views in.")
    results = list[Made | GenUiError]()
    say, said = anyio.create_memory_object_stream[tuple[str, Params]](inf)

    def take(made: Made | GenUiError) -> None:
        results.append(made)
        say.close()

    give_up = studio.run(work, take, ProgressReport(params, lambda *news: say.send_nowait(news)))
    try:
        async for method, news in said:
            await tell(method, news)
    finally:
        give_up()
        say.close()
        said.close()
    (made,) = results
    if isinstance(made, GenUiError):
        raise made
    return made
