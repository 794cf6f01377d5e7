"""The built view kit: one inline script and one style sheet, which every page contains."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.pages.page_frame import PageNeeds


class ViewKit(Protocol):
    """The style sheet and the scripts that pages carry. Immutable once handed out."""

    @property
    @abstractmethod
    def style(self) -> str:
        """The text of the style sheet, free of ``</style``."""

    @property
    @abstractmethod
    def script(self) -> str:
        """The text of the script, pure ASCII, free of ``</script`` and ``<!--``."""

    def style_for(self, needs: PageNeeds) -> str:  # noqa: ARG002
        """Return the style sheet of a page that needs no more than this, as safe as the other.

        A kit that is built once has one style sheet for all.
        """
        return self.style

    def script_for(self, needs: PageNeeds) -> str:  # noqa: ARG002
        """Return the script of a page that needs no more than this, as safe as the other.

        A kit that is built once has one script for all.
        """
        return self.script

    @property
    @abstractmethod
    def document_script(self) -> str:
        """The text of the script for documents that do not import the kit, as safe as the other."""

    @property
    @abstractmethod
    def standalone_script(self) -> str:
        """The text of what follows either script on a page that leaves the wrapper, as safe as they are.

        It has the page work where a host speaks mcp-ui only, and has it say so where there is no host.
        """

    @property
    @abstractmethod
    def api_version(self) -> int:
        """Raised only when views written against the kit would no longer work."""

    @property
    @abstractmethod
    def build(self) -> str:
        """Names this build: the same for the same style and scripts."""
