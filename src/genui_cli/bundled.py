"""Where the files lie that come with the package."""

from importlib.resources import files
from pathlib import Path

from genui_cli.cli_error import CliError
from genui_cli.exit_codes import FAILED

_IN_CHECKOUT = Path("examples/weather-server/weather_server.py")


def weather_server() -> Path:
    """Return the program of the bundled example: from the installed package, or from the checkout.

    Raises:
        CliError: Neither has it.
    """
    package = Path(str(files("genui_cli")))
    for place in (package / "examples" / "weather_server.py", package.parents[1] / _IN_CHECKOUT):
        if place.is_file():
            return place
    raise CliError(
        "the weather example is missing from this installation",
        hint="install mcp-gen-ui again",
        exit_code=FAILED,
    )
