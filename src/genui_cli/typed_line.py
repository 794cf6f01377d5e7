"""What words of a command line are, and how a whole one is typed in a shell."""

import os
import shlex
import shutil
from collections.abc import Sequence


def exact_command(words: Sequence[str], argv: Sequence[str] = ()) -> str:
    """Return a command line as a person types it in a shell, without secrets."""
    from genui_core.domain.logging.redaction import redacted  # noqa: PLC0415 -- for errors only
    from genui_core.domain.logging.upstream_secrets import secrets_in_command  # noqa: PLC0415

    line = ["mcp-gen-ui", *words, *(("--", *argv) if argv else ())]
    return redacted(shlex.join(line), secrets_in_command(line, {}))


def is_program(word: str) -> bool:
    """Whether a word names a program or a file."""
    # Path.is_file raises on a name that is too long.
    return bool(word) and (os.path.isfile(word) or shutil.which(word) is not None)  # noqa: PTH113


def is_url(word: str) -> bool:
    """Whether a word is the URL of an upstream."""
    return word.startswith(("http://", "https://"))
