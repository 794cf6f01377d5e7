"""A setting that changes a page changes its address too, because hosts cache views by address."""

import pytest
from attrs import evolve

from genui_cli.configuration.keys import made
from genui_cli.configuration.layers import document_layer
from genui_core.application.generation.present_view import present_view
from genui_core.application.pages.view_pages import ViewPages
from genui_core.application.services import Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.tools.tool import Tool
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.view_store import a_view

from .test_keys import KEYS, NAMES, document

TOOL = Tool({"name": "t", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}})
FRAGMENT = a_view(html="<template><p></p></template><script>function render(data, ui) {}</script>")
DOCUMENT = evolve(
    a_view(
        html="<!doctype html><html><head></head><body><script type=module>"
        'import { App } from "@modelcontextprotocol/ext-apps";</script></body></html>'
    ),
    context={"mode": "document"},
)
VIEWS = {"minimal": None, "fragment": present_view(FRAGMENT), "document": present_view(DOCUMENT)}


def pages(configuration):
    """Return the pages of a wrapper; equal settings give equal pages, because the nonces are numbered."""
    services = Services(settings=configuration.settings, identity=NumberedIdentity())
    return ViewPages(services, UpstreamTools(services.settings, services.brand))


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize(("path", "value"), [(path, value) for path, _, value, _ in KEYS], ids=NAMES)
def test_a_setting_that_changes_a_page_changes_its_address(path, value, kind):
    view, given = VIEWS[kind], document_layer(document(path, value), "file").given[path].value
    usual, changed = pages(Configuration()), pages(made(Configuration, {path: given}))
    has_changed = usual.page(TOOL, view) != changed.page(TOOL, view)
    assert not has_changed or usual.version(TOOL, view) != changed.version(TOOL, view)
