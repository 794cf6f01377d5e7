"""`security.permissions` and `security.domain` reach the command's page and its frames (requirement U3)."""

import json
import re
import sys

import pytest

FEATURES = {
    "camera": "camera",
    "microphone": "microphone",
    "geolocation": "geolocation",
    "clipboardWrite": "clipboard-write",
}
"""The names of the permissions in a page's Permissions Policy."""
ALLOWED = "features => features.filter(each => document.featurePolicy.allowsFeature(each))"


@pytest.fixture
def read(repository, open_host, tmp_path):
    """Read the page of a tool from a recorded server behind the wrapper, with a section of ``security``."""
    corpus = repository / "tests" / "corpus"
    recorded = corpus / "recorded_upstream.py", corpus / "sample" / "weather"

    def read(security):
        file = tmp_path / "config.json"
        file.write_text(json.dumps({"security": security}))
        wrapper = (sys.executable, "-P", "-m", "genui_cli", "--config", file, "--llm", "none", "--")
        host = open_host(*wrapper, sys.executable, *recorded)
        host.connect()
        host.request("tools/list")
        (contents,) = host.request("resources/read", {"uri": "ui://set_units"})["result"]["contents"]
        return contents

    return read


def frames_of(view):
    """Return the frame element of the view and the one around it, the outer first."""
    return [frame.frame_element() for frame in (view.frame.parent_frame, view.frame)]


@pytest.mark.matrix
@pytest.mark.parametrize("profile", ["spec", "opaque"])
@pytest.mark.parametrize("granted", [["clipboardWrite", "camera"], ["geolocation"], []], ids="+".join)
def test_a_host_lets_views_use_what_is_configured_and_nothing_else(read, mount, granted, profile):
    contents = read({"permissions": granted, "domain": "views.example"} if granted else {})
    ui = contents["_meta"]["ui"]
    assert ui.get("permissions") == ({name: {} for name in granted} or None)
    assert ui.get("domain") == ("views.example" if granted else None)
    asked = {"permissions": ui["permissions"]} if "permissions" in ui else {}
    view = mount(contents["text"], profile=profile, tool={"name": "set_units", "inputSchema": {}}, **asked)
    features = {FEATURES[name] for name in granted}
    for element in frames_of(view):
        assert {*re.findall(r"[\w-]+", element.get_attribute("allow") or "")} == features
    assert {*view.frame.evaluate(ALLOWED, [*FEATURES.values()])} == features
