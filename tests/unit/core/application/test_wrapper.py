"""`Wrapper` has few public members, one set of services, and a worker per transport (requirement P2)."""

import pytest
from attrs.exceptions import FrozenInstanceError
from generation_workers import HeldWorker

from genui_core.application import wrapper as module
from genui_core.application.services import Services
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import GenUiError
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_histories import DictHistories
from genui_core.testing.view_store import DictStore, a_view

pytestmark = pytest.mark.anyio
TOOL = {"name": "read_rows", "inputSchema": {"type": "object"}}


def listed(views):
    """Return opened views whose upstream offers one tool."""
    listing = Listing()
    views.tools.add_page(listing, {"tools": [TOOL]})
    views.finish_listing(listing)
    return views


def test_the_wrapper_has_few_public_members():
    members = {name for name in vars(Wrapper) if not name.startswith("_")}
    assert members == {"add_notifier", "event_log", "open", "remove_notifier", "settings", "watch_views"}
    assert module.__all__ == ["Wrapper"]


def test_the_generation_worker_gets_the_views_that_it_works_for():
    given = []
    worker = HeldWorker()
    views = Wrapper().open(lambda views: given.append(views) or worker)
    assert (views.worker, given) == (worker, [views])


def test_two_transports_of_one_wrapper_have_only_their_own_tools():
    wrapper = Wrapper()
    one, other = listed(wrapper.open()), wrapper.open()
    assert (one.tools.knows_all_tools, other.tools.knows_all_tools) == (True, False)
    assert one.services is other.services


def test_without_a_generation_worker_a_view_that_must_be_made_is_an_error():
    views, came = listed(Wrapper(llm=ScriptedProvider.saying(["unused"])).open()), []
    views.worker.get_ready()
    views.worker.run(views.view_work("read_rows", "r"), came.append, print)()
    views.worker.close()
    (error,) = came
    assert isinstance(error, GenUiError)
    assert "started no generation worker" in str(error)


def test_services_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Services().settings = Settings()


async def test_views_in_memory_are_shared_by_whatever_uses_the_same_services():
    services = Services(settings=Settings(cache=CacheSettings()), clock=HandClock())
    await services.store.set(a_view())
    around = services.with_provider(lambda llm: llm)
    assert await around.store.get(a_view().key) == a_view()
    written = Services(llm=ScriptedProvider.saying(["unused"]))
    await written.store.set(a_view())
    assert await written.with_provider(lambda llm: llm).store.get(a_view().key) == a_view()


class BrokenStore(DictStore):
    """A store whose server is down."""

    async def get(self, _key):
        raise OSError("the server is down")


async def test_a_store_that_fails_is_a_miss_that_the_event_log_names():
    event_log = RecordingEventLog()
    services = Services(store=BrokenStore(), event_log=event_log)
    assert await services.store.get("k") is None
    assert [each.metadata["operation"] for each in event_log.named("store_failed")] == ["get"]


@pytest.mark.parametrize(
    ("given", "outlive"),
    [({}, False), ({"store": DictStore()}, True), ({"histories": DictHistories()}, True)],
    ids=["memory", "a store", "histories"],
)
def test_only_views_that_outlive_the_process_are_validated_again(given, outlive):
    assert Services(**given).views_outlive_process is outlive
    assert (
        Services(llm=ScriptedProvider.saying(["x"]), **given)
        .with_provider(lambda llm: llm)
        .views_outlive_process
        is outlive
    )


class FailingProvider(ScriptedProvider):
    """A provider whose connections cannot be closed."""

    async def close(self):
        raise OSError("no such connection")


async def test_a_provider_that_cannot_be_closed_is_logged():
    event_log = RecordingEventLog()
    await Services(llm=FailingProvider([None]), event_log=event_log).close()
    assert event_log.named("close_failed")[0].metadata["reason"] == "OSError('no such connection')"
