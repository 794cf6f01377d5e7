"""The settings of the view store (``cache``)."""

from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.domain.settings.setting import section, setting

if TYPE_CHECKING:  # loaded with the first store
    from datetime import timedelta

BUILT_IN_STORES = ("memory", "filesystem", "redis")


@frozen(kw_only=True, field_transformer=section("cache"))
class CacheSettings:
    """Where finished views are stored, and how many (``cache``); each field has its own description.

    Attributes:
        enabled: False generates every view again; only a flag sets this, no config file.
    """

    type: str = setting(
        "memory",
        "Where finished views are stored: `memory` until the wrapper ends, `filesystem` permanently, `redis` "
        "for all wrappers with one `cache.url`; installed packages may add stores.",
        known=BUILT_IN_STORES,
    )
    directory: str | None = setting(
        None, "The folder of the filesystem store.", fallback="the user's cache folder", is_path=True
    )
    url: str | None = setting(
        None,
        "The address of a Redis or Valkey server: `redis://:PASSWORD@HOST:PORT/DATABASE`, "
        "`rediss://…` over TLS, `unix://PATH`; `?seal=WORD` seals views with a secret other than the password.",
        is_secret=True,
        expands=True,
    )
    max_entries: int = setting(
        100, "The most views that are stored; the least recently used are removed first.", least=1
    )
    max_entry_size_bytes: int = setting(512_000, "The largest source that is stored.", least=1024)
    max_total_size_bytes: int = setting(52_428_800, "The largest total size of all sources.", least=1_048_576)
    ttl_ms: int | None = setting(
        None,
        "The longest time that a view is stored. A wrapper goes on showing the view that a tool has.",
        least=1,
        fallback="for ever",
    )
    fallback_ttl_ms: int = setting(
        300_000, "How long after a failure the minimal view replaces a rich one.", least=0
    )
    persist_on_shutdown: bool = setting(
        False, "Write the memory store's views to the cache folder when the wrapper ends."
    )
    enabled: bool = True

    @property
    def ttl(self) -> "timedelta | None":
        """The longest time that a view is stored; None for ever."""
        from datetime import timedelta  # noqa: PLC0415 -- see above

        return None if self.ttl_ms is None else timedelta(milliseconds=self.ttl_ms)
