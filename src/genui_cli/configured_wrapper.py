"""The wrapper that the configuration comes to."""

import os
from typing import TYPE_CHECKING

from genui_adapters.compose import wrapper_from
from genui_cli.complaint import Complaint
from genui_cli.exit_codes import USAGE
from genui_core.application.wrapper import Wrapper

if TYPE_CHECKING:
    from genui_core.domain.configuration import Configuration


def configured_wrapper(configuration: "Configuration | None") -> Wrapper:
    """Return the wrapper to serve.

    Raises:
        Complaint: Its log cannot be written.
    """
    try:
        return wrapper_from(configuration, os.environ)
    except OSError as error:
        raise Complaint(
            f"the log cannot be written: {error}", hint="see logging.file", exit_code=USAGE
        ) from error
