"""Folders of exported views: writes are complete, and reads trust no file."""

import json
import os

import pytest
from attrs import evolve

from genui_adapters.bundle import BundleWriter, Mirror, UnfitFolder, frozen_views_in, mirror_views
from genui_core.application.generation.present_view import PresentView, present_view
from genui_core.application.pages.exported_page import ExportedPage
from genui_core.application.services import SilentEventLog
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import StoredView
from genui_core.testing.event_log import RecordingEventLog

SOURCE = "<style></style><template></template><script>function render() {}</script>"


def wrapper_of(*names, watcher=lambda _pages, _tool, _view: None, **options):
    wrapper = Wrapper(**options)
    wrapper.watch_views(watcher)
    views = wrapper.open()
    listing = Listing()
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    views.tools.add_page(listing, {"tools": tools})
    views.finish_listing(listing)
    return views


def made(tool, source=SOURCE):
    stored = StoredView(
        key="k" * 64, tool_name=tool.name, html=source, generated_at="2026-01-01T00:00:00+00:00",
        generation_duration_ms=5, prompt_version="1", template_version="1", request_id="r", llm_model="m",
        context={"mode": "fragment", "uiType": "rich", "repairs": ["links_closed"]}, findings=({"rule": "x"},),
    )  # fmt: skip
    return present_view(stored)


@pytest.fixture
def folder(tmp_path):
    """A folder with a written view and a minimal view."""
    views = wrapper_of("list", "wipe")
    writer = BundleWriter(tmp_path / "views", keep=False)
    rich, plain = views.tools.tool("list"), views.tools.tool("wipe")
    writer.write(ExportedPage.of(views.pages, rich, made(rich)))
    writer.write(ExportedPage.of(views.pages, plain, None))
    writer.save()
    return tmp_path / "views"


def entry(folder, tool):
    views = json.loads((folder / "manifest.json").read_text())["views"]
    return next(each for each in views if each["tool"] == tool)


def test_written_views_are_read_again(folder):
    event_log = RecordingEventLog()
    views = frozen_views_in(folder, event_log).by_tool
    assert {name: each.source for name, each in views.items()} == {"list": SOURCE, "wipe": ""}
    assert (folder / entry(folder, "list")["source"]["file"]).read_text() == SOURCE
    assert event_log.events == []
    assert views["list"].entry.source.findings == ({"rule": "x"},)
    assert sorted(each.name for each in folder.iterdir()) == sorted(
        ["manifest.json", entry(folder, "list")["file"], entry(folder, "list")["source"]["file"], entry(folder, "wipe")["file"]]
    )  # fmt: skip


def test_the_same_views_are_the_same_bytes(folder):
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    views = wrapper_of("wipe", "list")
    writer = BundleWriter(folder, keep=False)
    writer.write(ExportedPage.of(views.pages, views.tools.tool("wipe"), None))
    writer.write(ExportedPage.of(views.pages, views.tools.tool("list"), made(views.tools.tool("list"))))
    writer.save()
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


@pytest.mark.parametrize("which", ["page", "source"])
@pytest.mark.parametrize("damage", ["missing", "changed", "cut", "link", "pipe", "folder"])
@pytest.mark.skipif(os.name == "nt", reason="links and pipes")
def test_a_damaged_view_is_left_out_and_logged(folder, tmp_path, which, damage):
    told = entry(folder, "list")
    path = folder / (told["file"] if which == "page" else told["source"]["file"])
    content = path.read_bytes()
    path.unlink()
    if damage == "changed":
        path.write_bytes(content.replace(b"<", b"<<", 1))
    elif damage == "cut":
        path.write_bytes(content[:-1])
    elif damage == "link":
        (tmp_path / "elsewhere").write_bytes(content)
        path.symlink_to(tmp_path / "elsewhere")
    elif damage == "pipe":
        os.mkfifo(path)
    elif damage == "folder":
        path.mkdir()
    event_log = RecordingEventLog()
    assert set(frozen_views_in(folder, event_log).by_tool) == {"wipe"}
    (event,) = event_log.named("frozen_view_damaged")
    assert event.metadata["tool_name"] == "list"


def test_the_files_of_removed_views_are_removed_and_no_others(folder):
    (folder / "mine.html").write_text("mine")
    views = wrapper_of("wipe")
    writer = BundleWriter(folder, keep=False)
    writer.write(ExportedPage.of(views.pages, views.tools.tool("wipe"), None))
    gone = [entry(folder, "list")["file"], entry(folder, "list")["source"]["file"]]
    assert all((folder / each).exists() for each in gone)
    writer.save()
    assert not any((folder / each).exists() for each in gone)
    assert set(frozen_views_in(folder).by_tool) == {"wipe"}
    assert (folder / "mine.html").read_text() == "mine"


def test_views_to_keep_stay(folder):
    views = wrapper_of("third")
    writer = BundleWriter(folder, keep=True)
    writer.write(ExportedPage.of(views.pages, views.tools.tool("third"), None))
    writer.save()
    assert set(frozen_views_in(folder).by_tool) == {"list", "third", "wipe"}


@pytest.mark.parametrize("content", [None, "", "{}", '{"format": "mcp-gen-ui export", "version": 9}'])
def test_a_foreign_folder_is_left_alone_unless_forced(tmp_path, content):
    (tmp_path / "notes.txt").write_text("mine")
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(UnfitFolder, match="neither empty nor an export"):
        BundleWriter(tmp_path, keep=False)
    with pytest.raises(UnfitFolder):
        frozen_views_in(tmp_path)
    BundleWriter(tmp_path, keep=False, force=True).save()
    assert frozen_views_in(tmp_path).by_tool == {}
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    for force in (True, False):
        with pytest.raises(UnfitFolder, match="file"):
            BundleWriter(tmp_path / "file", keep=False, force=force)
        with pytest.raises(UnfitFolder):
            frozen_views_in(tmp_path / "file")


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_files_can_be_read_by_all_who_may_read_there(folder):
    usual = 0o666 & ~os.umask(os.umask(0o022))
    assert {each.stat().st_mode & 0o777 for each in folder.iterdir()} <= {usual, 0o644}


def test_a_failed_write_leaves_the_old_files(folder, monkeypatch):
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    views = wrapper_of("list")
    writer = BundleWriter(folder, keep=True)
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        writer.write(
            ExportedPage.of(views.pages, views.tools.tool("list"), made(views.tools.tool("list"), SOURCE * 2))
        )
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before


def test_a_mirror_writes_the_minimal_uis_when_the_tools_are_known(tmp_path):
    wrapper = Wrapper()
    mirror = Mirror(SilentEventLog(), BundleWriter(tmp_path / "views", keep=True))
    wrapper.watch_views(mirror.write_soon)
    views = wrapper.open()
    listing = Listing()
    tools = [{"name": "a", "inputSchema": {}}, {"name": "b", "_meta": {"ui": {"resourceUri": "ui://x"}}}]
    views.tools.add_page(listing, {"tools": tools})
    views.finish_listing(listing)
    mirror._thread.shutdown(wait=True)
    assert set(frozen_views_in(tmp_path / "views").by_tool) == {"a"}


def test_a_mirror_follows_views_as_they_change(tmp_path):
    mirror = Mirror(SilentEventLog(), BundleWriter(tmp_path / "views", keep=True))
    frozen = frozen_views_in(written_empty(tmp_path / "none"))
    views = wrapper_of("list", watcher=mirror.write_soon, frozen=frozen)
    tool = views.tools.tool("list")
    views.show_view("list", PresentView(state=ViewState.PROVISIONAL, key="k"))
    views.view_changed(tool, made(tool))
    views.view_changed(tool, evolve(made(tool), state=ViewState.FALLBACK, stored=None, reason="no"))
    views.view_changed(tool, made(tool, SOURCE.replace("{}", "{ }")))
    mirror._thread.shutdown(wait=True)
    assert frozen_views_in(tmp_path / "views").by_tool["list"].source == SOURCE.replace("{}", "{ }")


def test_a_mirror_that_cannot_write_logs_it_and_serving_continues(tmp_path):
    event_log = RecordingEventLog()
    wrapper = Wrapper(event_log=event_log)
    mirror = Mirror(event_log, BundleWriter(tmp_path / "gone", keep=False))
    (tmp_path / "gone").rmdir()
    mirror.write_soon(wrapper.open().pages, Tool({"name": "a", "inputSchema": {}}), None)
    mirror._thread.shutdown(wait=True)
    assert event_log.named("export_failed")[0].metadata["tool_name"] == "a"


def test_a_mirror_into_a_foreign_folder_is_refused(tmp_path):
    (tmp_path / "x").write_text("x")
    with pytest.raises(UnfitFolder):
        mirror_views(Wrapper(), tmp_path)


def written_empty(folder):
    BundleWriter(folder, keep=False).save()
    return folder
