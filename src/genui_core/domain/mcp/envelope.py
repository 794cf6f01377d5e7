"""Protocol versions and eras, `_meta`, capabilities, progress and log levels of requests and results."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import count

from genui_core.domain.mcp.json_text import as_object

EXTENSION_ID = "io.modelcontextprotocol/ui"
MIME_TYPE = "text/html;profile=mcp-app"
SHOWS_APPS: Mapping[str, object] = {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}}
"""The capabilities of a host that shows MCP Apps and has no other capability."""

PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The versions that begin with ``initialize``, oldest first."""
LATEST_HANDSHAKE = HANDSHAKE[-1]
"""The newest version that begins with ``initialize``."""
UNSAID_HANDSHAKE = "2025-03-26"
"""The version of an HTTP request that names none (Streamable HTTP, protocol version header)."""
RESUMABLE_SINCE = "2025-11-25"
"""The first version whose hosts accept an SSE event with an id and no data."""
LATEST_STATELESS = "2026-07-28"
"""The newest version in which every request states its own version and capabilities."""
STATELESS = (LATEST_STATELESS,)
"""The versions without a handshake, oldest first; all others, known or not, have one."""

PROGRESS = "notifications/progress"

_CACHEABLE_METHODS = frozenset(
    [
        "prompts/list", "resources/list", "resources/read", "resources/templates/list", "server/discover",
        "tools/list",
    ]
)  # fmt: skip
_COMPLETE = {"resultType": "complete"}
_STALE_AT_ONCE = {"ttlMs": 0, "cacheScope": "private"}
_CACHEABLE = {**_COMPLETE, **_STALE_AT_ONCE}

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
"""The key of ``_meta`` in which a stateless request names its lowest log level."""

LOG_MESSAGE = "notifications/message"

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def is_stateless_version(version: object) -> bool:
    """Whether a version is of the stateless era."""
    return version in STATELESS


class AppsSetting(StrEnum):
    """The setting ``host.apps``: decide by the host's capabilities, or for all hosts."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def host_gets_apps(capabilities: object, setting: AppsSetting = AppsSetting.AUTO) -> bool:
    """Whether a host with these capabilities gets UIs.

    Hosts announce the extension in more than one way, so this is lenient: a host gets none only if it
    never mentions the extension, or lists mime types without the one of apps.
    """
    if setting is not AppsSetting.AUTO:
        return setting is AppsSetting.ALWAYS
    declared = _declared(capabilities)
    if declared is None:
        return False
    mime_types = declared.get("mimeTypes")
    if not isinstance(mime_types, list) or not mime_types:
        return True
    # The spaces and the case of a mime type's parameters may vary (RFC 9110, section 8.3.1).
    return MIME_TYPE in (str(each).replace(" ", "").lower() for each in mime_types)


def _declared(capabilities: object) -> Mapping[str, object] | None:
    for place in ("extensions", "experimental"):
        block = as_object(as_object(capabilities).get(place))
        if EXTENSION_ID in block:
            return as_object(block[EXTENSION_ID])
    return None


def request_meta(params: object) -> Mapping[str, object]:
    """Return the ``_meta`` of a request's params, empty where there is none."""
    return as_object(as_object(params).get("_meta"))


def is_stateless(params: object) -> bool:
    """Whether a request is of the stateless era (2026-07-28), in which each request names its version."""
    return PROTOCOL_VERSION_KEY in request_meta(params)


def host_capabilities(params: object, handshake: object, *, stateless: bool) -> object:
    """Return a host's capabilities: from a stateless request's ``_meta``, else from its handshake."""
    if stateless:
        return request_meta(params).get(CLIENT_CAPABILITIES_KEY)
    return as_object(handshake).get("capabilities")


def host_name(params: object, handshake: object) -> str:
    """Return a host's name for itself, from a stateless request or its handshake; "" if unknown."""
    info = request_meta(params).get(CLIENT_INFO_KEY)
    name = as_object(as_object(handshake).get("clientInfo") if info is None else info).get("name")
    return name if isinstance(name, str) else ""


def list_hints(*, stateless: bool) -> Mapping[str, object]:
    """Return the cache hints of a list with additions of the wrapper: how long, and for whom.

    They replace the upstream's hints: the additions depend on the host, and change with a view.
    """
    return _STALE_AT_ONCE if stateless else {}


def as_stateless(
    method: str, result: Mapping[str, object], server_info: Mapping[str, object] | None = None
) -> dict[str, object]:
    """Return a result of the handshake era as one of the stateless era.

    The result's own fields stay. Without a cache hint of the upstream, the result is stale at once.
    """
    envelope = _CACHEABLE if method in _CACHEABLE_METHODS else _COMPLETE
    return with_server_info({**envelope, **result}, server_info)


def with_server_info(
    result: Mapping[str, object], server_info: Mapping[str, object] | None
) -> dict[str, object]:
    """Return a stateless result with the server's info in ``_meta``, unless it has one."""
    meta = result.get("_meta", {})
    if server_info is None or not isinstance(meta, Mapping) or SERVER_INFO_KEY in meta:
        return dict(result)
    return {**result, "_meta": {**meta, SERVER_INFO_KEY: server_info}}


def as_handshake(method: str, result: Mapping[str, object]) -> dict[str, object]:
    """Return a complete result of the stateless era as one of the handshake era."""
    envelope = _CACHEABLE if method in _CACHEABLE_METHODS else _COMPLETE
    return {key: value for key, value in result.items() if key not in envelope}


def server_info_of(result: Mapping[str, object]) -> object:
    """Return the server info in a result of either era, or None."""
    info = request_meta(result).get(SERVER_INFO_KEY)
    return result.get("serverInfo") if info is None else info


def needs_input(result: Mapping[str, object]) -> bool:
    """Whether a stateless result asks for input instead of answering."""
    return result.get("resultType") == "input_required"


def progress_report(
    params: Mapping[str, object], notify: Callable[[str, Mapping[str, object]], None]
) -> Callable[[str], None]:
    """Return the function that notifies the host of each step of a request, if the host sent a token."""
    token, steps = request_meta(params).get("progressToken"), count(1)

    def report(words: str) -> None:
        if isinstance(token, str | int):
            notify(PROGRESS, {"progressToken": token, "progress": next(steps), "message": words})

    return report


def is_wanted(level: object, wanted: object) -> bool:
    """Whether a level is at least the wanted level; unknown levels are not."""
    if level not in _LEVELS or wanted not in _LEVELS:
        return False
    return _LEVELS.index(str(level)) >= _LEVELS.index(str(wanted))
