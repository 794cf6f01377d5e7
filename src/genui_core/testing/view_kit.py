"""A view kit for tests, and the contract suite of all view kits."""

from abc import ABC, abstractmethod

from attrs import frozen

from genui_core.ports.view_kit import ViewKit


@frozen
class PlainViewKit(ViewKit):
    """The smallest kit from which a page can be built."""

    style: str = "body { color: CanvasText }"
    script: str = "globalThis.McpGenUi = { startAdaptiveView() {} };"
    document_script: str = "globalThis.McpGenUi = { prepareDocument() {} };"
    standalone_script: str = "globalThis.McpGenUi.isStandalone = true;"
    api_version: int = 1
    build: str = "plain"


class ViewKitContract(ABC):
    """The contract suite of view kits: inherit it and implement `make`."""

    @abstractmethod
    def make(self) -> ViewKit:
        """Return the kit under test."""

    def test_nothing_in_it_can_end_the_element_it_stands_in(self) -> None:
        """The wrapper puts the texts into a page unescaped."""
        kit = self.make()
        assert "</style" not in kit.style.lower()
        for script in (kit.script, kit.document_script, kit.standalone_script):
            assert "</script" not in script.lower()
            assert "<!--" not in script

    def test_the_script_is_ascii_and_defines_what_pages_start(self) -> None:
        """Pages call ``McpGenUi.startAdaptiveView`` and ``McpGenUi.prepareDocument``."""
        kit = self.make()
        assert (kit.script + kit.document_script + kit.standalone_script).isascii()
        assert "startAdaptiveView" in kit.script
        assert "prepareDocument" in kit.document_script

    def test_its_build_names_it(self) -> None:
        """Equal kits have the same build."""
        assert self.make().build == self.make().build
        assert self.make().api_version >= 1
