"""A wrapper's generation worker, in its own thread with its own event loop.

So the work of a generation (loading a provider's package, writing prompts, reading a model's stream)
does not block traffic, and all transports make views in the same way.
"""

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, field

from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.domain.tools.tool import Tool
from genui_core.errors import GenUiError
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import HostModel

if TYPE_CHECKING:  # the thread imports the generation code, asyncio included
    import asyncio

    from anyio import CancelScope
    from anyio.lowlevel import EventLoopToken

    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.worker.generation_worker import Work, WorkerParts

Made = TypeVar("Made")
Step = Callable[[], None]

_CLOSE_WITHIN_S = 2.0
_AFTER_ANSWER_S = 0.05


async def _ask_host_model(model: HostModel, post: Callable[[Step], None], params: Params) -> Result:
    """Ask a host's model in the transport's thread; wait for it in the generation worker's loop."""
    import asyncio  # noqa: PLC0415 -- see above
    from concurrent.futures import Future  # noqa: PLC0415

    outcome: Future[Result | GenUiError] = Future()
    withdraw: list[Step] = []  # used in the transport's thread alone

    def ask() -> None:
        if outcome.set_running_or_notify_cancel():
            withdraw.append(model.ask(params, outcome.set_result))

    def take_back() -> None:
        for each in withdraw:
            each()

    post(ask)
    try:
        answer = await asyncio.wrap_future(outcome)
    except asyncio.CancelledError:
        post(take_back)
        raise
    if isinstance(answer, GenUiError):
        raise answer
    return answer


@define(eq=False, repr=False)
class _Job:
    """A piece of work for the generation worker, and the callbacks that get its outcome."""

    work: "Work[Any]"
    then: Callable[[Any], None]
    report: Callable[[str], None]
    host_model: HostModel | None
    is_given_up: bool = False
    scope: "CancelScope | None" = None

    def cancel(self) -> None:
        if self.scope is not None:
            self.scope.cancel()


@define(eq=False, repr=False, slots=False)
class WorkerThread:
    """The transport's interface to the generation worker; `get_ready` or the first work starts it.

    Args:
        post: Schedules a call in the transport's thread; may be called from any thread, and does
            nothing after the transport has closed.
    """

    _views: ToolViews
    _post: Callable[[Step], None]
    _thread: threading.Thread | None = field(default=None, init=False)
    _order: threading.Lock = field(factory=threading.Lock, init=False)
    _loop: "asyncio.AbstractEventLoop | None" = field(default=None, init=False)
    _jobs: "asyncio.Queue[_Job | None]" = field(init=False)
    _early: list[Step] = field(factory=list, init=False)
    _waiting: set[_Job] = field(factory=set, init=False)
    _is_closed: bool = field(default=False, init=False)
    _failure: GenUiError | None = field(default=None, init=False)

    def run(
        self,
        work: "Work[Made]",
        then: Callable[[Made | GenUiError], None],
        report: Callable[[str], None],
        host_model: HostModel | None = None,
    ) -> Step:
        """Run work in the thread; return a function that gives the work up."""
        self._note_caller()
        job = _Job(work, then, report, host_model)
        with self._order:
            if self._failure is not None:
                self._call_back(job, then, self._failure)
            elif not self._is_closed:
                self._start()
                self._waiting.add(job)
                self._soon(lambda: self._jobs.put_nowait(job))
        return lambda: self._give_up(job)

    def _note_caller(self) -> None:
        """Remember the caller's event loop, if ``post`` needs it."""

    def get_ready(self) -> None:
        """Start the thread, so that it loads the generation code before the first view is needed."""
        with self._order:
            if not self._is_closed:
                self._start()

    def close(self) -> None:
        """End the worker: cancel generations, finish open writes. Blocks for 2 seconds at most."""
        with self._order:
            self._is_closed = True
            self._soon(lambda: self._jobs.put_nowait(None))
        if self._thread is not None:
            self._thread.join(_CLOSE_WITHIN_S)

    def _give_up(self, job: _Job) -> None:
        with self._order:
            job.is_given_up = True
            self._waiting.discard(job)
            self._soon(job.cancel)

    def _soon(self, step: Step) -> None:
        """Schedule a call in the thread once its loop runs. Does not wait: that could deadlock."""
        if self._loop is None:
            self._early.append(step)
            return
        with contextlib.suppress(RuntimeError):  # the thread may have ended
            self._loop.call_soon_threadsafe(step)

    # --- in the thread ------------------------------------------------------------------

    def _start(self) -> None:
        if self._thread is None:
            _ = self._views.pages  # created here, since the transport's thread uses it too
            self._thread = threading.Thread(target=self._open, daemon=True, name="generation")
            self._thread.start()

    def _open(self) -> None:
        import anyio  # noqa: PLC0415 -- see above

        from genui_core.domain.generation.completion import safe_error_text  # noqa: PLC0415

        reason = "its event loop ended"
        try:
            anyio.run(self._live)
        except BaseException as error:  # noqa: BLE001 -- the callers must get an error in any case
            reason = safe_error_text(error)
        if not self._is_closed:
            self._fail(reason)

    def _fail(self, reason: str) -> None:
        """Fail all waiting and all later jobs, which would otherwise wait for ever."""
        failure = GenUiError(f"mcp-gen-ui can no longer make views: {reason}")
        with self._order:
            self._failure = failure
            for job in self._waiting:
                self._call_back(job, job.then, failure)
            self._waiting.clear()
        self._views.event_log.record(Level.ERROR, "wrapper", "studio_failed", reason=reason)

    async def _live(self) -> None:
        import asyncio  # noqa: PLC0415 -- see above

        import anyio  # noqa: PLC0415

        from genui_adapters.llm.own_loop import on_own_loop  # noqa: PLC0415
        from genui_core.application.views.view_service import ViewService  # noqa: PLC0415
        from genui_core.application.worker.generation_worker import WorkerParts  # noqa: PLC0415

        services = self._views.services.with_provider(on_own_loop)
        async with anyio.create_task_group() as tasks:
            parts = WorkerParts(
                ViewService(services, tasks, self._post_change, self._views.tools, self._views.shapes)
            )
            self._jobs = asyncio.Queue()
            with self._order:
                self._loop = asyncio.get_running_loop()
                for step in self._early:
                    step()
            while (job := await self._jobs.get()) is not None:
                tasks.start_soon(self._do, job, parts)
            tasks.cancel_scope.cancel()
        with anyio.CancelScope(shield=True), anyio.move_on_after(_CLOSE_WITHIN_S):
            await services.close()

    async def _do(self, job: _Job, parts: "WorkerParts") -> None:
        import anyio  # noqa: PLC0415 -- see above

        from genui_core.application.generation.single_flight import is_own_ending  # noqa: PLC0415

        if job.is_given_up:
            return
        if job.host_model is not None:
            from genui_adapters.llm.host import host_model  # noqa: PLC0415 -- only for hosts with a model

            host_model.set(partial(_ask_host_model, job.host_model, self._post))  # also for child tasks
        with anyio.CancelScope() as job.scope:
            try:
                made: object = await job.work(parts, partial(self._call_back, job, job.report))
            except GenUiError as error:
                made = error
            except BaseException as error:  # the callers must get an error in any case
                if is_own_ending(error):
                    raise
                made = GenUiError(f"mcp-gen-ui failed: {error!r}")
            with self._order:
                self._waiting.discard(job)
            self._call_back(job, job.then, made)

    def _call_back(self, job: _Job, step: Callable[[Any], None], value: object) -> None:
        """Call a job's callback in the transport's thread, unless the job is given up by then."""
        self._post(lambda: None if job.is_given_up else step(value))

    def _post_change(self, tool: Tool, view: "PresentView") -> None:
        self._post(lambda: self._views.view_changed(tool, view))


class LoopWorker(WorkerThread):
    """A generation worker whose callbacks run in the event loop that asked for work last."""

    def __init__(self, views: ToolViews) -> None:
        self._token: EventLoopToken | None = None
        self._is_getting_ready = False
        super().__init__(views, self._post_to_loop)

    def _post_to_loop(self, step: Step) -> None:
        """Call a function in that loop. Does not wait for it, since that could deadlock."""
        loop = self._token.native_token if self._token is not None else None
        ways = ("call_soon_threadsafe", "run_sync_soon")  # of asyncio, and of Trio
        post = next((getattr(loop, each) for each in ways if hasattr(loop, each)), None)
        if post is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                post(step)

    def get_ready(self) -> None:
        """Start the thread after a short delay, so that the present answer goes first."""
        if not self._is_getting_ready:
            self._is_getting_ready = True
            timer = threading.Timer(_AFTER_ANSWER_S, super().get_ready)
            timer.daemon = True
            timer.start()

    def _note_caller(self) -> None:
        """Remember the event loop that asks for the work."""
        from anyio.lowlevel import current_token  # noqa: PLC0415 -- see above

        self._token = current_token()
