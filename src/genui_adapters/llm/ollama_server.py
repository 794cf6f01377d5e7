"""Where Ollama runs, and which model it has."""

import json
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

_USUAL = "http://127.0.0.1:11434"
_USUAL_PORT = 11434
_ANYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 -- where a server listens, not where we do
_EXPLICIT_WITHIN_S = 2.0
_MOST_BYTES = 1_000_000


def ollama_address(environment: Mapping[str, str]) -> str:
    """Return the server's URL, as ``OLLAMA_HOST`` names it in any of the ways Ollama knows."""
    named = environment.get("OLLAMA_HOST", "").strip().rstrip("/")
    if not named:
        return _USUAL
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return _USUAL
    host = "127.0.0.1" if host in _ANYWHERE else f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme, _USUAL_PORT) if "://" in named else _USUAL_PORT
    return f"{parts.scheme}://{host}:{port or usual}{parts.path}"


def default_model(address: str, within_s: float = _EXPLICIT_WITHIN_S) -> str | None:
    """Return the model that a server got last and that can write, or None where it has none or is not there.

    Args:
        address: The server's URL.
        within_s: How long it may take to be reached, and to answer.
    """
    with suppress(OSError, ValueError):
        listed = json.loads(_tags(address, within_s))
        models = listed.get("models") if isinstance(listed, dict) else None
        for model in models if isinstance(models, list) else ():
            name = model.get("name") if isinstance(model, dict) else None
            if isinstance(name, str) and "embed" not in name:
                return name
    return None


def _tags(address: str, within_s: float) -> bytes:
    """Read the list of models; a machine without a server says so before anything more is loaded."""
    import socket  # noqa: PLC0415 -- not for who names a provider

    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    socket.create_connection((parts.hostname or "", port), within_s).close()

    from http import client  # noqa: PLC0415 -- slow, and only of use where a server listens

    kind = client.HTTPSConnection if parts.scheme == "https" else client.HTTPConnection
    connection = kind(parts.hostname or "", port, timeout=within_s)
    try:
        connection.request("GET", f"{parts.path}/api/tags")
        return connection.getresponse().read(_MOST_BYTES)
    except client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()
