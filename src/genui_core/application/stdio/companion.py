"""The companion page: shows views, and reports a person's actions, if the host shows no views.

To the wrapper, the page is one more host: the same code decides about its requests as about those of a host
that shows MCP Apps.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from json import loads
from typing import TYPE_CHECKING, Protocol

from attrs import define, field, frozen

from genui_core.application.own_tools.tool_answers import Arguments, failure, success
from genui_core.application.requests.host_request import Forward, HostRequest, error_for_host
from genui_core.application.requests.request_router import RequestRouter
from genui_core.application.stdio.answer_run import (
    AnswerRun,
    RelayedModel,
    RelayWaits,
    Resume,
    Wait,
    ask_upstream,
)
from genui_core.application.stdio.supervision import StdioSession
from genui_core.application.stdio.upstream_changes import RelayListings
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import AppsSetting, as_stateless
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.domain.mcp.results import (
    Additions,
    ResultText,
    UnparsedResult,
    text_with_additions,
    with_additions,
)
from genui_core.domain.session.exchange import Forwarding, PendingRequest, Step
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEditor, Then
from genui_core.domain.tools.tool import Tool
from genui_core.domain.tools.wrapper_tool_schemas import LONGEST_COMPANION_WAIT_S
from genui_core.domain.tools.wrapper_tools import OPEN, PUSH, WAIT, companion_tools, original_name
from genui_core.errors import GenUiError, InvalidArguments

if TYPE_CHECKING:
    from genui_core.application.views.view_service import Report
    from genui_core.application.worker.generation_worker import Work, WorkerParts

Happening = dict[str, object]
"""One action of a person in the page."""

_DEFAULT_WAIT_S = 30
_MOST_CALLS = 20
_MOST_BYTES = 4 << 20
_NEXT = "Tell the person this address, then call _ui_wait: it returns what they do in the page."


@frozen
class SeenCall:
    """A call of the session, and the unparsed line of its answer (empty if the line was too long)."""

    params: Params
    line: bytes


@frozen
class Pushed:
    """A page that an agent shows besides its calls, and the data that it draws."""

    title: str
    page: str
    data: object


class CompanionPage(Protocol):
    """The page's server. Only the transport's thread may call it; only `close` blocks."""

    def address(self) -> str:
        """Return an address that opens the page once; the first call starts to serve it.

        Raises:
            GenUiError: No address can be served.
        """

    def bring_up(self, address: str) -> str:
        """Show the page to the person; return ``open`` (a tab exists), ``opening`` or ``not opened``."""

    def show(self, shown: SeenCall | Pushed) -> None:
        """Show a call or a pushed page, too."""

    def wait(self, timeout_s: float, then: Callable[[list[Happening]], None]) -> Callable[[], None]:
        """Call ``then`` with the actions so far, or within the time; return a function that ends the wait."""

    def put_back(self, happened: list[Happening]) -> None:
        """Take back actions that no one received; they come first in the next answer."""

    def close(self) -> None:
        """Stop the server. Blocks for a moment."""


@frozen
class PageHost:
    """The wrapper as the page's server sees it; every function may be called from any thread.

    Attributes:
        ask: Answers a request of the page; gets its method, its params and a callback for the answer message.
        post: Runs a step in the transport's thread.
        title: The upstream's own name.
        has_model: Whether there is a model to write views.
    """

    ask: Callable[[str, Params, Then], None]
    post: Callable[[Step], object]
    title: str
    has_model: bool


PageMaker = Callable[[PageHost], CompanionPage]


@define(eq=False, repr=False)
class Companion:
    """The companion page of one session, and the tools by which an agent uses it.

    Args:
        host: Returns the wrapper as the page sees it.
        make_page: Creates the page on first use.
    """

    _views: ToolViews
    _requests: RequestRouter
    _host: Callable[[], PageHost]
    _make_page: PageMaker
    _page: CompanionPage | None = None
    _calls: deque[SeenCall] = field(factory=deque)
    _bytes: int = 0

    @property
    def tools(self) -> dict[str, dict[str, object]]:
        """The definitions of the page's tools, by the names that hosts see."""
        return companion_tools(self._views.tools.active_tools)

    def watch_call(self, params: Params, decision: Forwarding) -> Forwarding:
        """Record the answer to a host's call; add the page's address to it if the settings want that."""
        edit = decision.edit
        if edit is None and self._views.settings.companion.link_in_results:
            edit = AnswerEditor(self._with_link)
        return Forwarding(edit, partial(self._see, params, decision.see))

    def _with_link(self, result: UnparsedResult) -> bytes:
        """Add the page's address to a call's result; a result without content stays as it is."""
        address = self.present_page().address()
        item = {"type": "text", "text": f"As an interactive view: {address}"}
        return ResultText(text_with_additions(result, Additions(key="content", elements=[item]))).data

    def _see(self, params: Params, see_too: Callable[[bytes], None] | None, line: bytes) -> None:
        if see_too is not None:
            see_too(line)
        call = SeenCall(params, line)
        if self._page is not None:
            self._page.show(call)
            return
        self._bytes += len(line)
        self._calls.append(call)
        while len(self._calls) > _MOST_CALLS or self._bytes > _MOST_BYTES:
            self._bytes -= len(self._calls.popleft().line)

    def present_page(self) -> CompanionPage:
        """Return the page; create it with the calls so far if there is none."""
        if self._page is None:
            self._page = self._make_page(self._host())
            for call in self._calls:
                self._page.show(call)
            self._calls.clear()
        return self._page

    def close(self) -> None:
        """Close the page."""
        if self._page is not None:
            self._page.close()

    # --- the tools ----------------------------------------------------------------------

    async def list_tools(self, request: HostRequest, forward: Forward) -> Result:
        """List the tools, with the companion page's tools after the last page of the list."""
        return await self._requests.list_tools(request, forward, lambda: self.tools.values())  # noqa: PLW0108 -- as listed

    async def call(self, request: HostRequest, forward: Forward) -> Result:
        """Answer a call of a companion tool; the request router answers the wrapper's other tools."""
        await self._requests.learn_tools(request, forward)
        name = str(request.params["name"])
        if name not in self.tools:
            return await self._requests.answer(request, forward)
        arguments = as_object(request.params.get("arguments"))
        try:
            result = success(await self._call_tool(original_name(name), arguments, request))
        except GenUiError as error:
            logged = self._views.services.log_failure(request.method, error)
            result = failure(error, logged)
        return as_stateless(request.method, result) if request.stateless else result

    async def _call_tool(self, name: str, arguments: Params, request: HostRequest) -> dict[str, object]:
        if name == OPEN:
            return self._open()
        return await (self._wait(arguments) if name == WAIT else self._push(arguments, request))

    def _open(self) -> dict[str, object]:
        page = self.present_page()
        address = page.address()
        return {"address": address, "tab": page.bring_up(address), "next": _NEXT}

    async def _wait(self, arguments: Params) -> dict[str, object]:
        read, most = Arguments(arguments).number, LONGEST_COMPANION_WAIT_S
        timeout_s = read("timeoutSeconds", "a whole number of seconds", otherwise=_DEFAULT_WAIT_S, most=most)
        page = self.present_page()

        def begin(_pending: PendingRequest, resume: Resume) -> Step:
            def answer(happened: list[Happening]) -> None:
                if not resume(happened):
                    page.put_back(happened)

            return page.wait(timeout_s, answer)

        return {"events": await Wait(begin)}

    async def _push(self, arguments: Params, request: HostRequest) -> dict[str, object]:
        title, html = arguments.get("title", "From the agent"), arguments.get("html")
        data = arguments.get("data")
        if not isinstance(title, str) or not isinstance(html, str | None) or (html is None and data is None):
            raise InvalidArguments("_ui_push needs data (any JSON), html (a view, as text), or both.")
        tool = Tool({"name": PUSH, "title": title, "inputSchema": {"type": "object"}})
        told, page_text = await self._requests.run_work(pushed_page(self._views, tool, html), request)
        page = self.present_page()
        if page_text:
            page.show(Pushed(title, page_text, data))
        return {**told, "address": page.address()}


def pushed_page(views: ToolViews, tool: Tool, html: str | None) -> "Work[tuple[Params, str]]":
    """Return the work that makes a pushed page: the tool's answer, and the page ("" for an invalid view)."""
    facts = views.facts(tool)

    async def work(parts: "WorkerParts", _report: "Report") -> tuple[Params, str]:
        if html is None:
            return {"status": "done"}, views.pages.page(tool, None)
        submission = await parts.drafts.check(facts, html, views.identity.request_id())
        page = "" if submission.view is None else views.pages.page(tool, submission.view)
        report = submission.report
        findings = [dict(each.as_data()) for each in report.findings]
        told = {"status": "done" if page else "failed", "repairs": list(report.repairs), "findings": findings}
        return told, page

    return work


_CALL_TIMEOUT_S = 600.0
"""How long the upstream may take to answer a request of the page."""


@frozen(slots=False)
class PageRequests:
    """The companion page's requests, answered like those of a host with MCP Apps, unseen by the host."""

    _views: ToolViews
    _relay: Relay
    _host: StdioSession
    _listings: RelayListings
    _handshake: Params = field(init=False, factory=dict)  # an object of its own: the page's session

    def host(self) -> PageHost:
        """Return the wrapper as the page sees it."""
        upstream_name, has_model = self._views.tools.upstream_name, self._views.has_model
        return PageHost(self._ask, self._relay.post, upstream_name, has_model)

    def _ask(self, method: str, params: Params, then: Then) -> None:
        self._relay.post(lambda: self._begin(method, params, then))

    @cached_property
    def _requests(self) -> RequestRouter:
        return RequestRouter(self._views, self._listings, RelayWaits(self._relay), AppsSetting.ALWAYS)

    async def _answer(self, request: HostRequest, forward: Forward) -> Result:
        if request.method != "tools/list":
            return await self._requests.answer(request, forward)
        await self._requests.learn_tools(request, forward)
        listed = [each.definition for each in self._views.tools.active_tools.values()]
        ties, ours = self._views.ties(listed), [*self._views.own_tools.values()]
        return with_additions({"tools": listed}, Additions(key="tools", in_elements=ties, elements=ours))

    async def _ask_upstream(self, request: HostRequest) -> Result:
        return await ask_upstream(self._relay, request.method, request.params, _CALL_TIMEOUT_S)

    def _begin(self, method: str, params: Params, then: Then) -> None:
        request_id = self._relay.exchange.own.new_id()
        own = {key: value for key, value in params.items() if key != "_meta"}
        meta = self._host.meta
        asked = {**own, "_meta": meta} if meta else own
        model, stateless = RelayedModel(self._relay), bool(meta)
        request = HostRequest(method, asked, model=model, handshake=self._handshake, stateless=stateless)
        pending = _PageRequest(request_id, method, asked, b"", self._relay.exchange, then)
        failed = partial(error_for_host, self._views, request)
        AnswerRun(self._answer(request, self._ask_upstream), failed).serve(pending)


@frozen(eq=False, repr=False)
class _PageRequest(PendingRequest):
    """A request of the companion page, answered with a message and not on the wire."""

    _then: Then

    def succeed(self, result: str | Iterable[bytes]) -> None:
        """Answer with the JSON text of a result, whole or in pieces."""
        text = result if isinstance(result, str) else b"".join(result)
        self._answer(lambda: {"result": loads(text)})

    def fail(self, error: Params) -> None:
        """Answer with an error."""
        self._answer(lambda: {"error": error})

    def tell(self, method: str, params: Params) -> None:
        """Ignore progress: the page does not show it."""

    def _answer(self, message: Callable[[], Params]) -> None:
        if self._exchange.settle(self.request_id):
            self._then(message())
