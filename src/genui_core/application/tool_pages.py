"""The page of each tool as its view stands; the page of last resort where even the minimal UI cannot be made (SPEC §4)."""

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import frozen

from genui_core.application.generation.view_state import ViewState
from genui_core.domain.cache_key import ViewConfiguration, cache_key
from genui_core.domain.minimal_view import body_version, minimal_page, page_data
from genui_core.domain.page_frame import PageParts
from genui_core.domain.page_notice import Notice, fallback_notice, provisional_notice
from genui_core.domain.page_policy import PagePolicy
from genui_core.domain.settings import HostRuntime, Settings
from genui_core.domain.tool import Tool, told_name
from genui_core.domain.tool_look import ServerLook
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

Fallen = Callable[[Tool, str], None]
"""Called with a tool that got the error page, and the reason."""


Readers = Callable[[], frozenset[str]]
"""Returns names of tools."""


Look = Callable[[], ServerLook]
"""Returns how pages look: the upstream's accent and icon are known when it has named itself."""


_NO_READERS: Final[frozenset[str]] = frozenset()
_NO_LOOK: Final = ServerLook()


def no_readers() -> frozenset[str]:
    """Return no name, and always the same set."""
    return _NO_READERS


def no_server_look() -> ServerLook:
    """Return the look of a server that has no name."""
    return _NO_LOOK


def _nobody(_tool: Tool, _reason: str) -> None:
    """Ignore error pages."""


@frozen
class ToolPages:
    """Makes pages and names their versions. Neither ever fails, whatever a definition holds.

    Args:
        settings: Limits, theme, and who brings ``App``.
        kit: What pages are made of.
        configuration: The settings that decide what a view looks like.
        fallen: Called with each error page.
        readers: Returns the names of the tools that only read and that views may call.
        look: Returns how pages look.
    """

    settings: Settings
    kit: ViewKit
    configuration: ViewConfiguration
    fallen: Fallen = _nobody
    readers: Readers = no_readers
    look: Look = no_server_look

    def key(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the cache key of the view, or without one the key of the view that the tool should have.

        Raises:
            GenUiError: The tool's definition has no canonical form; so may RecursionError and ValueError be.
        """
        return view.key if view is not None else cache_key(tool, self.configuration.hash_for(tool.name))

    def version(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the eight digits that tell this page from others of the tool."""
        try:
            source = view.source if view is not None else ""
            build = f"{self.kit.build}{self._policy_mark}"
            return body_version(self.key(tool, view), self._data(tool, view), build, source)
        except Exception as error:  # noqa: BLE001 -- a tool's definition or another package's kit may fail
            return sha256(f"{tool.name}\n{error!r}".encode(errors="surrogatepass")).hexdigest()[:8]

    def page(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the one HTML file."""
        return self._page(tool, view, self.settings.host_runtime)

    def standalone_page(self, tool: Tool, view: "PresentView | None") -> str:
        """Return the one HTML file as it works without this wrapper."""
        return self._page(tool, view, "inline", standalone=True)

    def _page(
        self, tool: Tool, view: "PresentView | None", runtime: HostRuntime, *, standalone: bool = False
    ) -> str:
        try:
            return self._drawn(tool, view, self._parts(tool, view, standalone=standalone), runtime)
        except Exception as error:  # noqa: BLE001 -- see above
            from genui_core.domain.emergency_page import emergency_page  # noqa: PLC0415 -- rarely needed

            reason = f"{type(error).__name__}: {error}"
            self.fallen(tool, reason)
            return emergency_page(tool.name, reason, tool.definition)

    def _parts(self, tool: Tool, view: "PresentView | None", *, standalone: bool) -> PageParts:
        from genui_core.domain.page_needs import parts_for  # noqa: PLC0415 -- no list of tools needs it

        parts = parts_for(tool, self.kit, written=view is not None and bool(view.source))
        if not standalone:
            return parts
        from genui_core.domain.standalone_page import StandaloneParts  # noqa: PLC0415 -- rarely needed

        return StandaloneParts(parts, self.kit.standalone_script)

    def _drawn(self, tool: Tool, view: "PresentView | None", parts: PageParts, runtime: HostRuntime) -> str:
        data = self._data(tool, view)
        if view is None or not view.source:
            return minimal_page(tool, data, parts, self._policy)
        from genui_core.domain.generated_page import view_page  # noqa: PLC0415 -- not before there is such a view

        return view_page(
            tool, data, parts, view.source, view.mode, runtime=runtime, plan=view.plan, policy=self._policy
        )

    @property
    def _policy(self) -> PagePolicy:
        return PagePolicy(self.settings.granted, self.settings.page_policy)

    @property
    def _policy_mark(self) -> str:
        """Return what tells this policy from the default one."""
        return "" if self._policy == PagePolicy() else f"\n{self._policy}"

    def _data(self, tool: Tool, view: "PresentView | None") -> str:
        hints = self.settings.hints.get(tool.name)
        return page_data(
            tool,
            self.settings.limits,
            self.settings.default_theme,
            _notice(view),
            related=self._related(tool, view),
            guarded=self.settings.page_policy,
            frames=bool(self.settings.granted.frame),
            server=self.look(),
            kind=hints.kind if hints else None,
        )

    def _related(self, tool: Tool, view: "PresentView | None") -> tuple[str, ...]:
        """Return the names of the other tools that a view may call: those that only read and that it names."""
        if view is None or not view.source:
            return ()
        return tuple(
            sorted(
                {
                    each
                    for each in self.readers()
                    if (each != tool.name and told_name(each) in view.source) or each in view.source
                }
            )
        )


def _notice(view: "PresentView | None") -> Notice | None:
    if view is None:
        return None
    if view.state is ViewState.PROVISIONAL:
        return provisional_notice()
    return fallback_notice(view.reason) if view.state is ViewState.FALLBACK else None
