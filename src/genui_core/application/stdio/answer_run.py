"""Runs the coroutine that answers a host's request: without an event loop, by callbacks of the relay."""

from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from attrs import frozen

from genui_core.application.requests.host_request import Begin, HostRequest, Take, Waits
from genui_core.domain.mcp.jsonrpc import Params, Result, json_text, outcome_of
from genui_core.domain.mcp.results import UnparsedResult
from genui_core.domain.session.exchange import Decision, Forwarding, PendingRequest, Step, Written
from genui_core.domain.session.relay import ASK_TIMEOUT_S, Relay
from genui_core.domain.session.upstream_answers import AnswerEditor
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.host_model import SAMPLING, HostModel

Resume = Callable[[Any], bool]
"""Resumes a coroutine with a value; returns whether the coroutine still waited for it."""


@frozen(eq=False, repr=False)
class Wait(Awaitable[Any]):
    """The one thing that a coroutine may await: a callback of the relay.

    Attributes:
        begin: Called with the request (None for the wrapper's own work) and the function that resumes the
            coroutine; returns a function that ends the wait if the host cancels the request.
    """

    begin: Callable[[Any, Resume], Step | None]

    def __await__(self) -> Generator["Wait", Any, Any]:
        """Suspend the coroutine."""
        return (yield self)


_ANSWER = Wait(lambda _pending, _resume: None)
"""The wait for the upstream's answer: `AnswerRun` itself forwards the request, and resumes the coroutine."""


async def upstream_answer(_request: HostRequest) -> Result:
    """Forward the host's request as the same bytes, and return the upstream's result.

    Raises:
        UpstreamFailed: The upstream answers with an error.
    """
    result: Result = await _ANSWER
    return result


async def ask_upstream(
    relay: Relay, method: str, params: Params, timeout_s: float = ASK_TIMEOUT_S
) -> Mapping[str, object]:
    """Send the wrapper's own request to the upstream, and return the result.

    Raises:
        UpstreamFailed: The upstream answers with an error, or not in time.
    """
    answer = await Wait(
        lambda _pending, resume: relay.ask_upstream(method, params or None, resume, timeout_s)
    )
    outcome = outcome_of(answer, UpstreamFailed)
    if isinstance(outcome, UpstreamFailed):
        raise outcome
    return outcome


def run_alone(work: Coroutine[Wait, Any, None]) -> None:
    """Run work that no host waits for, between the messages of the relay."""

    def go_on(value: object = None) -> bool:
        with suppress(StopIteration):
            work.send(value).begin(None, go_on)
        return True

    go_on()


@frozen(eq=False, repr=False)
class RelayWaits(Waits):
    """Waits between the messages of the relay."""

    _relay: Relay

    async def outcome(
        self, begin: Begin, _request: HostRequest, within_s: float | None, late: Take
    ) -> object:
        """Return the outcome of the work, or None after ``within_s``, and notify the host of its progress."""

        def begin_wait(pending: PendingRequest, resume: Resume) -> Step:
            def take(made: object) -> None:
                if not resume(made):
                    late(made)

            give_up = begin(take, pending.tell)
            if within_s is not None:
                pending.later(within_s, partial(resume, None))
            return give_up

        return await Wait(begin_wait)

    def soon(self, step: Step) -> None:
        """Run the step in the driver's next turn, when the request has been written."""
        self._relay.later(0, step)


@frozen(eq=False, repr=False)
class RelayedModel(HostModel):
    """The host's model, asked with the wrapper's own requests, which the upstream does not see."""

    _relay: Relay

    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Ask the host."""
        return self._relay.ask_host(SAMPLING, params, lambda answer: then(outcome_of(answer, HostRefused)))


class AnswerRun:
    """One request, from its decision to its answer.

    Args:
        answer: The coroutine that returns the result; it waits for `Wait` only.
        failed: Logs an error of the wrapper, and returns any error in the form for the host.
    """

    def __init__(
        self,
        answer: Coroutine[Wait, Any, Result],
        failed: Callable[[GenUiError], Mapping[str, object]],
    ) -> None:
        self._answer = answer
        self._failed = failed
        self._wait: Wait | None = None

    def decide(self) -> Decision:
        """Run to the first wait; return the decision about the request: without a wait, its answer."""
        outcome = self._advance(partial(self._answer.send, None))
        if self._wait is _ANSWER:
            return Forwarding(self._editor())
        return outcome if isinstance(outcome, tuple) else partial(self._go_on, outcome)

    def serve(self, pending: PendingRequest) -> None:
        """Run to the answer of a request that is not forwarded as it came."""
        self._go_on(self._advance(partial(self._answer.send, None)), pending)

    def _advance(self, step: Callable[[], Wait]) -> Written | GenUiError | None:
        """Run the coroutine to its next wait, or return its outcome."""
        try:
            return self._step(step)
        except GenUiError as error:
            return error
        except Exception as error:  # noqa: BLE001 -- a fault in serving a view must not end the connection
            return GenUiError(f"mcp-gen-ui failed: {error!r}")

    def _step(self, step: Callable[[], Wait]) -> Written | None:
        self._wait = None
        try:
            self._wait = step()
        except StopIteration as ended:
            return _pieces_of(ended.value)
        return None

    # --- before the upstream's answer ---------------------------------------------------

    def _go_on(self, outcome: Written | GenUiError | None, pending: PendingRequest) -> None:
        """Answer a request that the relay holds, forward it, or begin to wait."""
        if isinstance(outcome, GenUiError):
            pending.fail(self._failed(outcome))
        elif outcome is not None:
            pending.succeed(outcome)
        elif self._wait is _ANSWER:
            pending.forward(self._editor())
        elif self._wait is not None:
            self._begin(self._wait, pending)

    def _begin(self, wait: Wait, pending: PendingRequest) -> None:
        ends = list[Step]()

        def resume(value: object) -> bool:
            is_awaited = self._wait is wait and pending.is_open
            if is_awaited:
                self._go_on(self._advance(partial(self._answer.send, value)), pending)
            return is_awaited

        def cancelled() -> None:
            self._answer.close()
            for end in ends:
                end()

        pending.when_cancelled(cancelled)
        try:
            ends += filter(None, (wait.begin(pending, resume),))
        except Exception as error:  # noqa: BLE001 -- the coroutine handles the error
            self._go_on(self._advance(partial(self._answer.throw, error)), pending)

    # --- the upstream's answer ----------------------------------------------------------

    def _editor(self) -> AnswerEditor:
        """Return the editor that replaces the upstream's answer by what the coroutine returns for it."""

        def edit_result(result: UnparsedResult) -> bytes:
            outcome = self._advance(partial(self._answer.send, result))
            if outcome is None or isinstance(outcome, GenUiError):
                raise outcome or RuntimeError("the answer was there")
            return b"".join(outcome)

        def replace_error(error: Mapping[str, object]) -> str | Mapping[str, object] | None:
            outcome = self._advance(partial(self._answer.throw, UpstreamFailed(error)))
            if outcome is None or isinstance(outcome, UpstreamFailed):
                return None
            return self._failed(outcome) if isinstance(outcome, GenUiError) else b"".join(outcome).decode()

        return AnswerEditor(edit_result, replace_error)


def _pieces_of(result: Result) -> Written:
    return result.pieces if isinstance(result, UnparsedResult) else (json_text(dict(result)).encode(),)
