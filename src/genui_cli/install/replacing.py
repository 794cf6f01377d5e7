"""Replaces a file in one step, and never without a backup."""

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from genui_cli.complaint import Complaint
from genui_cli.exit_codes import USAGE


def replace_file(path: Path, text: str) -> Path | None:
    """Give a file another text; return where its old content is now, if there was any.

    Raises:
        Complaint: It cannot be written; then it is as it was.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        backup = _backup(target) if target.exists() else None
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=target.parent, delete=False
        ) as file:
            file.write(text)
        if backup is not None:
            shutil.copymode(target, file.name)
        Path(file.name).replace(target)
    except OSError as error:
        hint = "make the file and its folder writable for you; nothing was changed"
        raise Complaint(f"{path} cannot be written: {error.strerror}", hint=hint, exit_code=USAGE) from error
    return backup


def _backup(path: Path) -> Path:
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    backup = path.with_name(f"{path.name}.{moment}.backup")
    shutil.copy2(path, backup)
    return backup
