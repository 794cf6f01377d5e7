"""What the page about the wrapper's own tools says besides their definitions: groups, meanings, examples."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from genui_core.application.views.view_editor import CHANGE_TIMEOUT_S
from genui_core.domain.tools.wrapper_tools import (
    HISTORY,
    INSPECT,
    LIST,
    OPEN,
    PROMPT,
    PUSH,
    REFINE,
    REFRESH_TOOLS,
    REGENERATE,
    ROLLBACK,
    SUBMIT,
    VIEW,
    WAIT,
)


class FailingCall(NamedTuple):
    """A typical call that fails, for a server with the tools `get_forecast` and `show_map`, without a model.

    Attributes:
        why: What is wrong with the call.
        message: The text of the error, for a tool whose error the generator cannot produce itself.
    """

    why: str
    arguments: Mapping[str, object]
    message: str = ""


GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Change a view": {
        REFINE: "change a view, in plain words",
        REGENERATE: "start over, or get two variants to choose between",
        HISTORY: "see which views a tool has had",
        ROLLBACK: "return to an older view",
    },
    "Look at the tools": {
        LIST: "see which tools have a view, and of which kind",
        INSPECT: "find out why a view is as it is, or why it is minimal",
        REFRESH_TOOLS: "have the wrapper list the server's tools again",
    },
    "Write a view in the chat, without a key": {
        PROMPT: "get the prompt for a view",
        SUBMIT: "submit the view that the chat's own model wrote",
    },
    "For open pages": {
        VIEW: "get the view that an open page should show",
    },
    "For agents whose hosts show no views": {
        OPEN: "show the session's calls in the browser",
        WAIT: "learn what the person does there",
        PUSH: "show data, or a view that the agent wrote",
    },
}
"""What each tool is for, by the title of its section, in the order of the page."""

FAILING_CALLS: Final[Mapping[str, FailingCall]] = {
    REFINE: FailingCall(
        "No model is configured.", {"toolName": "get_forecast", "feedback": "make the table sortable"}
    ),
    HISTORY: FailingCall("`version` is no number.", {"toolName": "get_forecast", "version": "first"}),
    ROLLBACK: FailingCall("`version` is missing.", {"toolName": "get_forecast"}),
    INSPECT: FailingCall("The name has a typing error.", {"toolName": "get_forcast"}),
    PROMPT: FailingCall("The server brings a UI for this tool itself.", {"toolName": "show_map"}),
    SUBMIT: FailingCall("The view is empty.", {"toolName": "get_forecast", "html": ""}),
    VIEW: FailingCall(
        "The page wants to wait too long.", {"toolName": "get_forecast", "have": "8c1f", "waitMs": 60_000}
    ),
    WAIT: FailingCall(
        "The agent wants to wait too long.",
        {"timeoutSeconds": 90},
        "timeoutSeconds must be a whole number of seconds from 0 to 50, not 90.",
    ),
    PUSH: FailingCall(
        "There is nothing to show.",
        {"title": "Where to?"},
        "_ui_push needs data (any JSON), html (a view, as text), or both.",
    ),
}

REFINEMENT: Final[Mapping[str, object]] = {
    "name": REFINE,
    "arguments": {
        "toolName": "get_forecast",
        "feedback": "Make the table sortable, and draw the rain as bars.",
    },
}
REFINED: Final[Mapping[str, object]] = {
    "tool": "get_forecast",
    "status": "done",
    "uiType": "rich",
    "seconds": 9.4,
    "reason": None,
    "errorType": None,
    "requestId": "0f8e6f0c-5a0e-4c5e-9d57-0f6f5b1f2f6a",
}

_UI_TYPE: Final = (
    "the kind of view that the tool has or will get; `undetermined` if a model decides at the first use"
)
_REQUEST: Final = "the request in the log that caused this"
_FINDINGS: Final = (
    "what the validator found, each with `rule`, `severity`, `message`, `block`, `line`, `column`, `excerpt` "
    "and `advice`: see [Rules](../rules.md)"
)

ARGUMENT_MEANINGS: Final[Mapping[str, str]] = {
    "toolName": "the tool whose view it is",
    f"{REGENERATE}.clearRefinements": "generate the view without the refinements so far, and forget them",
    f"{REGENERATE}.uiType": "the kind of view to make",
    f"{REGENERATE}.variants": "2 makes two rich views: the second is shown, and the first is one rollback away",
    f"{VIEW}.have": "the version of the view on the page; required without `view`",
    f"{VIEW}.waitMs": "how long the wrapper may wait for a view that is being generated",
    f"{VIEW}.broken": "the page could not draw the view that it names in `have`; the log gets `view_not_drawn`",
    f"{VIEW}.view": "the host's id of the view, under which the wrapper keeps the page's state",
    f"{VIEW}.keep": "the state to keep under that id, at most 10,000 characters of JSON",
    f"{WAIT}.timeoutSeconds": "how long to wait, in whole seconds",
    f"{PUSH}.title": "the heading in the page; without it, “From the agent”",
    f"{PUSH}.data": "what to show",
    f"{PUSH}.html": "a view of it",
}
"""What an argument means, by its name or by tool and name; the description in its schema follows."""

ANSWER_MEANINGS: Final[Mapping[str, str]] = {
    "tool": "the tool whose view it is",
    "uiType": _UI_TYPE,
    f"{REFINE}.uiType": "the kind of view that the tool has now",
    f"{REFINE}.status": (
        f"`running` after {CHANGE_TIMEOUT_S:.0f} s: the change goes on, and open pages show it when it is done; "
        "`failed`: the former view stays"
    ),
    f"{REFINE}.seconds": "how long it took, or has taken so far",
    f"{REFINE}.reason": "why it failed; null if it did not",
    f"{REFINE}.errorType": "the [type](errors.md) of the failure; null if there is none",
    f"{REFINE}.requestId": _REQUEST,
    f"{REFINE}.variants": (
        f"only from `{REGENERATE}` with two variants: the numbers of both versions, the older first"
    ),
    f"{REFINE}.next": f"only from `{REGENERATE}` with two variants: which is shown, and how to show the other",
    f"{HISTORY}.versions[].version": "its number, from 1",
    f"{HISTORY}.versions[].isPresent": "whether hosts show it now",
    f"{HISTORY}.versions[].occasion": "why it was made: `first use`, `regenerated`, `handed in`, or the refinement",
    f"{HISTORY}.versions[].uiType": "its kind",
    f"{HISTORY}.versions[].generatedAt": "when it was finished, in UTC",
    f"{HISTORY}.versions[].llmModel": "the model that wrote it; `host` for a submitted view",
    f"{HISTORY}.versions[].refinements": "the refinements that it has, oldest first",
    f"{HISTORY}.source": "only with the argument `version`: what the model wrote",
    f"{HISTORY}.page": "only with the argument `version`: the whole page, as HTML",
    f"{ROLLBACK}.version": "the version that hosts show now",
    f"{ROLLBACK}.uiType": "its kind",
    f"{ROLLBACK}.refinements": "the refinements that it has, oldest first",
    f"{LIST}.tools[].name": "the name of the tool",
    f"{LIST}.tools[].uiType": _UI_TYPE,
    f"{LIST}.tools[].cached": "whether the store has the view that the tool should have",
    f"{LIST}.tools[].refinements": "how many refinements its view has",
    f"{LIST}.tools[].enabled": (
        "whether the wrapper serves its view: not if the tool brings its own, or `generation.enabledTools` "
        "leaves it out"
    ),
    f"{INSPECT}.state": (
        "`minimal`: no model writes a rich one; `provisional`: minimal while a model writes; `generated`; "
        "`fallback`: minimal because the generation failed"
    ),
    f"{INSPECT}.enabled": "as in the answer of `_ui_list`",
    f"{INSPECT}.resourceUri": "the address at which hosts read the view; null if the wrapper serves none",
    f"{INSPECT}.cached": "whether the store has the view that the tool should have",
    f"{INSPECT}.cacheKey": "the key of that view in the store",
    f"{INSPECT}.generatedAt": "when the view was finished, in UTC",
    f"{INSPECT}.generationDurationMs": "how long the generation took",
    f"{INSPECT}.llmModel": "the model that wrote it; `host` for a submitted view",
    f"{INSPECT}.promptVersion": "the version of the prompts that it was written from, or of the present ones",
    f"{INSPECT}.templateVersion": "the version of the page template, likewise",
    f"{INSPECT}.refinementHistory": (
        "all refinements, oldest first, each with `timestamp`, `feedback` and `generationHashBefore`"
    ),
    f"{INSPECT}.inputSchema": "the tool's own input schema",
    f"{INSPECT}.repairs": "the repairs of the view, by name",
    f"{INSPECT}.findings": _FINDINGS,
    f"{INSPECT}.fallbackReason": "why the tool has the minimal view although a rich one was wanted",
    f"{INSPECT}.fallbackKind": "the [type](errors.md) of that failure",
    f"{INSPECT}.requestId": "the request in the log that caused the generation",
    f"{REFRESH_TOOLS}.added": "tools that are new",
    f"{REFRESH_TOOLS}.removed": "tools that are gone; their views and refinements are forgotten",
    f"{REFRESH_TOOLS}.changed": "tools with another definition, which get new views",
    f"{REFRESH_TOOLS}.unchanged": "all others",
    f"{PROMPT}.mode": "what to write: a fragment for the wrapper's page, or a whole HTML document",
    f"{PROMPT}.system": "the system prompt",
    f"{PROMPT}.prompt": "the prompt",
    f"{PROMPT}.next": "how to go on, and the addresses of three pages about writing views",
    f"{SUBMIT}.status": "`done`: hosts show it from now on; `failed`: it breaks a rule",
    f"{SUBMIT}.ruling": (
        "the decision of the validator; after `fixable` and `refused`, correct the view and submit it again"
    ),
    f"{SUBMIT}.repairs": "what the wrapper repaired, by name",
    f"{SUBMIT}.findings": _FINDINGS,
    f"{SUBMIT}.requestId": _REQUEST,
    f"{VIEW}.version": "the version of the tool's present view",
    f"{VIEW}.state": "`pending` while a view is being generated, `written`, or `minimal`",
    f"{VIEW}.style": "the style sheet of a view that the page does not have yet",
    f"{VIEW}.template": "its template",
    f"{VIEW}.script": "its script",
    f"{VIEW}.related": "the read-only tools that it may call",
    f"{VIEW}.document": "true if the view is a document, which no open page can take in",
    f"{VIEW}.kept": "the state that is kept for the page's view",
    f"{VIEW}.undo": "the call that gives the tool its former view again",
    f"{VIEW}.undo.tool": f"`{ROLLBACK}`, by its published name",
    f"{VIEW}.choice": "the call that shows the other of two variants",
    f"{VIEW}.choice.tool": f"`{ROLLBACK}`, by its published name",
    f"{VIEW}.choice.shown": "which of the two is shown",
    f"{OPEN}.address": "the address of the page, which works once",
    f"{OPEN}.tab": "`open`: a tab has the page; `opening`: a tab is being opened; `not opened`: the person opens it",
    f"{OPEN}.next": "how to go on",
    f"{WAIT}.events": (
        "each with `kind` and what belongs to it: `called`, `submitted`, `message`, `model_context`, `link` or "
        "`refined`; empty if nothing happened in time"
    ),
    f"{PUSH}.status": "`done`: the page shows it; `failed`: the view breaks a rule",
    f"{PUSH}.address": "a new address of the page, which works once",
    f"{PUSH}.repairs": "what the wrapper repaired in `html`, by name",
    f"{PUSH}.findings": _FINDINGS,
}
"""What a member of an answer means, by its name or by tool and name; the description in its schema follows."""
