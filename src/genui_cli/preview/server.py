"""The preview as a whole: the child, the two origins, and the way out."""

import secrets
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version

import anyio
from anyio import to_thread
from anyio.abc import TaskStatus

from genui_cli.preview.connection import Connection
from genui_cli.preview.events import Events
from genui_cli.preview.follower_api import FollowerApi
from genui_cli.preview.guard import Guard
from genui_cli.preview.happenings import Happenings
from genui_cli.preview.http_server import ByPort, listening_socket, port_of, serve_http
from genui_cli.preview.options import PreviewOptions
from genui_cli.preview.page_api import PageApi
from genui_cli.preview.page_origin import page_origin
from genui_cli.preview.sandbox_origin import sandbox_origin
from genui_cli.preview.source_watch import watch_sources


async def serve_preview(options: PreviewOptions) -> None:
    """Show the server of `options` in the browser until cancelled, interrupted or terminated.

    A server that cannot start or that dies does not end the preview: the page says why and offers to start it
    again. The child is closed before this returns. Runs on asyncio.

    Raises:
        CannotListen: The port is taken.
    """
    events, happenings = Events(), Happenings()
    connection = Connection(options.proxy_argv, events, options.announce, _own_version())
    with ExitStack() as open_sockets:
        page = open_sockets.enter_context(listening_socket(options.port))
        sandbox = open_sockets.enter_context(listening_socket(0))
        token = secrets.token_urlsafe(24)
        follower = FollowerApi(happenings=happenings, server_state=lambda: connection.state)
        api = PageApi(connection=connection, events=events, about=_about(options, port_of(sandbox)))
        app = _two_origins(api, follower, token, port_of(page), port_of(sandbox))
        address = f"http://127.0.0.1:{port_of(page)}/#token={token}"
        async with anyio.create_task_group() as tasks:
            # A program that got the address may end the preview at once.
            await tasks.start(_cancel_on_signal, tasks.cancel_scope)
            tasks.start_soon(serve_http, app, (page, sandbox), _closing(events, happenings))
            tasks.start_soon(connection.run)
            tasks.start_soon(watch_sources, options.sources, _starting_again(options, connection, events))
            options.publish_address(address)
            options.announce(f"This is the preview of {options.title}. End it with Ctrl-C.")
            if options.open_browser:
                tasks.start_soon(_open_browser, address)


def _about(options: PreviewOptions, sandbox_port: int) -> dict[str, object]:
    return {
        "title": options.title,
        "version": _own_version(),
        "sandboxPort": sandbox_port,
        "hasModel": options.has_model,
    }


def _two_origins(api: PageApi, follower: FollowerApi, token: str, page: int, sandbox: int) -> ByPort:
    return ByPort(
        {
            page: page_origin(api, follower, Guard(port=page, token=token), sandbox_port=sandbox),
            sandbox: sandbox_origin(Guard(port=sandbox, token=token), page_port=page),
        }
    )


def _closing(events: Events, happenings: Happenings) -> Callable[[], None]:
    """Return what ends the answers that would last for ever."""

    def close() -> None:
        events.close()
        happenings.close()

    return close


def _starting_again(options: PreviewOptions, connection: Connection, events: Events) -> Callable[[str], None]:
    """Return what is done when a source has changed."""

    def start_again(source: str) -> None:
        options.announce(f"Changed: {source}. The wrapper is started again.")
        events.publish({"type": "changed", "source": source})
        connection.restart()

    return start_again


async def _cancel_on_signal(
    scope: anyio.CancelScope, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    # Elsewhere only the caller can end the preview: signals reach only the main thread on POSIX.
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        task_status.started()
        return
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _signal in signals:
            scope.cancel()
            return


async def _open_browser(address: str) -> None:
    await to_thread.run_sync(webbrowser.open, address, abandon_on_cancel=True)


def _own_version() -> str:
    try:
        return version("mcp-gen-ui")
    except PackageNotFoundError:
        return "0"
