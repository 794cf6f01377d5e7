"""Shows views in a browser, one after the other, and finds the faults of each."""

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from time import monotonic
from typing import Any, Final, NamedTuple

import anyio
from attrs import Factory, evolve, frozen

from genui_adapters.chromium import Page
from genui_cli.check.stories import Story, misfit, plain_values

RULES: Final = {
    "unreadable": "the view can be read as a host reads it",
    "refused": "the validator accepts what a model wrote",
    "fallback": "the wrapper serves the view that the settings ask for",
    "story": "the arguments of a story that did not fail fit the tool's input schema",
    "silent": "the view becomes ready within 8 seconds",
    "error": "no script fails",
    "console": "nothing is written to the console as an error",
    "policy": "the content security policy blocks nothing",
    "empty": "the view draws something",
    "form": "the form sends arguments that fit the input schema",
    "result": "the view shows a value of the result",
    "name": "every control has an accessible name",
    "contrast": "every text has the contrast that WCAG 2.2 asks for",
    "ids": "ids are unique",
    "lang": "the page names its language",
    "title": "the page has a title",
    "overflow": "the view fits a frame of 360 pixels",
    "axe": "axe-core finds no violation",
}
_CONTROLS = {"button", "checkbox", "combobox", "image", "link", "listbox", "menuitem", "radio", "searchbox"}
_CONTROLS |= {"slider", "spinbutton", "switch", "tab", "textarea", "textbox"}
_ISSUES = {"policy": "policy", "error": "error", "console.error": "console"}
_PROBE: Final = (files("genui_cli.check") / "probe.js").read_text("utf-8")
_WIDTH, _NARROW, _TALLEST = 720, 360, 1600
_WAIT_S, _STEP_S, _MOST_ALIKE = 3.0, 0.05, 5


class Fault(NamedTuple):
    """A fault of a view: the key of the broken rule in `RULES`, and a message."""

    rule: str
    text: str


@frozen
class Shown:
    """The result of one shown story.

    Attributes:
        faults: The faults, without duplicates.
        pictures: By theme, a WebP image in Base64.
        arguments: The arguments of the story, or those that the form was filled in with.
        sends: Whether the form was filled in and sent, after the pictures.
    """

    story: str
    faults: dict[Fault, None] = Factory(dict)
    pictures: dict[str, str] = Factory(dict)
    seconds: float = 0.0
    arguments: Mapping[str, Any] | None = None
    sends: bool = False

    def add(self, rule: str, text: str) -> None:
        """Add a fault; of each rule, only the first few are kept."""
        if sum(each.rule == rule for each in self.faults) < _MOST_ALIKE:
            self.faults[Fault(rule, " ".join(text.split())[:300])] = None


async def until(test: Callable[[], Awaitable[object]], within_s: float) -> bool:
    """Wait until a test is true; return whether that happened in time."""
    with anyio.move_on_after(within_s):
        while not await test():  # noqa: ASYNC110 -- there is no event to wait for
            await anyio.sleep(_STEP_S)
        return True
    return False


class Form(NamedTuple):
    """A form to fill in and send; with `is_ours`, the view is the wrapper's and must have a form."""

    arguments: Mapping[str, Any]
    schema: object
    is_ours: bool


@frozen
class Stage:
    """The browser's page, in which the preview's host shows one view after the other.

    Attributes:
        address: The preview's address, with its token.
        axe: The source code of axe-core, or None.
    """

    page: Page
    address: str
    axe: str | None

    async def show(
        self,
        tool: dict[str, Any],
        resource: dict[str, Any],
        answers: Mapping[str, object],
        name: str,
        *,
        form: Form | None = None,
        story: Story | None = None,
    ) -> Shown:
        """Show a view, alone or with a story, check it in both themes, and send its form if there is one."""
        given = story or form
        shown, began = Shown(name, arguments=given and given.arguments, sends=story is None), monotonic()
        await self._open()
        mounted = json.dumps({"tool": tool, "resource": resource, "answeredBy": answers})
        is_ready = await self.page.run(f"check.mount({mounted})")
        if not is_ready:
            shown.add("silent", "the view did not finish ui/initialize within 8 seconds")
        frame, world = await self.page.world_in(2)
        probe = _Probe(self.page, frame, world)
        if story is not None and is_ready:
            outcome = {"args": dict(story.arguments), "result": story.result, "error": story.error}
            await self.page.run(f"check.tell({json.dumps(outcome)})")
            share = 0.25 if story.failed else 0.5
            if story.values and not await probe.until(f"has({json.dumps(story.values)}, 'some', {share})"):
                shown.add("result", f"none of its values is shown, such as {story.values[0][:60]!r}")
        if not await probe.until("draws()"):
            shown.add("empty", "the view draws nothing")
        await self._look(probe, shown)
        if form is not None and is_ready:
            await self._send(probe, form, tool["name"], shown)
        for issue in await self.page.run("check.seen.issues"):
            # Libraries probe for eval; one that depends on it fails visibly.
            is_trial = issue["text"].startswith("script-src blocked eval")
            if (rule := _ISSUES.get(issue["kind"])) and not is_trial:
                shown.add(rule, f"{issue['text']} {issue.get('where') or ''}")
        return evolve(shown, seconds=monotonic() - began)

    async def _open(self) -> None:
        origin, _, token = self.address.partition("/#")
        await self._resize(_WIDTH)
        await self._theme("light")
        # The page removes the token from its address, so each opening needs it again.
        address = f"{origin}/assets/check.html?{secrets.token_hex(4)}#{token}"
        await self.page.send("Page.navigate", url=address)
        await until(lambda: self.page.run("Boolean(window.check)"), _WAIT_S * 5)

    async def _look(self, probe: "_Probe", shown: Shown) -> None:
        for theme in ("light", "dark"):
            await self._theme(theme)
            await anyio.sleep(_STEP_S * 4)
            found = [*await probe.run("faults()"), *await probe.nameless(), *await probe.axe(self.axe)]
            for rule, text in found:
                is_of_theme = rule in ("contrast", "axe")
                shown.add(rule, f"{theme}: {text}" if is_of_theme else text)
            place = await self.page.run("check.place()")
            clip = {**place, "height": min(max(place["height"], 1), _TALLEST), "scale": 1.5}
            picture = {"format": "webp", "quality": 80, "clip": clip, "captureBeyondViewport": True}
            shown.pictures[theme] = (await self.page.send("Page.captureScreenshot", **picture))["data"]
        await self._resize(_NARROW)
        if await probe.until("overflows()", within_s=_STEP_S * 4) and await probe.run("overflows()"):
            shown.add("overflow", f"the page is wider than its frame at {_NARROW} pixels")
        await self._resize(_WIDTH)

    async def _send(self, probe: "_Probe", form: Form, name: str, shown: Shown) -> None:
        await self.page.run(f"check.tell({json.dumps({'args': dict(form.arguments)})})")
        within_s = _WAIT_S if form.is_ours else _WAIT_S / 6
        if values := plain_values(form.arguments):
            await probe.until(f"has({json.dumps(values)}, 'every')", within_s)
        await anyio.sleep(_STEP_S)
        if not await probe.until("submit()", within_s):
            if form.is_ours:
                shown.add("form", "the view has no form to send")
            return
        called = "check.seen.calls.length"
        if not await until(lambda: self.page.run(called), within_s / 3):
            for kind in ("keyDown", "keyUp"):
                key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
                await self.page.send("Input.dispatchKeyEvent", type=kind, **key)
            await until(lambda: self.page.run(called), within_s)
        calls = [each for each in await self.page.run("check.seen.calls") if each["name"] == name]
        if form.is_ours and not calls:
            shown.add("form", f"the form sends nothing for {json.dumps(form.arguments)}")
        for sent in (each.get("arguments") for each in calls):
            if wrong := misfit(sent or {}, form.schema):
                shown.add("form", f"the form sends arguments that miss the input schema: {wrong}")
            elif form.is_ours and sent != form.arguments:
                shown.add("form", f"the form sends {json.dumps(sent)} for {json.dumps(form.arguments)}")

    async def _theme(self, theme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": theme}
        await self.page.send("Emulation.setEmulatedMedia", features=[feature])

    async def _resize(self, width: int) -> None:
        size = {"width": width + 24, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        await self.page.send("Emulation.setDeviceMetricsOverride", **size)


class _Probe(NamedTuple):
    """Runs checks in an isolated script world of the view's frame."""

    page: Page
    frame: str
    world: int

    async def run(self, call: str) -> Any:
        return await self.page.run(f"{_PROBE}globalThis.probe.{call}", self.world)

    async def until(self, call: str, within_s: float = _WAIT_S) -> bool:
        """Wait until a call of the probe is true; return whether that happened in time."""
        return await until(lambda: self.run(call), within_s)

    async def nameless(self) -> list[tuple[str, str]]:
        """Return a fault for each control without an accessible name."""
        tree = await self.page.send("Accessibility.getFullAXTree", frameId=self.frame)
        controls = [
            str(each["role"]["value"]).lower()
            for each in tree["nodes"]
            if not each["ignored"] and not str(each.get("name", {}).get("value", "")).strip()
        ]
        return [
            ("name", f"a control ({each}) has no accessible name") for each in controls if each in _CONTROLS
        ]

    async def axe(self, text: str | None) -> list[tuple[str, str]]:
        """Return the violations that axe-core finds; none without axe-core."""
        if text is None:
            return []
        await self.page.run(f"if (!globalThis.axe) {{ {text} }} null", self.world)
        found: list[tuple[str, str]] = await self.run("axe()")
        return found
