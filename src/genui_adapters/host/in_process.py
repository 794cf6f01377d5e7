"""The in-process transport: UIs for a Python MCP server's own tools."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from mcp.server import MCPServer, Server
from mcp_types import Implementation

from genui_adapters.host.attachment import Attachment
from genui_core.application.wrapper import Wrapper

_CHANGING = ("add_tool", "remove_tool")


class LowLevelHolder(Protocol):
    """A server of another library on top of the SDK's, such as ``fastmcp``'s."""

    _mcp_server: Server[Any]


def attach(wrapper: Wrapper, server: MCPServer[Any] | Server[Any] | LowLevelHolder) -> Attachment:
    """Give the tools of a server their UIs.

    Call it before the server runs, or enter what it returns in the server's lifespan. Doing it
    again changes nothing. Tools that are added later get their UIs too.

    Args:
        wrapper: Serves the UIs; one wrapper serves one server.
        server: An ``MCPServer`` or a low-level ``Server`` of the MCP SDK, or the server of the package
            ``fastmcp``, which has such a ``Server`` inside.

    Returns:
        The attachment: an async context manager that notifies hosts of changes as they happen.

    Raises:
        TypeError: The server is none of these; the message says what to do instead.
    """
    inner = _sdk_server(server)
    present = (each for each in inner.middleware if isinstance(each, Attachment) and each.wrapper is wrapper)
    attachment = next(present, None)
    if attachment is None:
        attachment = Attachment(wrapper)
        inner.middleware.append(attachment)
    attachment.introduce(_info(inner))
    _watch(server, attachment)
    return attachment


def _sdk_server(server: object) -> MCPServer[Any] | Server[Any]:
    """Return the SDK's server: the one given, or the one inside of it."""
    for each in (server, getattr(server, "_mcp_server", None)):
        if isinstance(each, MCPServer | Server):
            return each
    kind = f"{type(server).__module__}.{type(server).__qualname__}"
    raise TypeError(
        f"attach() takes a server of the MCP SDK (mcp>=2.3), not {kind}. "
        "Put the wrapper in front of the server instead: mcp-gen-ui -- python my_server.py"
    )


def middleware_for(wrapper: Wrapper) -> Attachment:
    """Return what gives a server's tools their UIs, as an argument: ``MCPServer(middleware=[middleware_for(wrapper)])``.

    Args:
        wrapper: Serves the UIs; one wrapper serves one server.
    """
    return Attachment(wrapper)


def _info(server: MCPServer[Any] | Server[Any]) -> dict[str, object]:
    """What the server says of itself in each result of the stateless generation."""
    own = Implementation(
        name=server.name,
        version=server.version,
        title=server.title,
        description=server.description,
        website_url=server.website_url,
        icons=server.icons,
    )
    return own.model_dump(mode="json", by_alias=True, exclude_none=True)


def _watch(server: object, attachment: Attachment) -> None:
    """Detect tools that come and go while an ``MCPServer`` runs, since it sends no notification."""
    for name in _CHANGING:
        change = getattr(server, name, None)
        if callable(change) and getattr(change, "told", None) is not attachment:
            setattr(server, name, _telling(change, attachment))


def _telling(change: Callable[..., object], attachment: Attachment) -> Callable[..., object]:
    @wraps(change)
    def changing(*args: object, **options: object) -> object:
        result = change(*args, **options)
        attachment.tools_changed()
        return result

    changing.told = attachment  # type: ignore[attr-defined]
    return changing
