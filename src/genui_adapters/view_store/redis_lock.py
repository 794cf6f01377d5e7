"""One lock a view on a Redis or Valkey server: of all wrappers that share it, one makes the view."""

import secrets

from attrs import Factory, frozen

from genui_adapters.view_store.redis_place import PROLONG, RELEASE
from genui_adapters.view_store.redis_server import RedisServer
from genui_adapters.view_store.redis_store import hashed
from genui_core.ports.generation_lock import GenerationLock


def _some_word() -> str:
    return secrets.token_hex(16)


@frozen
class RedisLock(GenerationLock):
    """Takes locks that expire unless their holder renews them: a holder that died loses its locks.

    Args:
        server: Where they are.
        lease_ms: How long a lock holds without being prolonged.
        holder: Names this wrapper among all.
    """

    server: RedisServer
    lease_ms: int = 6_000
    holder: str = Factory(_some_word)

    is_shared = True

    async def take(self, key: str) -> bool:
        """Take the lock of a view; without a server there is none, and everybody may."""
        name = self._name(key)

        async def taken(server: RedisServer) -> bool:
            return await server.command("SET", name, self.holder, "NX", "PX", self.lease_ms) is not None

        return await self.server.ask("lock", taken, otherwise=True)

    async def prolong(self, key: str) -> None:
        """Hold a lock for another `lease_ms`, if it is still ours."""
        name = self._name(key)
        await self.server.ask(
            "prolong", lambda server: server.script(PROLONG, [name], self.holder, self.lease_ms), None
        )

    async def give_back(self, key: str) -> None:
        """Let the next one have it."""
        name = self._name(key)
        await self.server.ask("unlock", lambda server: server.script(RELEASE, [name], self.holder), None)

    def _name(self, key: str) -> str:
        return f"{self.server.place.namespace}lock:{hashed(key)}"
