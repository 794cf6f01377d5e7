"""A randomly changed file of a view or history opens as what was written, or not at all (requirement C2)."""

import tempfile
from functools import partial
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_adapters.view_store import sealed_entry
from genui_adapters.view_store.filesystem import FilesystemStore, HistoryFiles
from genui_adapters.view_store.private_files import hashed
from genui_adapters.view_store.sealed_entry import (
    NotOurs,
    PersistedStore,
    history_name,
    seal,
    seal_what_fits,
    unseal,
    unseal_history,
)
from genui_core.application.defaults import MemoryStore
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.views.stored_view import RememberedView, ViewHistory
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import a_view

SECRET = b"s" * 32
VIEW = a_view()
HISTORY = ViewHistory(tool_name="read_rows", views=(RememberedView(number=1, view=VIEW),), present=1)
SEALED, REMEMBERED = seal(VIEW, SECRET), seal_what_fits(HISTORY, SECRET)
OPEN_VIEW = partial(unseal, name=hashed(VIEW.key))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*VIEW.__slots__[:-1], "views", "view", "tool_name"]), inner, max_size=8
        )
    ),
    max_leaves=20,
)


@st.composite
def damaged(draw, whole):
    """Return a strategy for damaged bytes: cut, swapped, doubled, or overwritten in places."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 80)))
        put = draw(st.binary(max_size=40) | st.just(bytes(data[start:end]) * 2) | st.just(whole[:90]))
        data[start:end] = put
    return bytes(data)


def opened(data, opens):
    try:
        return opens(data, SECRET)
    except (NotOurs, ValueError):
        return None


@given(damaged(SEALED))
def test_a_changed_view_is_that_view_or_nothing(data):
    assert opened(data, OPEN_VIEW) == (VIEW if data == SEALED else None)


@given(damaged(REMEMBERED))
def test_a_changed_history_is_that_history_or_nothing(data):
    assert opened(data, unseal_history) == (HISTORY if data == REMEMBERED else None)


@given(JSON)
def test_sealed_content_of_another_version_does_not_open(content):
    """Another version of mcp-gen-ui might have written such content."""
    for head, opens in ((sealed_entry._VIEW_HEAD, OPEN_VIEW), (sealed_entry._HISTORY_HEAD, unseal_history)):
        found = opened(sealed_entry._seal(head, content, SECRET), opens)
        assert found is None or type(found) in (type(VIEW), ViewHistory)


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@given(view=damaged(SEALED) | st.binary(max_size=200), history=damaged(REMEMBERED))
def test_folders_with_damaged_files_are_read_without_an_error(folder, view, history):
    settings, event_log = CacheSettings(), RecordingEventLog()
    disk = FilesystemStore(
        directory=folder, secret=SECRET, settings=settings, clock=HandClock(), event_log=event_log
    )
    histories = HistoryFiles(directory=folder, secret=SECRET, event_log=event_log)
    disk._path(VIEW.key).write_bytes(view)
    histories._path(history_name("read_rows", "")).write_bytes(history)

    async def read():
        kept = PersistedStore(MemoryStore(settings, HandClock()), disk)
        return await disk.get(VIEW.key), await kept.entries(), await histories.load("read_rows")

    one, all_of_them, remembered = anyio.run(read)
    assert one == (VIEW if view == SEALED else None)
    assert all_of_them == ((VIEW,) if view == SEALED else ())
    assert remembered == (HISTORY if history == REMEMBERED else None)
