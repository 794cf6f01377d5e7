"""The secret with which stored views are sealed. It lies outside the folder of the views."""

import os
import secrets
import stat
from pathlib import Path

_BYTES = 32


def read_or_make_secret(path: Path) -> bytes:
    """Return the secret in a file, made when it is missing, the same for all who ask at once.

    Raises:
        OSError: It can neither be read nor made, or others could have written it.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    if not path.exists():
        made.touch(mode=0o600, exist_ok=False)
        try:
            made.write_bytes(secrets.token_bytes(_BYTES))
            _publish(made, path)
        finally:
            made.unlink(missing_ok=True)
    return _read(path)


def _publish(made: Path, path: Path) -> None:
    """Give the file its name unless somebody was faster: a link fails where a rename would replace."""
    try:
        os.link(made, path)
    except FileExistsError:
        return
    except OSError:
        if not path.exists():
            made.replace(path)


def _read(path: Path) -> bytes:
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode) or (hasattr(os, "getuid") and facts.st_uid != os.getuid()):
        raise PermissionError(f"{path} is not a file of this user's")
    if os.name != "nt" and facts.st_mode & 0o077:
        raise PermissionError(f"{path} can be read by others; remove it to have a new one made")
    secret = path.read_bytes()
    if len(secret) != _BYTES:
        raise PermissionError(f"{path} holds no secret; remove it to have a new one made")
    return secret
