"""Files that are read with suspicion and replaced in one step, and the secret of this user."""

import contextlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_BYTES = 32


def in_thread(
    work: Callable[_Arguments, _Result],
) -> Callable[_Arguments, Coroutine[Any, Any, _Result]]:
    """Have a function that reads or writes files run in a thread, and awaited."""
    from anyio.to_thread import run_sync  # noqa: PLC0415 -- not for who has no store

    @wraps(work)
    async def awaited(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        return await run_sync(partial(work, *arguments, **named))

    return awaited


def read_or_make_secret(path: Path) -> bytes:
    """Return the secret in a file, made when it is missing, the same for all who ask at once.

    Raises OSError if it can neither be read nor made, or others could have written it.
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


def read_plain(path: Path, most_bytes: int, *, is_own: bool = False) -> bytes:
    """Return the content of a plain file, with ``is_own`` of one of this user's. No link is followed.

    Raises OSError if there is none, or it is something else, or larger.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    # Given a descriptor, it would leave that open where it turns out to be a folder's.
    with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most_bytes:
            raise OSError(f"{path.name} is no plain file of a fitting size")
        if is_own and hasattr(os, "getuid") and facts.st_uid != os.getuid():
            raise OSError(f"{path.name} belongs to somebody else")
        return file.read(most_bytes)


def replace_whole(path: Path, content: bytes, *, mode: int = 0o600, keeps_mode: bool = False) -> None:
    """Write a file so that at any moment the old or the new content is there, whole.

    A new file has the permissions `mode`, less those that the system's mask takes away; with `keeps_mode`, a
    file that is there keeps its own.

    Raises OSError if it could not be written; the old content is still there.
    """
    new = path.with_name(f"{NEW_PREFIX}{secrets.token_hex(8)}")
    try:
        with open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if keeps_mode and path.exists():
            shutil.copymode(path, new)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
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


def hashed(text: str) -> str:
    """Return 64 hexadecimal digits that stand for a key or for the name of a tool."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def history_name(tool_name: str, upstream_name: str) -> str:
    """Return 64 hexadecimal digits that stand for a tool of an upstream."""
    return sha256(json.dumps([upstream_name, tool_name]).encode()).hexdigest()
