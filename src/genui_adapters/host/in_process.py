"""The in-process transport: UIs for a Python MCP server's own tools."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from functools import partial, wraps
from types import TracebackType
from typing import Any, Protocol, Self
from weakref import finalize

import anyio
from attrs import evolve, field, frozen
from mcp.server import MCPServer, Server
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import Implementation

from genui_adapters.host.channels import SessionOwner, router_in_event_loop
from genui_adapters.host.listeners import Listeners, ListenStream, SessionListener
from genui_adapters.host.middleware import HostMessage, sdk_error
from genui_adapters.host.worker_thread import LoopWorker
from genui_adapters.io.nursery import Mailbox, nursery
from genui_core.application.requests.host_request import HostRequest, error_for_host
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.envelope import SERVER_INFO_KEY, request_meta
from genui_core.domain.mcp.jsonrpc import Result
from genui_core.domain.mcp.methods import (
    LISTEN,
    TOOLS_CHANGED,
    Subscription,
    granted,
    wanted_by,
    wanted_uris,
    with_uris,
)
from genui_core.domain.tools.tool import LISTS_OF_VIEWS
from genui_core.errors import GenUiError
from genui_core.ports.change_notifier import ChangeNotifier

_DELIVERY_TIMEOUT_S = 1.0
"""How long a host that does not read its notifications may delay the other hosts."""


@frozen(eq=False, repr=False)
class Delivery:
    """The mailboxes of the hosts with a session, and any number of tasks that empty them."""

    _mailboxes: dict[Mailbox, None] = field(factory=dict)
    _tasks: dict[int, AsyncExitStack] = field(factory=dict)
    _idle: set[anyio.Event] = field(factory=set)

    def add(self, mailbox: Mailbox) -> None:
        """Start delivering to a host."""
        self._mailboxes[mailbox] = None

    def remove(self, mailbox: Mailbox) -> None:
        """Stop delivering to a host."""
        self._mailboxes.pop(mailbox, None)

    async def begin(self) -> None:
        """Deliver notifications as they arrive, until the same task calls `end`."""
        stack = self._tasks[anyio.get_current_task().id] = AsyncExitStack()
        tasks = await stack.enter_async_context(nursery())
        tasks.start_soon(self._run)

    async def end(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the delivery that the calling task began."""
        await self._tasks.pop(anyio.get_current_task().id).__aexit__(kind, error, trace)

    def wake(self) -> None:
        """Wake the delivery tasks, because a notification waits."""
        while self._idle:
            self._idle.pop().set()

    async def deliver_waiting(self) -> None:
        """Deliver the waiting notifications now, unless a delivery task runs."""
        if not self._tasks:
            await self._deliver()

    async def _run(self) -> None:
        while True:
            idle = anyio.Event()
            self._idle.add(idle)
            await self._deliver()
            await idle.wait()

    async def _deliver(self) -> None:
        with anyio.move_on_after(_DELIVERY_TIMEOUT_S):
            async with anyio.create_task_group() as tasks:
                for mailbox in tuple(self._mailboxes):
                    tasks.start_soon(mailbox.flush)


_LISTENER = "genui.listener"


class Attachment(ChangeNotifier):
    """The middleware that gives a server's tools their UIs.

    As an async context manager, it notifies hosts of changes as they happen; otherwise it notifies
    them after the server's next answer to any host. It may be entered more than once.

    Attributes:
        wrapper: Serves the UIs.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        """Open the wrapper's views, and register for the notifications of their changes."""
        self.wrapper = wrapper
        self._listeners = Listeners()
        self._delivery = Delivery()
        self._views = views = self.wrapper.open(LoopWorker)
        self._router = router_in_event_loop(views)
        self.wrapper.add_notifier(self)
        # The worker outlives the server's sessions, and ends with the process at the latest.
        finalize(self, views.worker.close)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a host's message, or forward it to the server."""
        message = HostMessage(ctx, call_next)
        try:
            return dict(await self._answer_message(message))
        except GenUiError as error:
            raise sdk_error(
                error, error_for_host(self._views, message.request, error, "tool_proxy")
            ) from error

    async def __aenter__(self) -> Self:
        """Start to notify hosts of changes as they happen."""
        await self._delivery.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Notify hosts only after the next answer again."""
        await self._delivery.end(kind, error, trace)

    def introduce(self, info: Mapping[str, object]) -> None:
        """Store the server's name and version; otherwise they come from its results."""
        self._router.introduce(info)

    def tools_changed(self) -> None:
        """Mark the server's tools as changed, and notify the hosts that show apps.

        `attach` detects tools that are added to or removed from an ``MCPServer`` without this call.
        """
        self._router.listings.changed()
        self.views_changed(())

    def views_changed(self, tool_names: Collection[str]) -> None:
        """Notify the hosts that show apps."""
        self._listeners.views_changed(tool_names)
        self._delivery.wake()

    # --- one message --------------------------------------------------------------------

    async def _answer_message(self, message: HostMessage) -> Result:
        if message.is_notification:
            return await message.forward(message.request)
        try:
            return await self._answer(message)
        finally:
            await self._delivery.deliver_waiting()

    async def _answer(self, message: HostMessage) -> Result:
        request = message.request
        gets_apps = self._router.gets_apps(request.capabilities)
        if request.method == "initialize" and gets_apps:
            self._add_listener(message)
        if request.method == LISTEN and request.stateless and gets_apps:
            return await self._listen(message)
        result = await self._router.answer(request, partial(self._forward, message))
        listener = message.connection.state.get(_LISTENER)
        if isinstance(listener, SessionListener):
            listener.followed.follow(request.params.get("uri"))
        return result

    async def _forward(self, message: HostMessage, asked: HostRequest) -> Result:
        result = await message.forward(asked, observe=self._observe)
        info = request_meta(result).get(SERVER_INFO_KEY)
        if isinstance(info, Mapping):
            self._router.introduce(info)
        return result

    def _observe(self, method: str) -> None:
        """Handle a notification that the server sends a host before an answer."""
        if method == TOOLS_CHANGED:
            self._router.listings.changed()

    def _add_listener(self, message: HostMessage) -> None:
        """Notify a host with a session of changes, until the session ends."""
        connection = message.connection
        if not connection.has_standalone_channel or _LISTENER in connection.state:
            return
        owner = SessionOwner(connection.initialized.wait, message.session_channel)
        listener = connection.state[_LISTENER] = SessionListener(owner.tell, gets_apps=True)
        self._delivery.add(listener.mailbox)
        self._listeners.add(listener)
        connection.exit_stack.callback(self._delivery.remove, listener.mailbox)
        connection.exit_stack.callback(self._listeners.remove, listener)

    async def _listen(self, message: HostMessage) -> Result:
        """Serve the stream of a stateless host: the server's notifications, and those about views."""
        request, forward = message.request, partial(self._forward, message)
        wanted = wanted_by(request.params)
        views = await self._router.listened_views(request, forward)
        from_wrapper = granted(wanted, kinds=LISTS_OF_VIEWS, uris=views)
        from_server = with_uris(wanted, [each for each in wanted_uris(wanted) if each not in views])
        terms = Subscription(message.context.request_id or 0, wanted, from_wrapper)
        stream = ListenStream(message.channel, terms)
        asked = evolve(request, params={**request.params, "notifications": from_server})
        with self._listeners.notifying(stream):
            return await stream.serve(
                partial(message.forward, asked, to=stream, observe=self._observe) if from_server else None
            )


_CHANGING_METHODS = ("add_tool", "remove_tool")


class LowLevelHolder(Protocol):
    """A server of another library that holds a server of the SDK, such as ``fastmcp``'s."""

    _mcp_server: Server[Any]


def attach(wrapper: Wrapper, server: MCPServer[Any] | Server[Any] | LowLevelHolder) -> Attachment:
    """Give the tools of a server their UIs.

    Call it before the server runs, or enter the returned attachment in the server's lifespan. A second
    call changes nothing. Tools that are added later get their UIs too.

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
    """Return the SDK's server: the given one, or the server inside it."""
    for each in (server, getattr(server, "_mcp_server", None)):
        if isinstance(each, MCPServer | Server):
            return each
    kind = f"{type(server).__module__}.{type(server).__qualname__}"
    raise TypeError(
        f"attach() takes a server of the MCP SDK (mcp>=2.3), not {kind}. "
        "Put the wrapper in front of the server instead: mcp-gen-ui -- python my_server.py"
    )


def middleware_for(wrapper: Wrapper) -> Attachment:
    """Return the middleware that gives a server's tools their UIs, for ``MCPServer(middleware=[...])``.

    Args:
        wrapper: Serves the UIs; one wrapper serves one server.
    """
    return Attachment(wrapper)


def _info(server: MCPServer[Any] | Server[Any]) -> dict[str, object]:
    """Return the server's own description, which each result of the stateless era carries."""
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
    """Detect added and removed tools while an ``MCPServer`` runs, since it sends no notification."""
    for name in _CHANGING_METHODS:
        change = getattr(server, name, None)
        if callable(change) and getattr(change, "notifies", None) is not attachment:
            setattr(server, name, _notifying(change, attachment))


def _notifying(change: Callable[..., object], attachment: Attachment) -> Callable[..., object]:
    @wraps(change)
    def changing(*args: object, **options: object) -> object:
        result = change(*args, **options)
        attachment.tools_changed()
        return result

    changing.notifies = attachment  # type: ignore[attr-defined]
    return changing
