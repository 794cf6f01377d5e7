"""Histories of views on a Redis or Valkey server, beside the views (``generation.refinements: "persist"``)."""

import secrets

from attrs import frozen

from genui_adapters.view_store.private_files import history_name
from genui_adapters.view_store.redis_place import READ
from genui_adapters.view_store.redis_server import RedisServer
from genui_adapters.view_store.sealed_entry import MOST_HISTORY_BYTES, NotOurs, seal_what_fits, unseal_history
from genui_core.domain.views.stored_view import ViewHistory
from genui_core.ports.event_log import Level
from genui_core.ports.view_histories import ViewHistories


def _literal(name: str) -> str:
    """Return the pattern that a name alone matches."""
    return "".join(f"\\{each}" if each in "*?[]^-\\" else each for each in name)


@frozen
class RedisHistories(ViewHistories):
    """Keeps one sealed value a tool, and beside it a word that is another after every change.

    Args:
        server: Where they are.
    """

    server: RedisServer

    is_shared = True

    async def mark(self, tool_name: str, upstream_name: str = "") -> str | None:
        """Return the word of the last change, by whomever."""
        name = self._place("mark", history_name(tool_name, upstream_name))
        mark = await self.server.ask("mark", lambda server: server.command("GET", name), None)
        return mark.decode(errors="replace") if isinstance(mark, bytes) else None

    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return what is remembered of a tool."""
        name = self._place("history", history_name(tool_name, upstream_name))
        data = await self.server.ask(
            "load", lambda server: server.script(READ, [name], MOST_HISTORY_BYTES), None, is_bulky=True
        )
        if data is None:
            return None
        try:
            history = self._unsealed(data)
        except (NotOurs, ValueError) as error:
            self._note("history_not_read", tool_name, str(error))
            return None
        return history if history.is_of(tool_name, upstream_name) else None

    def _unsealed(self, data: object) -> ViewHistory:
        if not isinstance(data, bytes):
            raise NotOurs("it is too large, or no text")
        return unseal_history(data, self.server.place.secret)

    async def save(self, history: ViewHistory) -> bool:
        """Remember this from now on, and have the others see that it is new."""
        data = seal_what_fits(history, self.server.place.secret)
        name = history_name(history.tool_name, history.upstream_name)
        kept = data is not None and await self._change("save", name, "SET", data)
        if not kept:
            self._note("history_not_kept", history.tool_name, "the store takes it not")
        return kept

    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Remember nothing of a tool any more."""
        await self._change("drop", history_name(tool_name, upstream_name), "DEL")

    async def clear(self, tool_name: str | None = None) -> int:
        """Forget all histories, or those of a tool, and have the other wrappers see it; return how many."""
        none: tuple[str, ...] = ()
        names = await self.server.ask("clear", self._names, none, is_bulky=True)
        cleared = [await self._clear(each, tool_name) for each in names]
        return sum(cleared)

    async def _names(self, server: RedisServer) -> tuple[str, ...]:
        """Return the names of all histories, scanned in steps so that the server is not blocked."""
        start, names, cursor = self._place("history", ""), set[str](), 0
        while True:
            answer = await server.command("SCAN", cursor, "MATCH", f"{_literal(start)}*", "COUNT", 1000)
            following, found = answer if isinstance(answer, list | tuple) else (b"0", list[bytes]())
            names |= {each.decode(errors="replace").removeprefix(start) for each in found}
            cursor = int(following)
            if not cursor:
                return tuple(sorted(names))

    async def _clear(self, name: str, tool_name: str | None) -> bool:
        if tool_name is not None and await self._tool_of(name) != tool_name:
            return False
        return await self._change("clear", name, "DEL")

    async def _tool_of(self, name: str) -> str | None:
        place = self._place("history", name)
        data = await self.server.ask(
            "clear", lambda server: server.script(READ, [place], MOST_HISTORY_BYTES), None, is_bulky=True
        )
        try:
            return self._unsealed(data).tool_name
        except (NotOurs, ValueError):
            return None

    async def _change(self, operation: str, name: str, verb: str, *data: bytes) -> bool:
        command: tuple[str | bytes, ...] = (verb, self._place("history", name), *data)
        mark = ("SET", self._place("mark", name), secrets.token_hex(8))

        async def change(server: RedisServer) -> bool:
            await server.together(command, mark)
            return True

        return await self.server.ask(operation, change, otherwise=False, is_bulky=True)

    def _note(self, event: str, tool_name: str, reason: str) -> None:
        self.server.event_log.record(Level.WARN, "cache", event, tool_name=tool_name, reason=reason)

    def _place(self, kind: str, name: str) -> str:
        return f"{self.server.place.namespace}{kind}:{name}"
