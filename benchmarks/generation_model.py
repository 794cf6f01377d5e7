"""A model that takes a set time to write a good view, and records when it started and ended."""

import os
import time

import anyio

from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.ports.llm_provider import OnDelta

FRAGMENT = """<style>
.view { display: grid; gap: 8px }
</style>
<template><div class="view"><p class="said"></p><div class="rows"></div></div></template>
<script>
function render(data, ui) {
  const rows = Array.isArray(data?.rows) ? data.rows : [];
  ui.root.querySelector(".said").textContent = `${ui.number(rows.length)} rows`;
  ui.root.querySelector(".rows").append(rows.length ? ui.table(rows, { caption: "Rows" }) : ui.keyValue(data));
}
</script>
<!--end-->
"""
_PIECES = 100


class UnhurriedModel:
    """A provider that streams its answer in a hundred pieces."""

    name = "unhurried"

    def __init__(self, seconds: float, diary: str) -> None:
        """Set the time of an answer, and the file for the records."""
        self.model = f"{seconds} s"
        self._seconds, self._diary = seconds, diary

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Write the view."""
        begun = time.monotonic()
        for _ in range(_PIECES):
            await anyio.sleep(self._seconds / _PIECES)
            if on_delta is not None:
                on_delta("x")
        with open(self._diary, "a") as file:  # noqa: ASYNC230, PTH123 -- one short line
            file.write(f"{time.monotonic() - begun}\n")
        return Completion(
            text=FRAGMENT, model=self.model, finish=FinishReason.STOP, request_id=request.request_id
        )

    async def close(self) -> None:
        """Do nothing."""


def unhurried(_llm: object, environment: object, _event_log: object) -> UnhurriedModel:  # noqa: ARG001
    """Return the model with the settings of the benchmark."""
    return UnhurriedModel(float(os.environ["UNHURRIED_SECONDS"]), os.environ["UNHURRIED_DIARY"])
