"""What a host says of MCP Apps, and whether it gets UIs (SPEC W14)."""

from collections.abc import Mapping
from enum import StrEnum

EXTENSION_ID = "io.modelcontextprotocol/ui"
MIME_TYPE = "text/html;profile=mcp-app"

PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"


class AppsSetting(StrEnum):
    """The setting ``host.apps``: follow what the host says, or decide for it."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def host_gets_apps(capabilities: object, setting: AppsSetting = AppsSetting.AUTO) -> bool:
    """Whether a host with these capabilities is served UIs.

    Lenient on purpose, since hosts announce the extension in more ways than one: no is what
    a host says that never mentions it, or that lists mime types and leaves ours out.
    """
    if setting is not AppsSetting.AUTO:
        return setting is AppsSetting.ALWAYS
    declared = _declared(capabilities)
    if declared is None:
        return False
    mime_types = declared.get("mimeTypes")
    return not isinstance(mime_types, list) or not mime_types or MIME_TYPE in map(_normal, mime_types)


def _declared(capabilities: object) -> Mapping[str, object] | None:
    if not isinstance(capabilities, Mapping):
        return None
    for place in ("extensions", "experimental"):
        block = capabilities.get(place)
        if isinstance(block, Mapping) and EXTENSION_ID in block:
            declared = block[EXTENSION_ID]
            return declared if isinstance(declared, Mapping) else {}
    return None


def _normal(mime_type: object) -> str:
    """Parameters of a mime type may be spaced and cased at will (RFC 9110, section 8.3.1)."""
    return str(mime_type).replace(" ", "").lower()


def request_meta(params: object) -> Mapping[str, object]:
    """Return the ``_meta`` of a request's params, empty where there is none."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, Mapping) else {}


def is_stateless(params: object) -> bool:
    """Whether a request is of the stateless generation (2026-07-28), which names its version each time."""
    return PROTOCOL_VERSION_KEY in request_meta(params)
