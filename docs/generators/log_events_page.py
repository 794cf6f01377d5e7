"""Generates ``docs/log-events.md``, the reference of all log events, from the table of events."""

from typing import Final

from log_events import LOG_EVENTS, LogEvent

_HEAD: Final = """\
# Log events

<!-- Written by `python docs/generators`. -->

The log has one line an event, on standard error or in a file (`logging` in
[the configuration](configuration.md)), as text for people or, with `logging.format: "json"`, as one JSON
object for programs:

| field | |
|---|---|
| `timestamp` | when, in UTC, ISO 8601 with milliseconds |
| `level` | `debug`, `info`, `warn` or `error` |
| `component` | `wrapper`, `relay`, `tool_proxy`, `ui_generator`, `llm`, `validator` or `cache` |
| `event` | one of the names below |
| `requestId` | the id of the request from the host that caused it; the same in every event, in the cache entry, and in requests to the provider |
| `tool_name`, `cache_key`, `duration_ms` | where they apply |
| `error` | `code`, which is an `errorType` of [Errors](reference/errors.md) or the name of a Python exception, `message` and, for a fault of the wrapper, `stack` |
| `metadata` | everything else |

A line is at most 4096 bytes long; of a longer one `metadata.cut` has the beginning. The wrapper redacts what looks
like a secret unless `logging.redactSensitiveData` is false. If the log is not read in time, the wrapper drops events,
and the next event's `dropped_before` has their number.
"""


def log_events_page() -> str:
    """Return the page."""
    parts: dict[str, list[LogEvent]] = {}
    for event in LOG_EVENTS:
        parts.setdefault(event.component, []).append(event)
    return _HEAD + "".join(map(_section, parts, parts.values()))


def _section(component: str, events: list[LogEvent]) -> str:
    rows = "".join(f"| `{each.name}` | {each.level} | {each.about} | {_listed(each)} |\n" for each in events)
    title = " and ".join(f"`{part}`" for part in component.split(" / "))
    return f"\n## {title}\n\n| event | level | what has happened | fields |\n|---|---|---|---|\n{rows}"


def _listed(event: LogEvent) -> str:
    return ", ".join("`requestId`" if each == "request_id" else f"`{each}`" for each in event.fields) or "-"
