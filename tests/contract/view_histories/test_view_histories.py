"""Every adapter for histories keeps its contract; damaged files and full folders do no harm (requirement C4)."""

import pytest
from attrs import evolve

from genui_adapters.view_store import sealed_entry
from genui_adapters.view_store.filesystem import HistoryFiles
from genui_core.domain.views.stored_view import RememberedView, ViewHistory
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_histories import DictHistories, ViewHistoriesContract
from genui_core.testing.view_store import a_view

pytestmark = pytest.mark.anyio


class TestDictHistories(ViewHistoriesContract):
    @pytest.fixture(autouse=True)
    def _one(self):
        self.histories = DictHistories()

    def make(self):
        return self.histories


class TestHistoryFiles(ViewHistoriesContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path / "views"
        self.event_log = RecordingEventLog()

    def make(self):
        return HistoryFiles(directory=self.folder, secret=b"s" * 32, event_log=self.event_log)

    async def test_a_file_that_was_changed_counts_as_missing(self):
        await self.test_what_was_saved_is_there_after_a_restart()
        (path,) = self.folder.iterdir()
        path.write_bytes(path.read_bytes().replace(b"<p>one</p>", b"<p>two</p>"))
        assert await self.make().load("../read rows") is None
        assert self.event_log.named("history_not_read")

    async def test_each_change_by_any_wrapper_replaces_the_mark(self):
        one, other = self.make(), self.make()
        history = ViewHistory(tool_name="tool", upstream_name="files")
        marks = [await one.mark("tool", "files")]
        for wrapper in (one, other, one):
            assert await wrapper.save(history)
            marks.append(await one.mark("tool", "files"))
            assert await other.mark("tool", "files") == marks[-1]
        await other.drop("tool", "files")
        assert marks[0] is await one.mark("tool", "files") is None
        assert len(set(marks)) == 4

    async def test_of_more_views_than_can_be_read_again_the_older_ones_go_and_the_shown_one_stays(
        self, monkeypatch
    ):
        view = RememberedView(number=1, view=a_view(html="x" * 1000))
        views = tuple(evolve(view, number=number) for number in range(1, 41))
        history = ViewHistory(tool_name="tool", views=views, present=2)
        monkeypatch.setattr(sealed_entry, "MOST_HISTORY_BYTES", 20_000)
        assert await self.make().save(history)
        kept = await self.make().load("tool")
        assert [each.number for each in kept.views] == [2, *range(32, 41)]
        monkeypatch.setattr(sealed_entry, "MOST_HISTORY_BYTES", 500)
        assert await self.make().save(history) is False
        assert self.event_log.named("history_not_kept")
        assert await self.make().load("tool") == kept

    async def test_a_folder_that_cannot_be_written_raises_no_error(self):
        self.folder.write_text("a file stands in the way")
        with pytest.raises(AssertionError):
            await self.test_what_was_saved_is_there_after_a_restart()
        assert self.event_log.named("history_not_kept")
