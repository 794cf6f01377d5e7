"""Every log event as data: its component, its level, its fields and its meaning (requirement O1)."""

from typing import Final

from attrs import frozen


@frozen
class LogEvent:
    """One kind of event.

    Attributes:
        component: The component that records it; a slash separates several.
    """

    name: str
    component: str
    level: str
    about: str
    fields: tuple[str, ...] = ()


def _event(name: str, component: str, level: str, about: str, fields: str = "") -> LogEvent:
    return LogEvent(name, component, level, about, tuple(fields.split()))


_OF_REQUEST: Final = "request_id tool_name"
_OF_VIEW: Final = "request_id tool_name cache_key"

LOG_EVENTS: Final = (
    _event("startup", "wrapper", "debug", "The wrapper serves.", "upstream pid transport"),
    _event("serving", "wrapper", "info", "With `logging.format` `json`: where hosts reach the wrapper.", "address"),
    _event("configuration_read", "wrapper", "info", "With `logging.format` `json`: the configuration file that the wrapper read; at `warn` a mistake in it.", "text"),
    _event("tools_listed", "wrapper", "info", "The upstream's tools were listed for the first time.", "tools"),
    _event("tools_refreshed", "wrapper", "info", "The upstream added or removed tools.", "added removed"),
    _event("tool_changed", "wrapper", "warn", "The definition of a tool changed; its cached view no longer fits.", "tool_name"),
    _event("name_taken", "wrapper", "warn", "The wrapper published one of its tools under another name, because the upstream has a tool of its name.", "tool_name published_as"),
    _event("pass_through", "wrapper", "info", "A host shows no MCP Apps; the wrapper forwards the tools unchanged.", "reason"),
    _event("request_started", "wrapper", "debug", "A request arrived that the wrapper answers.", f"{_OF_REQUEST} method"),
    _event("request_served", "wrapper", "debug", "The wrapper answered it.", f"{_OF_REQUEST} method duration_ms"),
    _event("library_log", "wrapper", "warn", "A library logged a warning or an error.", "library text error"),
    _event("view_not_drawn", "wrapper", "warn", "An open page could not draw the new view of its tool, and still shows the previous one.", "tool_name version"),
    _event("variant_chosen", "wrapper", "info", "A person chose one of two variants of a view.", "tool_name version"),
    _event("frozen_view_not_served", "wrapper", "warn", "The validator refused an exported view, or its tool has changed.", f"{_OF_REQUEST} reason"),
    _event("frozen_view_damaged", "wrapper", "warn", "A file of an export is missing, or is not what the manifest says.", "tool_name reason"),
    _event("export_failed", "wrapper", "warn", "The wrapper could not write a view into the folder of the export.", "tool_name reason"),
    _event("ui_not_added", "wrapper", "warn", "`augment_with_ui` left a result as it was.", "tool_name reason"),
    _event("debug_folder", "wrapper", "info", "The folder in which `--debug` stores the models' answers.", "folder"),
    _event("html_kept", "wrapper", "debug", "The wrapper wrote a model's answer into that folder.", f"{_OF_REQUEST} file"),
    _event("html_not_kept", "wrapper", "warn", "The wrapper could not write an answer there.", "reason"),
    _event("studio_failed", "wrapper", "error", "The generation worker ended by a fault; tools keep their current views.", "reason"),
    _event("telemetry_missing", "wrapper", "warn", "OpenTelemetry is set up, and its API is not installed.", "reason"),
    _event("telemetry_idle", "wrapper", "warn", "OpenTelemetry is configured, and no exporter is set up for spans.", "reason"),
    _event("hit", "cache", "debug", "The view was made before: it is in memory or in the store.", _OF_VIEW),
    _event("miss", "cache", "debug", "Neither memory nor the store has the view, and the wrapper makes it.", _OF_VIEW),
    _event("set", "cache", "debug", "The wrapper stored a view.", f"{_OF_VIEW} duration_ms"),
    _event("not_kept", "cache", "info", "The store refused a view; `warn` where it could not be written.", f"{_OF_VIEW} duration_ms reason"),
    _event("set_aside", "cache", "warn", "An entry is damaged or foreign, and is not served.", "file entry reason"),
    _event("store_failed", "cache", "warn", "The store fails or does not answer; logged once for each outage of a shared store.", "operation reason"),
    _event("store_back", "cache", "info", "The shared store answers again.", "store"),
    _event("generation_elsewhere", "cache", "info", "Another wrapper is making this view; this one waits for it.", _OF_VIEW),
    _event("history_not_read", "cache", "warn", "The history of a tool is damaged or foreign.", "tool_name reason"),
    _event("history_not_kept", "cache", "warn", "The wrapper could not write the history of a tool.", "tool_name reason"),
    _event("generation_started", "ui_generator", "info", "A generation started.", _OF_REQUEST),
    _event("generation_completed", "ui_generator", "info", "It ended; `outcome` is `generated`, `minimal` or `fallback`.", f"{_OF_REQUEST} duration_ms outcome ui_type model input_tokens output_tokens repairs"),
    _event("generation_cancelled", "ui_generator", "info", "No host waits for it any more, or the wrapper stops.", f"{_OF_REQUEST} duration_ms"),
    _event("prefetch_failed", "ui_generator", "warn", "The wrapper could not prefetch a view.", "tool_name reason"),
    _event("prefetch_ended", "ui_generator", "warn", "Prefetching ended, because the model fails.", "reason left"),
    _event("fallback_used", "ui_generator", "warn", "A generation failed and the minimal view is served; or no page can be made and the error page is served.", f"{_OF_VIEW} reason errorType errors fallbackType"),
    _event("provider_chosen", "llm", "info", "Which model writes views, and why.", "provider model reason change"),
    _event("model_answered", "llm", "debug", "The model answered.", f"{_OF_REQUEST} purpose model finish input_tokens output_tokens duration_ms"),
    _event("model_failed", "llm", "warn", "The model gave no answer.", f"{_OF_REQUEST} purpose code reason retryable duration_ms"),
    _event("prompt", "llm", "debug", "With `--debug`: the prompt, in pieces.", "request_id part piece text"),
    _event("response", "llm", "debug", "With `--debug`: the model's answer, in pieces.", "request_id part piece text"),
    _event("answer_wanted", "llm", "warn", "The provider `manual` waits for a person's answer.", "request_id prompt answer"),
    _event("close_failed", "llm", "warn", "The provider could not be closed.", "reason"),
    _event("judged", "validator", "debug", "The validator checked a model's view.", f"{_OF_REQUEST} ruling findings repairs duration_ms"),
    _event("found_view_refused", "validator", "warn", "The validator refused a view from a shared store.", "tool_name cache_key errors reason"),
    _event("tool_called", "tool_proxy", "debug", "A call of an upstream's tool has ended (not between two stdio streams, nor in process); `outcome` is `ok`, `error` or `failed`.", "tool_name duration_ms outcome"),
    _event("request_failed", "relay / tool_proxy", "warn", "The wrapper answered a request with an error.", f"{_OF_REQUEST} method error"),
    _event("upstream_connected", "tool_proxy", "info", "The wrapper connected to the upstream.", "upstream version"),
    _event("upstream_restarted", "relay / tool_proxy", "warn", "The wrapper started the upstream again; `info` for a new connection.", "upstream version exit_code count"),
    _event("upstream_died", "relay / tool_proxy", "error", "The upstream ended, or its connection was lost.", "upstream reason request_id"),
    _event("upstream_unreachable", "relay / tool_proxy", "error", "The upstream cannot be reached.", "upstream reason request_id"),
    _event("session_ended", "tool_proxy", "info", "The wrapper ended an idle session, because another host needs its connection to the upstream.", "reason"),
    _event("connection_failed", "tool_proxy", "error", "A fault of the wrapper ended a connection to the upstream.", "error"),
    _event("fault", "tool_proxy", "error", "A fault of the wrapper; the request or connection goes on.", "upstream method error"),
    _event("upstream_not_started", "relay", "error", "The upstream could not be started again.", "upstream reason"),
    _event("upstream_restart_planned", "relay", "info", "The upstream ended; the wrapper starts it again after a pause.", "upstream reason delay_ms"),
    _event("upstream_ended", "relay", "debug", "The process of the upstream has ended.", "upstream exit_code"),
    _event("upstream_stderr", "relay", "info", "A line that the upstream wrote to standard error.", "upstream text"),
    _event("upstream_stderr_left_out", "relay", "warn", "The upstream wrote too many such lines at once; the wrapper dropped some.", "upstream lines"),
    _event("not_a_message", "relay", "warn", "The upstream wrote a line that is no message to standard output.", "upstream text"),
    _event("line_too_long", "relay", "warn", "A message from the upstream is longer than `upstream.maxLineBytes`.", "upstream limit_bytes"),
    _event("late_answer", "relay", "debug", "An answer arrived for which no request is pending.", "id"),
    _event("notifications_dropped", "relay", "warn", "The upstream sends more notifications than the wrapper can forward.", "count"),
    _event("tools_not_listed", "relay", "warn", "The upstream did not list its tools.", "error"),
)  # fmt: skip
"""The events by component, about in the order in which they occur."""
