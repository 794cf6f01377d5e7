"""The kit and the prompts that are built into the package: the defaults of a `Wrapper`."""

from genui_core.domain.cache_key import ViewConfiguration
from genui_core.ports.view_kit import ViewKit


class BuiltViewKit(ViewKit):
    """The kit that ``view/`` was built into."""

    def __init__(self) -> None:
        """Read the data module; the first time costs about a millisecond."""
        from genui_core.built import view_kit  # noqa: PLC0415 -- not before a view is asked for

        self._built = view_kit

    @property
    def style(self) -> str:
        """The built style sheet."""
        return self._built.STYLE

    @property
    def script(self) -> str:
        """The built script."""
        return self._built.SCRIPT

    @property
    def document_script(self) -> str:
        """The built script for documents."""
        return self._built.DOCUMENT_SCRIPT

    @property
    def api_version(self) -> int:
        """The version of what views may call."""
        return self._built.API_VERSION

    @property
    def build(self) -> str:
        """The hash that names this build."""
        return self._built.BUILD


def built_configuration(kit: ViewKit, theme: str) -> ViewConfiguration:
    """Return the configuration of views made with the built-in prompts and no model."""
    from genui_core.built import prompts  # noqa: PLC0415 -- not before a view is asked for

    return ViewConfiguration(
        prompt_set_id=prompts.PROMPT_SET_ID,
        prompt_set_version=prompts.PROMPT_SET_VERSION,
        prompt_set_hash=prompts.PROMPT_SET_HASH,
        kit_api_version=kit.api_version,
        theme=theme,
    )
