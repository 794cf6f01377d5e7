"""The wrapper's own tools that report on views or change them (requirement T3)."""

from collections.abc import Mapping, Sequence

from genui_core.application.generation.present_view import (
    Change,
    ChangeStatus,
    PresentView,
    Version,
    variants_among,
)
from genui_core.application.own_tools.tool_answers import Call
from genui_core.application.views.view_service import Report
from genui_core.application.worker.generation_worker import Work, WorkerParts
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.tools.classification import UiType, ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.tools.wrapper_tools import DOCUMENTS, ROLLBACK, published_name
from genui_core.errors import InvalidArguments
from genui_core.ports.event_log import Level

Answer = dict[str, object]

NUMBER_WORDS = "the number of a version"
"""What the argument `version` must be, for the error message."""

_NEXT = (
    "Write the view as the prompt says, then call _ui_submit with the name of this tool and the whole view as html. "
    f"More for a second look, as resources: {', '.join(DOCUMENTS)}."
)


def list_all(call: Call) -> Work[Answer]:
    """List all tools and the states of their views."""
    views = call.views
    tools = tuple(
        (tool, views.tools.gives_ui(tool), tool.has_hash) for tool in views.tools.active_tools.values()
    )
    known = tuple(views.facts(tool) for tool, _, made in tools if made)

    async def work(parts: WorkerParts, _report: Report) -> Answer:
        service = parts.service
        for facts in known:
            await service.recall(facts)
        stored = await service.services.store.stored_among([service.key(facts.tool) for facts in known])
        listed = [
            _list_entry(parts, tool, stored, enabled=shown) if made else _bare_entry(tool, enabled=shown)
            for tool, shown, made in tools
        ]
        return {"tools": listed}

    return work


def inspect(call: Call) -> Work[Answer]:
    """Report everything about one tool's view."""
    tool = call.makeable_tool()
    enabled = call.views.tools.gives_ui(tool)
    address = call.views.pages.address(tool) if enabled else None
    facts = call.views.facts(tool)

    async def work(parts: WorkerParts, _report: Report) -> Answer:
        await parts.service.recall(facts)
        stored = await parts.service.services.store.stored_among([parts.service.key(tool)])
        listed = _list_entry(parts, tool, stored, enabled=enabled)
        return {"tool": tool.name, "resourceUri": address, **_inspection(parts, tool, listed)}

    return work


def history(call: Call) -> Work[Answer]:
    """List the versions of a tool's view; if the call has a number, return that version as a whole."""
    tool = call.tool()
    facts = call.views.facts(tool)
    number = call.arguments.number("version", NUMBER_WORDS) if "version" in call.arguments.given else None
    pages = call.views.pages

    async def work(parts: WorkerParts, _report: Report) -> Answer:
        await parts.service.recall(facts)
        present = parts.service.memory.number_of(tool.name, parts.service.present(tool))
        listed = [_version(each, present) for each in parts.service.memory.versions(tool.name)]
        told: Answer = {"tool": tool.name, "versions": listed}
        if number is None:
            return told
        view = (await parts.editor.version(facts, number)).view
        return {**told, "source": view.source, "page": pages.page(tool, view)}

    return work


def prompt(call: Call) -> Work[Answer]:
    """Return the prompt with which a model would write a tool's view."""
    facts = call.views.facts(call.tool_with_ui())
    mode = call.views.settings.generation.mode

    async def work(parts: WorkerParts, _report: Report) -> Answer:
        prompt = await parts.drafts.prompt(facts)
        return {
            "tool": facts.tool.name,
            "mode": mode,
            "system": prompt.system,
            "prompt": prompt.text,
            "next": _NEXT,
        }

    return work


def _bare_entry(tool: Tool, *, enabled: bool) -> Answer:
    """Return the list entry of a tool for which no view can be made."""
    kind = str(UiType.MINIMAL)
    return {"name": tool.name, "uiType": kind, "cached": False, "refinements": 0, "enabled": enabled}


def _list_entry(parts: WorkerParts, tool: Tool, stored: frozenset[str], *, enabled: bool) -> Answer:
    """Return the list entry of a tool; its view is cached if the store has it under one of these keys."""
    service = parts.service
    present = service.present(tool)
    return {
        "name": tool.name,
        "uiType": str(_ui_type(parts, tool, present)),
        "cached": enabled and service.key(tool) in stored,
        "refinements": len(service.memory.refinements(tool.name).all),
        "enabled": enabled,
    }


def _ui_type(parts: WorkerParts, tool: Tool, present: PresentView | None) -> UiType:
    if present is not None and present.state is not ViewState.PROVISIONAL:
        return present.kind
    return UiType.MINIMAL if parts.service.services.llm is None else parts.service.kind_of(tool)


def _inspection(parts: WorkerParts, tool: Tool, listed: Mapping[str, object]) -> Answer:
    service = parts.service
    present = service.present(tool)
    stored, now = present and present.stored, service.services.configuration
    return {
        "uiType": listed["uiType"],
        "state": str(present.state if present is not None else ViewState.MINIMAL),
        "enabled": listed["enabled"],
        "cached": listed["cached"],
        "cacheKey": service.key(tool),
        "generatedAt": stored.generated_at if stored else None,
        "generationDurationMs": stored.generation_duration_ms if stored else None,
        "llmModel": stored.llm_model if stored else None,
        "promptVersion": stored.prompt_version if stored else now.prompt_set_version,
        "templateVersion": stored.template_version if stored else now.template_version,
        "refinementHistory": [dict(each.as_data()) for each in service.memory.refinements(tool.name).all],
        "inputSchema": as_object(tool.definition.get("inputSchema")),
        "repairs": [] if present is None else list(present.repairs),
        "findings": [dict(each) for each in stored.findings] if stored else [],
        "fallbackReason": (present.reason or None) if present is not None else None,
        "fallbackKind": present.error_type if present is not None else None,
        "requestId": stored.request_id if stored else None,
    }


def _version(version: Version, present: int | None) -> Answer:
    stored = version.view.stored
    return {
        "version": version.number,
        "isPresent": version.number == present,
        "occasion": version.occasion,
        "uiType": str(version.view.kind),
        "generatedAt": stored.generated_at if stored else None,
        "llmModel": stored.llm_model if stored else None,
        "refinements": list(version.refinements.feedback),
    }


def refine(call: Call) -> Work[Answer]:
    """Change a view by one more refinement."""
    tool = call.tool_for_model()
    feedback = call.arguments.text("feedback", "what to change, in plain words")
    facts = call.views.facts(tool)

    async def work(parts: WorkerParts, report: Report) -> Answer:
        change = await parts.editor.refine(facts, feedback, call.request_id, report)
        return _change_result(call, tool, change)

    return work


def regenerate(call: Call) -> Work[Answer]:
    """Make a view again, even if the store holds one."""
    tool = call.tool_for_model()
    clear = call.arguments.switch("clearRefinements")
    wanted = call.arguments.choice("uiType", ("rich", "minimal"))
    variants = call.arguments.number("variants", "1 or 2", otherwise=1)
    if variants not in (1, 2) or (variants > 1 and wanted == "minimal"):
        raise InvalidArguments("variants must be 1, or 2 for a rich UI.")
    facts = call.views.facts(tool)

    async def work(parts: WorkerParts, report: Report) -> Answer:
        change = await parts.editor.regenerate(
            facts,
            call.request_id,
            report,
            clear_refinements=clear,
            ui_type=None if wanted is None else UiType(wanted),
            variants=variants,
        )
        known = (
            parts.service.memory.versions(tool.name)
            if variants > 1 and change.status is ChangeStatus.DONE
            else ()
        )
        return _change_result(call, tool, change, variants_among(known))

    return work


def submit(call: Call) -> Work[Answer]:
    """Validate a view that someone wrote from the wrapper's prompt, and serve it if it passes."""
    facts = call.views.facts(call.tool_with_ui())
    html = call.arguments.text("html", "the whole view")

    async def work(parts: WorkerParts, report: Report) -> Answer:
        report("Checking the view")
        submission = await parts.drafts.submit(facts, html, call.request_id)
        validation = submission.report
        return {
            "tool": facts.tool.name,
            "status": "failed" if submission.view is None else "done",
            "ruling": str(validation.ruling),
            "repairs": list(validation.repairs),
            "findings": [dict(each.as_data()) for each in validation.findings],
            "requestId": call.request_id,
        }

    return work


def roll_back(call: Call) -> Work[Answer]:
    """Return to an earlier view of a tool."""
    tool = call.tool_with_ui()
    facts = call.views.facts(tool)
    number = call.arguments.number("version", NUMBER_WORDS)

    async def work(parts: WorkerParts, _report: Report) -> Answer:
        version = await parts.editor.roll_back(facts, number)
        if version in variants_among(parts.service.memory.versions(tool.name)):
            call.views.event_log.record(
                Level.INFO, "wrapper", "variant_chosen", tool_name=tool.name, version=number
            )
        return {
            "tool": tool.name,
            "version": version.number,
            "uiType": str(version.view.kind),
            "refinements": list(version.refinements.feedback),
        }

    return work


def _change_result(call: Call, tool: Tool, change: Change, variants: Sequence[Version] = ()) -> Answer:
    rolls_back = published_name(ROLLBACK, call.views.tools.active_tools)
    numbers = [each.number for each in variants]
    choice = numbers and {
        "variants": numbers,
        "next": f"Version {numbers[1]} is shown. {rolls_back} with version {numbers[0]} shows the other.",
    }
    return {
        **(choice or {}),
        "tool": tool.name,
        "status": str(change.status),
        "uiType": str(change.ui_type),
        "seconds": round(change.seconds, 1),
        "reason": change.reason or None,
        "errorType": change.error_type,
        "requestId": call.request_id,
    }
