"""The versions of the protocol, and which generation each belongs to."""

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The versions that begin with ``initialize``, oldest first."""
LATEST_HANDSHAKE = HANDSHAKE[-1]
"""The newest version that begins with ``initialize``."""
UNSAID_HANDSHAKE = "2025-03-26"
"""The version of an HTTP request that names none (Streamable HTTP, protocol version header)."""
RESUMABLE_SINCE = "2025-11-25"
"""The first version whose hosts understand an event without data, which only carries an id."""
LATEST_STATELESS = "2026-07-28"
"""The newest version in which every request says for itself who asks."""

STATELESS = (LATEST_STATELESS,)
"""The versions without a handshake, oldest first; all others, known or not, have one."""


def is_stateless_version(version: object) -> bool:
    """Whether a version is of the generation without a handshake."""
    return version in STATELESS
