"""What the page of a tool needs of the view kit: the kit is built for each combination (``view/build.mjs``)."""

from typing import Protocol

from attrs import frozen

from genui_core.domain.pages.page_frame import PageNeeds, PageParts
from genui_core.domain.tools.tool import Tool


class BuiltParts(PageParts, Protocol):
    """The parts of a view kit that is built for each combination of needs."""

    def style_for(self, needs: PageNeeds) -> str:
        """Return the style sheet."""
        ...

    def script_for(self, needs: PageNeeds) -> str:
        """Return the script."""
        ...


@frozen
class NeededParts(PageParts):
    """The parts of a kit that a page needs.

    Args:
        kit: The kit.
        needs: What the page needs.
    """

    kit: BuiltParts
    needs: PageNeeds

    @property
    def style(self) -> str:
        """The style sheet."""
        return self.kit.style_for(self.needs)

    @property
    def script(self) -> str:
        """The script."""
        return self.kit.script_for(self.needs)

    @property
    def document_script(self) -> str:
        """The script of a document that does not import the kit."""
        return self.kit.document_script


def parts_for(
    tool: Tool, kit: BuiltParts, *, is_written: bool = False, is_document: bool = False
) -> PageParts:
    """Return the parts of a kit that the tool's page carries.

    Args:
        tool: The tool.
        kit: The kit.
        is_written: Whether the page shows what a model wrote, and not the minimal view.
        is_document: Whether that is a document. The smaller builds prepare no pages for documents.
    """
    from genui_core.domain.pages.plain_schema import has_plain_schemas  # noqa: PLC0415 -- no list of tools needs it

    return NeededParts(kit, PageNeeds(is_document or not has_plain_schemas(tool), is_written or is_document))
