"""A choice that is made while something else goes on, such as the start of an upstream."""

from collections.abc import Mapping
from threading import Thread

from genui_adapters.llm.choice import Choice, choose
from genui_core.domain.settings import Settings


class ChoiceUnderWay:
    """Chooses in a thread of its own: looking for a server can take up to 200 ms, and mostly that is waiting.

    Args:
        settings: What is configured.
        environment: Where credentials are.
    """

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._environment = environment
        self._choice: Choice | None = None
        self._thread = Thread(target=self._choose, daemon=True)
        self._thread.start()

    def result(self) -> Choice:
        """Return the choice, waiting for it where it is not made yet."""
        self._thread.join()
        return self._choice or choose(self._settings, self._environment)

    def _choose(self) -> None:
        self._choice = choose(self._settings, self._environment)
