"""A tool's view as a page that leaves the wrapper: in a file, in a result, in somebody else's server.

It is the page that hosts read from the wrapper, with one script more behind the kit. That has it work where
a host speaks mcp-ui only, and has it say so where there is no host at all.
"""

from attrs import frozen

from genui_core.domain.pages.page_frame import PageParts


@frozen
class StandaloneParts(PageParts):
    """The parts of a kit, each script followed by what such a page needs.

    Args:
        kit: The kit.
        standalone_script: Its script for such pages.
    """

    kit: PageParts
    standalone_script: str

    @property
    def style(self) -> str:
        """The style sheet."""
        return self.kit.style

    @property
    def script(self) -> str:
        """The script."""
        return f"{self.kit.script}\n{self.standalone_script}"

    @property
    def document_script(self) -> str:
        """The script of a document that does not import the kit."""
        return f"{self.kit.document_script}\n{self.standalone_script}"
