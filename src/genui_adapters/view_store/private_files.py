"""Files that only this user writes, read with suspicion and replaced in one step, under names of any tool."""

import contextlib
import json
import os
import secrets
import stat
import tempfile
from hashlib import sha256
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


NEW_PREFIX = ".new-"


class Suspicious(Exception):
    """A file is not what it should be; the text says how."""


def read_private(path: Path, most_bytes: int) -> bytes:
    """Return the content of a plain file of this user's. A pipe or link in its place is not followed.

    Raises:
        FileNotFoundError: There is none.
        Suspicious: It is no plain file, somebody else's, or too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        # Given a descriptor, it would leave that open where it turns out to be a folder's.
        opened = open(path, "rb", opener=lambda name, _flags: os.open(name, flags))  # noqa: SIM115
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Suspicious(error.strerror or str(error)) from error
    with opened as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise Suspicious("it is no plain file")
        if hasattr(os, "getuid") and facts.st_uid != os.getuid():
            raise Suspicious("it belongs to somebody else")
        if facts.st_size > most_bytes:
            raise Suspicious(f"it is too large: {facts.st_size} bytes")
        return file.read(most_bytes)


def replace_private(path: Path, content: bytes) -> None:
    """Write a file so that at any moment the old or the new content is there, whole.

    Raises:
        OSError: It could not be written; the old content is still there.
    """
    descriptor, name = tempfile.mkstemp(prefix=NEW_PREFIX, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last over a loss of power, where a folder can be opened for that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def history_name(tool_name: str, upstream_name: str) -> str:
    """Return 64 hexadecimal digits that stand for a tool of an upstream."""
    return sha256(json.dumps([upstream_name, tool_name]).encode()).hexdigest()
