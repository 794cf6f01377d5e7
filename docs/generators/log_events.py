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
    _event("configuration_read", "wrapper", "info", "With `logging.format` `json`: which file configures the wrapper, and at `warn` what is wrong with it.", "text"),
    _event("tools_listed", "wrapper", "info", "The upstream's tools were listed for the first time.", "tools"),
    _event("tools_refreshed", "wrapper", "info", "Tools came or went.", "added removed"),
    _event("tool_changed", "wrapper", "warn", "A tool is another now; its cached view fits no more.", "tool_name"),
    _event("name_taken", "wrapper", "warn", "A tool of the wrapper has another name, because the upstream has a tool of its name.", "tool_name published_as"),
    _event("pass_through", "wrapper", "info", "A host shows no MCP Apps and is served the tools as they are.", "reason"),
    _event("request_started", "wrapper", "debug", "A request arrived that is ours to answer.", f"{_OF_REQUEST} method"),
    _event("request_served", "wrapper", "debug", "It was answered.", f"{_OF_REQUEST} method duration_ms"),
    _event("library_log", "wrapper", "warn", "A library has something to say, as a warning or an error.", "library text error"),
    _event("view_not_drawn", "wrapper", "warn", "An open page could not draw the new view of its tool, and shows the one before.", "tool_name version"),
    _event("variant_chosen", "wrapper", "info", "A person chose one of two variants of a view.", "tool_name version"),
    _event("frozen_view_not_served", "wrapper", "warn", "An exported view does not pass the checks, or its tool has changed.", f"{_OF_REQUEST} reason"),
    _event("frozen_view_damaged", "wrapper", "warn", "A file of an export is missing, or is not what the manifest says.", "tool_name reason"),
    _event("export_failed", "wrapper", "warn", "A view could not be written into the folder of the export.", "tool_name reason"),
    _event("ui_not_added", "wrapper", "warn", "`augment_with_ui` left a result as it was.", "tool_name reason"),
    _event("debug_folder", "wrapper", "info", "Where `--debug` keeps what models write.", "folder"),
    _event("html_kept", "wrapper", "debug", "What a model wrote was put into that folder.", f"{_OF_REQUEST} file"),
    _event("html_not_kept", "wrapper", "warn", "It could not be written there.", "reason"),
    _event("studio_failed", "wrapper", "error", "What makes views has ended by a fault; tools keep the views that they have.", "reason"),
    _event("telemetry_missing", "wrapper", "warn", "OpenTelemetry is set up, and its API is not installed.", "reason"),
    _event("telemetry_idle", "wrapper", "warn", "OpenTelemetry is configured, and no exporter is set up for spans.", "reason"),
    _event("hit", "cache", "debug", "A view was wanted and there.", _OF_VIEW),
    _event("miss", "cache", "debug", "A view was wanted and is made.", _OF_VIEW),
    _event("set", "cache", "debug", "A view was put into the cache.", f"{_OF_VIEW} duration_ms"),
    _event("not_kept", "cache", "info", "The cache did not take a view; `warn` where it cannot be written.", f"{_OF_VIEW} duration_ms reason"),
    _event("set_aside", "cache", "warn", "An entry is damaged or foreign, and is not served.", "file entry reason"),
    _event("store_failed", "cache", "warn", "The cache does not answer, or fails; once for each outage of a shared one.", "operation reason"),
    _event("store_back", "cache", "info", "The shared cache answers again.", "store"),
    _event("generation_elsewhere", "cache", "info", "Another wrapper is making this view; it is waited for.", _OF_VIEW),
    _event("history_not_read", "cache", "warn", "What is remembered of a tool is damaged or foreign.", "tool_name reason"),
    _event("history_not_kept", "cache", "warn", "What is remembered of a tool could not be written.", "tool_name reason"),
    _event("generation_started", "ui_generator", "info", "A view is being made.", _OF_REQUEST),
    _event("generation_completed", "ui_generator", "info", "It was made; `outcome` is `generated`, `minimal` or `fallback`.", f"{_OF_REQUEST} duration_ms outcome ui_type model input_tokens output_tokens repairs"),
    _event("generation_cancelled", "ui_generator", "info", "No host waits for it any more, or the wrapper stops.", f"{_OF_REQUEST} duration_ms"),
    _event("prefetch_failed", "ui_generator", "warn", "A view could not be made ahead.", "tool_name reason"),
    _event("prefetch_ended", "ui_generator", "warn", "No more views are made ahead: the model fails.", "reason left"),
    _event("fallback_used", "ui_generator", "warn", "A generation failed and the minimal view is served; or no page can be made and the error page is served.", f"{_OF_VIEW} reason errorType errors fallbackType"),
    _event("provider_chosen", "llm", "info", "Which model writes views, and why.", "provider model reason change"),
    _event("model_answered", "llm", "debug", "The model answered.", f"{_OF_REQUEST} purpose model finish duration_ms"),
    _event("model_failed", "llm", "warn", "The model gave no answer.", f"{_OF_REQUEST} purpose code reason retryable duration_ms"),
    _event("prompt", "llm", "debug", "With `--debug`: what the model is asked, in pieces.", "request_id part piece text"),
    _event("response", "llm", "debug", "With `--debug`: what it said, in pieces.", "request_id part piece text"),
    _event("answer_wanted", "llm", "warn", "The provider `manual` waits for a person's answer.", "request_id prompt answer"),
    _event("close_failed", "llm", "warn", "The provider could not be closed.", "reason"),
    _event("judged", "validator", "debug", "What a model wrote was checked.", f"{_OF_REQUEST} ruling findings repairs duration_ms"),
    _event("found_view_refused", "validator", "warn", "A view that was found in a shared cache does not pass the checks.", "tool_name cache_key errors reason"),
    _event("tool_called", "tool_proxy", "debug", "A call of a tool has ended (not between two stdio streams); `outcome` is `ok`, `error` or `failed`.", "tool_name duration_ms outcome"),
    _event("request_failed", "relay / tool_proxy", "warn", "The wrapper answered a request with an error.", f"{_OF_REQUEST} method error"),
    _event("upstream_connected", "tool_proxy", "info", "The connection to the upstream stands.", "upstream version"),
    _event("upstream_restarted", "relay / tool_proxy", "warn", "The upstream was started or connected to again; `info` for a connection.", "upstream version exit_code count"),
    _event("upstream_died", "relay / tool_proxy", "error", "The upstream ended, or its connection was lost.", "upstream reason request_id"),
    _event("upstream_unreachable", "relay / tool_proxy", "error", "The upstream cannot be reached.", "upstream reason request_id"),
    _event("session_ended", "tool_proxy", "info", "An idle session was ended: another host needs its connection to the upstream.", "reason"),
    _event("connection_failed", "tool_proxy", "error", "A fault of the wrapper ended a connection to the upstream.", "error"),
    _event("fault", "tool_proxy", "error", "A fault of the wrapper; the request or connection goes on.", "upstream method error"),
    _event("upstream_not_started", "relay", "error", "The upstream could not be started again.", "upstream reason"),
    _event("upstream_restart_planned", "relay", "info", "The upstream ended and is started again after a pause.", "upstream reason delay_ms"),
    _event("upstream_ended", "relay", "debug", "The process of the upstream has ended.", "upstream exit_code"),
    _event("upstream_stderr", "relay", "info", "A line that the upstream wrote to standard error.", "upstream text"),
    _event("upstream_stderr_left_out", "relay", "warn", "There were too many such lines at once.", "upstream lines"),
    _event("not_a_message", "relay", "warn", "The upstream wrote something that is no message.", "upstream text"),
    _event("line_too_long", "relay", "warn", "A message from the upstream is longer than `upstream.maxLineBytes`.", "upstream limit_bytes"),
    _event("late_answer", "relay", "debug", "An answer arrived for which no request is pending.", "id"),
    _event("notifications_dropped", "relay", "warn", "The upstream sends more notifications than the wrapper can forward.", "count"),
    _event("tools_not_listed", "relay", "warn", "The upstream did not list its tools.", "error"),
)  # fmt: skip
"""The events by component, about in the order in which they occur."""
