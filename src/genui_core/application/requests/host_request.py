"""A host's request as plain values, and the way to have the server answer it."""

from collections.abc import Awaitable, Callable, Mapping

from attrs import field, frozen

from genui_core.ports.host_model import HostModel

Result = Mapping[str, object]


async def _tell_nobody(_method: str, _params: Mapping[str, object]) -> None:
    """There is no way to the host."""


@frozen
class HostRequest:
    """A request of a host's.

    Attributes:
        method: Its method.
        params: Its params, empty where it has none.
        capabilities: What the host says of itself, as far as it is known.
        stateless: Whether it is of the 2026-07-28 generation.
        tell: Tells the host something that belongs to the request.
        model: The way to the host's model, for the generations with a handshake.
    """

    method: str
    params: Mapping[str, object]
    capabilities: object
    stateless: bool
    tell: Callable[[str, Mapping[str, object]], Awaitable[None]] = field(
        default=_tell_nobody, eq=False, repr=False
    )
    model: HostModel | None = field(default=None, eq=False, repr=False)


Forward = Callable[[HostRequest], Awaitable[Result]]
"""Has the server answer a request. Raises `UpstreamFailed` with the error that it answers with."""
