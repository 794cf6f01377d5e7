"""Runs the server with the providers' wire protocols for a command in another process."""

import asyncio
import contextlib
import threading

from wire_server import WireServer


@contextlib.contextmanager
def serving():
    """Run the server in a separate thread."""
    server, started, loop = WireServer(), threading.Event(), asyncio.new_event_loop()
    ended = asyncio.Event()

    async def live():
        async with server.running():
            started.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(live(),))
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
