"""`_ui_view`: returns a tool's present view to an open page, in a form that the page can insert.

It also stores a page's state (sorting, filter, `ui.state`, drafts), and returns it when the host loads the
page again.
"""

import json
from collections.abc import Mapping
from typing import Final

from attrs import evolve

from genui_core.application.generation.present_view import PresentView, variants_among
from genui_core.application.own_tools.tool_answers import Call
from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.views.view_service import Report
from genui_core.application.worker.generation_worker import Work, WorkerParts
from genui_core.domain.pages.generated_page import drawing_script, page_needs
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.tools.tool import Tool
from genui_core.domain.tools.wrapper_tool_schemas import LONGEST_WAIT_MS
from genui_core.domain.tools.wrapper_tools import ROLLBACK, published_name
from genui_core.domain.validation.extraction import Fragment, fragment_in
from genui_core.errors import InvalidArguments
from genui_core.ports.event_log import Level
from genui_core.ports.view_kit import ViewKit

_MOST_CHARACTERS = 8
_MOST_STATE_CHARACTERS: Final = 10_000


def live_part(tool: Tool, fragment: Fragment, kit: ViewKit) -> dict[str, str]:
    """Return a validated view in the form that an open page inserts: its style, template and script.

    They include the parts of the kit that an open page may lack. The script passes the page the function
    that draws the view.
    """
    needs = page_needs(tool, fragment.text)
    needed, plain = kit_parts(kit, needs), kit_parts(kit, evolve(needs, likeness=False))
    drawing = drawing_script(fragment.script)
    return {
        "style": needed.style.removeprefix(plain.style) + fragment.style,
        "template": fragment.template,
        "script": f"{needed.script.removesuffix(plain.script)}\n{drawing}",
    }


def present_part(call: Call) -> Work[dict[str, object]]:
    """Return the view of a tool if the page has another; wait for it if one is being made.

    A page that sends its host's id of the view gets its stored state, and need not send a version. The answer
    has no style, template and script if the page has this view, if the tool has the minimal view, or if the
    view is a document, which no open page can insert.

    Raises:
        UnknownTool: There is no tool of that name.
        InvalidArguments: An argument is wrong, or the tool gets no UI.
    """
    views, arguments, tool = call.views, call.arguments, call.tool_with_ui()
    state = _update_state(call, tool.name) if "view" in arguments.given else None
    needs_no_part = "view" in arguments.given and "have" not in arguments.given
    have = "" if needs_no_part else arguments.text("have", "the version of the view on the page")
    wait_ms = arguments.number("waitMs", "a number of milliseconds", otherwise=0, most=LONGEST_WAIT_MS)
    if arguments.switch("broken"):
        views.event_log.record(
            Level.WARN, "wrapper", "view_not_drawn", tool_name=tool.name, version=have[:_MOST_CHARACTERS]
        )
    facts, rolls_back = views.facts(tool), published_name(ROLLBACK, views.tools.active_tools)

    async def work(parts: WorkerParts, _report: Report) -> dict[str, object]:
        view = await parts.waits.next_view(facts, have, wait_ms / 1000)
        source = "" if view is None else view.source
        version = view_version(source)
        answer: dict[str, object] = {
            "tool": tool.name,
            "version": version,
            "state": "pending" if parts.waits.is_pending(tool) else "written" if source else "minimal",
        }
        if state is not None:
            answer["kept"] = state
        if view is None or version == have or not have:
            return answer
        answer |= _rollback_offer(parts, tool, view, have, rolls_back)
        fragment = None if view.mode == "document" else fragment_in(source)
        if fragment is None:
            return {**answer, "document": True} if view.mode == "document" else answer
        related = list(views.pages.related(tool, view))
        return {**answer, **live_part(tool, fragment, views.services.kit), "related": related}

    return work


def _update_state(call: Call, tool_name: str) -> dict[str, object] | None:
    """Store the state that a page sends, and return the stored state; None without a session."""
    view = call.arguments.text("view", "the host's id of the view")
    keep = call.arguments.given.get("keep", {})
    text = json.dumps(keep, separators=(",", ":"), ensure_ascii=False)
    if not isinstance(keep, Mapping) or len(text) > _MOST_STATE_CHARACTERS:
        raise InvalidArguments(f"keep must be an object of at most {_MOST_STATE_CHARACTERS:,} characters.")
    if call.session is None:
        return None
    states = call.views.services.page_states
    if "keep" in call.arguments.given:
        states.store(call.session, tool_name, view, text)
    state: dict[str, object] = json.loads(states.load(call.session, tool_name, view))
    return state


def _rollback_offer(
    parts: WorkerParts, tool: Tool, view: PresentView, have: str, rolls_back: str
) -> dict[str, object]:
    """Return the rollback to the other of two variants, or else to the page's view; {} for neither."""
    memory = parts.service.memory
    present, versions = memory.number_of(tool.name, view), memory.versions(tool.name)
    variants = [each.number for each in variants_among(versions)]
    if present in variants:
        shown = variants.index(present)
        return {"choice": {"tool": rolls_back, "version": variants[1 - shown], "shown": shown + 1}}
    former = [each.number for each in versions if view_version(each.view.source) == have]
    is_other = former and present not in (None, *former)
    return {"undo": {"tool": rolls_back, "version": former[-1]}} if is_other else {}
