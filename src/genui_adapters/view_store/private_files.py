"""Safe reads of files that others may have changed, writes in one step, and the user's secret."""

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Coroutine
from errno import EPERM
from functools import partial, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_BYTES = 32


def in_thread(work: Callable[_Arguments, _Result]) -> Callable[_Arguments, Coroutine[Any, Any, _Result]]:
    """Return an async function that runs ``work``, which reads or writes files, in a thread."""
    from anyio.to_thread import run_sync  # noqa: PLC0415 -- only with a store

    @wraps(work)
    async def awaited(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        return await run_sync(partial(work, *arguments, **named))

    return awaited


def read_or_make_secret(path: Path) -> bytes:
    """Return the secret in a file; make it if it is missing, once even for simultaneous callers.

    Raises OSError if it can be neither read nor made, or if other users could have read or written it.
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
    """Give the file its name unless another process did: a link fails where a rename would replace."""
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
        raise PermissionError(EPERM, "it is not a file of this user's", str(path))
    if os.name != "nt" and facts.st_mode & 0o077:
        raise PermissionError(EPERM, "others can read it; remove it to have a new one made", str(path))
    secret = path.read_bytes()
    if len(secret) != _BYTES:
        raise PermissionError(EPERM, "it holds no secret; remove it to have a new one made", str(path))
    return secret


NEW_PREFIX = ".new-"


def read_plain(path: Path, most_bytes: int, *, is_own: bool = False) -> bytes:
    """Return the content of a plain file, with ``is_own`` only of a file of this user; follow no link.

    Raises OSError if the file is missing, of another kind or owner, or larger than ``most_bytes``.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    # `open` would not close the descriptor of a folder that is passed to it directly.
    with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most_bytes:
            raise OSError(f"{path.name} is no plain file of a fitting size")
        if is_own and hasattr(os, "getuid") and facts.st_uid != os.getuid():
            raise OSError(f"{path.name} belongs to another user")
        return file.read(most_bytes)


def replace_whole(path: Path, content: bytes, *, mode: int = 0o600, keeps_mode: bool = False) -> None:
    """Replace the content of a file in one step: other programs see the old or the new content, whole.

    A new file has the permissions `mode`, less the bits of the umask; with `keeps_mode`, an existing file
    keeps its own.

    Raises OSError if it could not be written; the old content then stays.
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
    """Let the new name survive a loss of power, if the system can open folders."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hashed(text: str) -> str:
    """Return the hash of a key or a tool's name: 64 hexadecimal digits."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()
