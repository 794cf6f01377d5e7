"""The generation worker loads after the first list of tools, and not while the host waits for that list."""

import pytest
from attrs import define, evolve
from generation_workers import HeldWorker

from genui_core.application.generation.present_view import PresentView, present_view
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.tools.classification import ViewState
from genui_core.errors import GenUiError
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_store import a_view


@define
class Worker:
    """Counts calls of `get_ready`."""

    told: int = 0

    def get_ready(self):
        self.told += 1


@pytest.mark.parametrize("has_model", [True, False])
def test_the_worker_gets_ready_once_after_the_first_list_if_there_is_a_model(wire, has_model):
    worker = Worker()
    one = wire(ScriptedProvider.saying(["unused"]) if has_model else None, lambda _views: worker)
    one.connect()
    one.list_tools("read_rows", inputSchema={"type": "object"})
    assert worker.told == 0
    one.pass_time(0)
    assert worker.told == has_model
    one.list_tools("read_rows", "other", inputSchema={"type": "object"})
    one.pass_time(0)
    assert worker.told == has_model


SCHEMA = {"type": "object"}


@pytest.fixture
def loading(wire):
    """A host that has listed the tools of a wrapper whose generation worker is still loading."""

    def start(serve_within_ms):
        one = wire(
            ScriptedProvider.saying(["unused"]),
            lambda _views: HeldWorker(),
            generation=GenerationSettings(serve_within_ms=serve_within_ms),
        )
        one.connect()
        one.list_tools("read_rows", inputSchema=SCHEMA)
        return one

    return start


def read(one):
    one.ask("resources/read", {"uri": "ui://read_rows"})
    return one


def pages(one):
    return [each["result"]["contents"][0]["text"] for each in one.host_got() if "result" in each]


def generated(one):
    (tool,) = one.views.tools.active_tools.values()
    return present_view(evolve(a_view(html="<template></template>"), context={"toolHash": tool.hash}))


def test_a_first_read_is_answered_in_time_while_the_view_worker_is_still_loading(loading):
    one = read(loading(500))
    one.pass_time(0.49)
    assert pages(one) == []
    one.pass_time(0.02)
    (page,) = pages(one)
    assert "a richer view is being made" in page
    assert one.views.worker.given_up == 0


def test_a_host_that_was_served_in_time_is_notified_of_the_later_view(loading):
    one = read(loading(500))
    one.pass_time(1)
    one.host_got()
    one.views.worker.finish[0](PresentView(state=ViewState.PROVISIONAL, key="k"))
    assert one.host_got() == []
    one.views.worker.finish[0](generated(one))
    assert {"uri": "ui://read_rows"} in [each.get("params") for each in one.host_got()]


def test_a_view_that_comes_in_time_is_served_and_the_time_limit_changes_nothing(loading):
    one = read(loading(500))
    one.views.worker.finish[0](generated(one))
    assert len(pages(one)) == 1
    one.pass_time(10)
    assert one.host_got() == []


def test_a_failure_after_the_time_limit_answers_no_one_twice(loading):
    one = read(loading(500))
    one.pass_time(1)
    assert len(pages(one)) == 1
    one.views.worker.finish[0](GenUiError("too late"))
    assert pages(one) == []
