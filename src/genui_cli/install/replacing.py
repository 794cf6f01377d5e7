"""Replaces a file in one step, and never without a backup."""

import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from genui_cli.cli_error import USAGE, CliError


def replace_file(path: Path, before: str | None, after: str | None) -> Path | None:
    """Write or remove a file; a process that is killed leaves the old file or the new one.

    Args:
        path: The file; a link stays a link.
        before: The text that was read; None if there was no file.
        after: The new text; None removes the file.

    Returns:
        The backup of the old file, if there was one.

    Raises:
        CliError: The file cannot be written, or another program has changed it. It is as it was.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if (target.read_bytes() if target.exists() else None) != (
            None if before is None else before.encode()
        ):
            raise CliError(
                f"{path} was changed by another program at this moment; nothing was written",
                hint="run the command again",
                exit_code=USAGE,
            )
        backup = _backup(target) if before is not None else None
        if after is None:
            target.unlink(missing_ok=True)
        else:
            _write(target, after)
    except OSError as error:
        hint = "make the file and its folder writable for you; nothing was changed"
        raise CliError(f"{path} cannot be written: {error.strerror}", hint=hint, exit_code=USAGE) from error
    return backup


def _write(target: Path, text: str) -> None:
    """Write to a file beside the target, then move it there; the disk has all of it before the move."""
    with tempfile.NamedTemporaryFile(
        "wb", dir=target.parent, prefix=f".{target.name}.", delete=False
    ) as file:
        try:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, file.name)
            file.close()
            Path(file.name).replace(target)
        except BaseException:
            file.close()
            Path(file.name).unlink(missing_ok=True)
            raise


def _backup(path: Path) -> Path:
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    backup = path.with_name(f"{path.name}.{moment}.backup")
    shutil.copy2(path, backup)
    return backup
