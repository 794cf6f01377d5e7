"""The versions of the protocol, and which generation each belongs to."""

LATEST_HANDSHAKE = "2025-11-25"
"""The newest version that begins with ``initialize``."""
LATEST_STATELESS = "2026-07-28"
"""The newest version in which every request says for itself who asks."""

STATELESS = (LATEST_STATELESS,)
"""The versions without a handshake, oldest first; all others, known or not, have one."""


def is_stateless_version(version: object) -> bool:
    """Whether a version is of the generation without a handshake."""
    return version in STATELESS
