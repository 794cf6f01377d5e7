import threading

import anyio
import anyio.lowlevel
import pytest

from genui_adapters.validator_process import WorkerProcessValidator
from genui_core.application.defaults import InProcessValidator
from genui_core.application.services import Services
from genui_core.domain.settings.settings import Settings
from genui_core.domain.validation.finding import Ruling
from genui_core.ports.view_validator import ValidationContext
from genui_core.testing.view_validator import FirstWordValidator, ViewValidatorContract

CONTEXT = ValidationContext(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")
GOOD = "<template><p></p></template><script>function render() {}</script>"


class TestInProcessValidator(ViewValidatorContract):
    def make(self):
        return InProcessValidator()


@pytest.mark.parametrize(
    ("settings", "fragment", "document"),
    [
        (Settings(), True, True),
        (Settings(page_policy=False), False, False),
        (Settings(host_runtime="host"), True, False),
    ],
)
def test_the_validator_gets_whether_the_page_of_a_view_has_a_policy(settings, fragment, document):
    validator = FirstWordValidator()
    services = Services(settings=settings, validator=validator)

    async def both():
        for mode in ("fragment", "document"):
            await services.validate(GOOD, mode, frozenset())

    anyio.run(both)
    assert [each.page_policy for each in validator.contexts] == [fragment, document]


PICTURE = GOOD.replace("render() {}", "render() { new Image().src = 'https://a.example' }")


@pytest.mark.parametrize(("page_policy", "ruling"), [(True, Ruling.ACCEPTED), (False, Ruling.REFUSED)])
def test_a_wrapper_refuses_outside_pictures_where_its_pages_do_not_stop_them(page_policy, ruling):
    for validator in (InProcessValidator(), WorkerProcessValidator(deadline_ms=30_000)):
        services = Services(settings=Settings(page_policy=page_policy), validator=validator)
        assert anyio.run(services.validate, PICTURE, "fragment", frozenset()).ruling is ruling


class TestWorkerProcessValidator(ViewValidatorContract):
    def make(self):
        return WorkerProcessValidator(deadline_ms=30_000)  # the machine may be busy


SLOW = f"<template><p></p></template><script>function render() {{}}\nx = [{'a[b].c(d), ' * 40_000}]</script>"


def test_a_view_that_takes_too_long_is_refused_and_the_next_is_validated():
    async def both():
        impatient = WorkerProcessValidator(deadline_ms=50)
        first = await impatient.validate(SLOW, CONTEXT)
        second = await WorkerProcessValidator(deadline_ms=30_000, turn=impatient.turn).validate(GOOD, CONTEXT)
        return first, second

    first, second = anyio.run(both)
    assert (first.ruling, first.findings[0].rule) == (Ruling.REFUSED, "view.unjudged")
    assert second.ruling is Ruling.ACCEPTED


def test_a_prepared_process_outlives_a_validation_that_is_cancelled_before_it_starts():
    async def given_up_then_validated():
        validator = WorkerProcessValidator(deadline_ms=30_000)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(validator.prepare)
            await anyio.lowlevel.checkpoint()
            with anyio.move_on_after(0.01) as impatience:
                await validator.validate(GOOD, CONTEXT)
        with anyio.fail_after(10):
            return impatience.cancelled_caught, await validator.validate(GOOD, CONTEXT)

    gave_up, report = anyio.run(given_up_then_validated)
    assert gave_up
    assert report.ruling is Ruling.ACCEPTED


def test_asyncio_does_not_wait_for_the_process_which_ends_with_its_validator():
    async def prepared():
        validator = WorkerProcessValidator(deadline_ms=30_000)
        await validator.prepare()
        (process,) = validator._waiting
        assert process.poll() is None
        return process, [each.name for each in threading.enumerate()]

    process, threads = anyio.run(prepared)
    assert not [each for each in threads if "waitpid" in each]
    assert process.returncode is not None


@pytest.mark.anyio
async def test_a_process_that_was_killed_is_replaced():
    validator = WorkerProcessValidator(deadline_ms=30_000)
    await validator.prepare()
    validator._waiting[0].kill()
    assert (await validator.validate(GOOD, CONTEXT)).ruling is Ruling.ACCEPTED


@pytest.mark.anyio
async def test_after_a_cancelled_validation_the_next_text_gets_its_own_report():
    validator = WorkerProcessValidator(deadline_ms=30_000)
    await validator.prepare()
    with anyio.move_on_after(0.01) as impatience:
        await validator.validate(SLOW, CONTEXT)
    assert impatience.cancelled_caught
    assert (await validator.validate(GOOD, CONTEXT)).ruling is Ruling.ACCEPTED
