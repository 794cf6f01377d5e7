"""The view kit port: the style sheet and the scripts that the wrapper puts into every page."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.pages.page_frame import PageNeeds


class ViewKit(Protocol):
    """The style sheet and the scripts of pages. Its texts never change."""

    @property
    @abstractmethod
    def style(self) -> str:
        """The text of the style sheet, free of ``</style``."""

    @property
    @abstractmethod
    def script(self) -> str:
        """The text of the script, pure ASCII, free of ``</script`` and ``<!--``."""

    def style_for(self, needs: PageNeeds) -> str:  # noqa: ARG002
        """Return the style sheet for a page with these needs, free of ``</style`` as `style` is.

        By default every page gets `style`.
        """
        return self.style

    def script_for(self, needs: PageNeeds) -> str:  # noqa: ARG002
        """Return the script for a page with these needs, as safe to put inline as `script`.

        By default every page gets `script`.
        """
        return self.script

    @property
    @abstractmethod
    def document_script(self) -> str:
        """The text of the script for documents that do not import the kit, as safe to put inline."""

    @property
    @abstractmethod
    def standalone_script(self) -> str:
        """The script that follows the other one on a page that leaves the wrapper, as safe to put inline.

        It makes the page work in a host that speaks only mcp-ui, and makes it say so if there is no host.
        """

    @property
    @abstractmethod
    def api_version(self) -> int:
        """The version of the kit's API; it rises only when existing views would no longer work."""

    @property
    @abstractmethod
    def build(self) -> str:
        """The name of this build; the same style sheet and scripts have the same name."""
