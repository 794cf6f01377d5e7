"""What an open page needs to show another view in the same frame (``host.live``)."""

from typing import Self

from attrs import asdict, evolve, frozen

from genui_core.domain.pages.generated_page import BuiltParts, NeededParts, parts_for
from genui_core.domain.pages.page_frame import shadowed_script
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import Fragment


def live_parts(parts: NeededParts) -> NeededParts:
    """Return the parts of a minimal page that can show a written view later."""
    return evolve(parts, needs=evolve(parts.needs, written=True, live=True))


@frozen
class LivePart:
    """A validated view, as an open page takes it.

    Attributes:
        style: Its style sheet.
        template: The markup of its template.
        script: Gives the page the function that draws the view.
    """

    style: str
    template: str
    script: str

    @classmethod
    def of(cls, tool: Tool, fragment: Fragment, kit: BuiltParts) -> Self:
        """Return a fragment with the pieces of the kit that an open page may not have.

        Args:
            tool: The tool.
            fragment: The view.
            kit: The kit of this build.
        """
        needed = parts_for(tool, kit, fragment.text, is_written=True)
        plain = evolve(needed, needs=evolve(needed.needs, likeness=False))
        shadowed = shadowed_script("McpGenUi.fragment", f"\n{fragment.script}", "return render;\n")
        return cls(
            style=needed.style.removeprefix(plain.style) + fragment.style,
            template=fragment.template,
            script=f"{needed.script.removesuffix(plain.script)}\n{shadowed}",
        )

    @property
    def data(self) -> dict[str, object]:
        """The part as members of an answer."""
        return asdict(self)
