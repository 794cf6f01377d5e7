"""Shows requirement W14."""

import pytest

from genui_core.domain.mcp.envelope import EXTENSION_ID, MIME_TYPE, AppsSetting, host_gets_apps


@pytest.mark.parametrize(
    "capabilities",
    [
        {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}},
        {"extensions": {EXTENSION_ID: {"mimeTypes": ["text/html; profile=mcp-app", "x/y"]}}},
        {"extensions": {EXTENSION_ID: {}}},
        {"extensions": {EXTENSION_ID: None}},
        {"extensions": {EXTENSION_ID: {"mimeTypes": "odd"}}},
        {"experimental": {EXTENSION_ID: {"mimeTypes": []}}},
    ],
)
def test_any_sign_of_the_extension_is_enough(capabilities):
    assert host_gets_apps(capabilities)


@pytest.mark.parametrize(
    "capabilities",
    [
        None,
        {},
        {"extensions": {}},
        {"extensions": 3},
        [],
        {"extensions": {EXTENSION_ID: {"mimeTypes": ["text/other"]}}},
    ],
)
def test_no_sign_or_other_mime_types_only_mean_no(capabilities):
    assert not host_gets_apps(capabilities)


def test_the_setting_decides_either_way():
    assert host_gets_apps(None, AppsSetting.ALWAYS)
    assert not host_gets_apps({"extensions": {EXTENSION_ID: {}}}, AppsSetting.NEVER)
