"""The wrapper that the configuration comes to."""

import os
from typing import TYPE_CHECKING

from genui_adapters.compose import wrapper_from
from genui_cli.cli_error import USAGE, CliError
from genui_core.application.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable

    from genui_core.domain.settings.configuration import Configuration
    from genui_core.ports.event_log import EventLog


def configured_wrapper(
    configuration: "Configuration | None",
    secrets: frozenset[str],
    heard: "Callable[[EventLog], EventLog] | None" = None,
) -> Wrapper:
    """Return the wrapper to serve.

    Args:
        configuration: What is configured.
        secrets: What was typed and must not be written down.
        heard: Puts something in front of the log that hears every event.

    Raises:
        CliError: A file or folder that is configured cannot be used.
        GenUiError: What is configured about the model, the cache or the prompts cannot be had.
    """
    try:
        return wrapper_from(configuration, os.environ, heard, secrets)
    except OSError as error:
        hint = "see logging.file and cache.directory"
        raise CliError(
            f"a file that is configured cannot be used: {error}", hint=hint, exit_code=USAGE
        ) from error
