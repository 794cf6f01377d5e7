"""A third-party provider and store that misbehave; well-behaved ones are among the examples."""

import json
from pathlib import Path

import anyio

from genui_core.domain.generation.completion import Completion, FinishReason
from genui_core.domain.views.stored_view import StoredView, StoreStats
from genui_core.errors import GenUiError

FRAGMENT = """<style></style>
<template><div class="view"><p class="said"></p></div></template>
<script>
function render(data, ui) {
  ui.root.querySelector(".said").textContent = `${(data.rows ?? []).length} rows, drawn outside %s`;
}
</script>
<!--end-->
"""
BROKEN = FRAGMENT.replace("render(data, ui) {", "render(data, ui) {{")


class OutsideProvider:
    """A provider whose model's name is its behaviour: ``good``, ``slow``, or ``endless`` after a broken answer."""

    name = "outside"

    def __init__(self, model):
        self.model = model
        self.asked = 0

    async def complete(self, request, on_delta=None):
        self.asked += 1
        if self.model == "slow":
            await anyio.sleep(2)
        if self.model == "endless" and self.asked > 1:
            await anyio.sleep_forever()
        text = BROKEN if self.model == "endless" else FRAGMENT % self.asked
        if on_delta is not None:
            on_delta(text)
        return Completion(
            text=text, model=self.model, finish=FinishReason.STOP, request_id=request.request_id
        )

    async def close(self):
        if self.model == "endless":
            await anyio.sleep_forever()


class OutsideStore:
    """A store with a JSON file per view; in a folder named ``broken`` it breaks every promise."""

    def __init__(self, folder):
        self.folder = folder

    async def get(self, key):
        self._refuse()
        path = self._path(key)
        return _view(json.loads(path.read_text())) if path.exists() else None

    async def set(self, view):
        self._refuse()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path(view.key).write_text(json.dumps(_data(view)))
        return True

    async def invalidate(self, tool_name):
        return 0 * len(tool_name)

    async def clear(self):
        return 0

    async def entries(self):
        self._refuse()
        return tuple(_view(json.loads(path.read_text())) for path in sorted(self.folder.glob("*.json")))

    async def stats(self):
        return StoreStats(entries=0, hits=0, misses=0, total_size_bytes=0)

    async def close(self):
        self._refuse()

    def _path(self, key):
        return self.folder / f"{key}.json"

    def _refuse(self):
        if self.folder.name == "broken":
            raise ConnectionError("the server of this store went away")


def _data(view):
    return {name: getattr(view, name) for name in StoredView.__slots__ if not name.startswith("__")}


def _view(data):
    return StoredView(**{**data, "findings": tuple(data["findings"])})


def provider(llm, _environment, _event_log):
    if not llm.model:
        raise GenUiError("Say which model: good, slow or endless.")
    return OutsideProvider(llm.model)


def store(cache, _environment, _event_log):
    return OutsideStore(Path(cache.directory))
