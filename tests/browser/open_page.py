"""A page in a host whose calls go to a running wrapper, one thread per call."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from view_host import ViewHost


class OpenPage:
    """An open page and what it asked.

    Args:
        wrapper: Answers the calls through its ``result(method, params)``.
        serial: Whether the host makes one call at a time.
        refuses: Whether the host refuses `_ui_view`.
        options: Go to ``ViewHost.mount``.
    """

    def __init__(
        self,
        view_host: ViewHost,
        wrapper: Any,
        page: str,
        *,
        tool: dict[str, Any],
        result: dict[str, Any],
        serial: bool = False,
        refuses: bool = False,
        **options: Any,
    ) -> None:
        """Show the page and send it the result of the call that the host made as soon as it is ready."""
        self.wrapper, self.refuses = wrapper, refuses
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._answers: list[tuple[int, Future[dict[str, Any]]]] = []
        self._pool = ThreadPoolExecutor(1 if serial else 8)
        self.view = view_host.mount(page, tool=tool, call=self._called, result=result, **options)
        self.view.expected = ("Failed to load",)

    def _called(self, name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        self.asked.append((name, arguments))
        if self.refuses and name == "_ui_view":
            return {"error": {"code": -32600, "message": "This host makes no calls of views."}}
        params = {"name": name, "arguments": arguments}
        self._answers.append((len(self.asked) - 1, self._pool.submit(self._made, params)))
        return None

    def _made(self, params: dict[str, Any]) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = self.wrapper.result("tools/call", params)
        except (OSError, ValueError):
            return {"content": [{"type": "text", "text": "no wrapper"}], "isError": True}
        return answer

    def until(self, seen: Any, within_s: float = 30) -> None:
        """Deliver answers until the page shows something."""
        deadline = time.monotonic() + within_s
        while not seen():
            assert time.monotonic() < deadline
            self.pump()

    def pump(self, for_ms: float = 20) -> None:
        """Deliver the answers that have arrived, and let the page run for a while."""
        for one in [one for one in self._answers if one[1].done()]:
            self._answers.remove(one)
            self.view.answer(one[1].result(), one[0])
        self.view.page.wait_for_timeout(for_ms)

    @property
    def polls(self) -> list[dict[str, Any]]:
        """The questions for the next view; what keeps the page's state has no ``have``."""
        return [given for name, given in self.asked if name == "_ui_view" and "have" in given]

    def shows(self, words: str) -> Any:
        """Return a function that returns whether the page shows these words."""
        return lambda: self.view.frame.get_by_text(words).count() > 0
