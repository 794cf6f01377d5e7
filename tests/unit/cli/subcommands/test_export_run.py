"""An export makes several views at once, each with its whole budget, and ends at a full disk."""

import anyio
import pytest
from attrs import define

from genui_adapters.bundle import BundleWriter
from genui_cli.subcommands.exporting import write_views
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_validator import FirstWordValidator

ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}


@define
class CountingProvider(ScriptedProvider):
    """A provider that records the highest number of simultaneous requests."""

    now: int = 0
    most: int = 0

    async def complete(self, request, on_delta=None):
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            return await ScriptedProvider.complete(self, request, on_delta)
        finally:
            self.now -= 1


@pytest.fixture
def run(tmp_path):
    """Export the views of that many tools with a model that takes a while for each."""

    def run(count, **generation):
        provider = CountingProvider(["a view"], delay_s=0.25)
        settings = Settings(
            generation=GenerationSettings(serve_within_ms=60_000, max_retries=0, **generation)
        )
        views = Wrapper(settings=settings, llm=provider, validator=FirstWordValidator()).open()
        listing = Listing()
        tools = [
            {"name": f"t{number}", "inputSchema": {"type": "object"}, "outputSchema": ROWS}
            for number in range(count)
        ]
        views.tools.add_page(listing, {"tools": tools})
        views.finish_listing(listing)
        written = []
        writer, tools = BundleWriter(tmp_path / "views", keep=False), [*views.tools.active_tools.values()]
        return (
            provider,
            written,
            lambda: anyio.run(write_views, views, writer, tools, lambda: written.append(1)),
        )

    return run


def test_an_export_makes_as_many_views_at_once_as_allowed_and_no_budget_runs_while_one_waits(run):
    provider, written, start = run(9, max_concurrent=2, timeout_ms=1000)
    views = start()
    assert (provider.most, len(written), provider.closed) == (2, 9, True)
    assert [each.tool for each in views] == [f"t{number}" for number in range(9)]
    assert {(each.ui_type, each.fallback_reason) for each in views} == {("rich", None)}


def test_a_full_disk_ends_an_export_at_once(run, monkeypatch):
    provider, written, start = run(9, max_concurrent=2)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(BundleWriter, "write", full)
    with pytest.raises(OSError, match="No space"):
        start()
    assert len(provider.requests) < 9
    assert (written, provider.closed) == ([], True)
