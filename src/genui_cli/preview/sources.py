"""The files that decide what views look like, and that somebody may be working on while they look at one."""

from importlib.util import find_spec
from pathlib import Path

from genui_core.domain.configuration import Configuration


def sources_of(configuration: Configuration) -> dict[str, Path]:
    """Return them by name: the person's own prompts, the kit where it is built again."""
    sources = {}
    if configuration.settings.prompts_directory is not None:
        sources["prompts"] = Path(configuration.settings.prompts_directory)
    kit = find_spec("genui_core.built.view_kit")
    if kit is not None and kit.origin is not None:
        sources["kit"] = Path(kit.origin)
    return sources
