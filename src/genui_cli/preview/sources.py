"""The files that decide what views look like, and that somebody may be working on while they look at one."""

from importlib.util import find_spec
from pathlib import Path

from genui_core.domain.configuration import Configuration


def sources_of(configuration: Configuration) -> dict[str, Path]:
    """Return them by name: the person's own prompts, the kit where it is built again."""
    sources = {}
    if configuration.settings.prompts_directory is not None:
        sources["prompts"] = Path(configuration.settings.prompts_directory)
    core = find_spec("genui_core")
    if core is not None and core.origin is not None:
        sources["kit"] = Path(core.origin).with_name("data") / "kit" / "build.json"
    return sources
