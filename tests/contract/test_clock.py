"""Every clock keeps its promises."""

from genui_core.application.services import SystemClock
from genui_core.testing.clock import ClockContract, HandClock


class TestHandClock(ClockContract):
    def make(self):
        return HandClock()


class TestSystemClock(ClockContract):
    def make(self):
        return SystemClock()
