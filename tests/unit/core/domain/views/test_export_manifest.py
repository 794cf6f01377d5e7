"""The manifest of a folder of exported views, and the names of its files."""

import json
import re

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import (
    ExportedSource,
    ExportedView,
    Manifest,
    NotAnExport,
    manifest_from,
    manifest_text,
    page_file,
    schema_hash,
    source_file,
)

RESERVED = {"con", "prn", "aux", "nul", "com1", "lpt1", "manifest", ".", ".."}
SOURCE = ExportedSource(
    file=source_file("list"),
    sha256="b" * 64,
    mode="fragment",
    llm_model="a-model",
    generated_at="2026-01-01T00:00:00.000+00:00",
    generation_duration_ms=1200,
    request_id="r-1",
    repairs=("links_closed",),
    findings=({"rule": "a.b", "line": 1},),
)
VIEW = ExportedView(
    tool="list",
    tool_hash="a" * 64,
    schema_hash="c" * 64,
    file=page_file("list"),
    sha256="d" * 64,
    size_bytes=5,
    ui_type="rich",
    cache_key="e" * 64,
    prompt_version="1",
    template_version="1",
    kit_api_version=1,
    kit_build="f",
    source=SOURCE,
)
PLAIN = evolve(VIEW, tool="Wipe", file=page_file("Wipe"), ui_type="minimal", source=None, fallback_reason="x")

names = st.text(st.characters(), min_size=1, max_size=60) | st.sampled_from(
    [
        "CON",
        "nul.html",
        "../../etc/passwd",
        "a/b",
        "a\\b",
        "A",
        "a",
        "É",
        "e\u0301",
        "ß",
        "SS",
        "x" * 300,
        "\ud800",
    ]
)


@given(st.lists(names, min_size=2, max_size=6, unique=True))
def test_no_two_tools_share_a_file_on_any_system(tools):
    files = [name for tool in tools for name in (page_file(tool), source_file(tool))]
    assert len({each.casefold() for each in files}) == len(files)
    for each in files:
        assert re.fullmatch(r"[a-z0-9_]*-[0-9a-f]{12}(\.source)?\.html", each)
        assert len(each) < 80
        assert each.split(".")[0] not in RESERVED


def test_a_manifest_is_read_as_it_was_written():
    manifest = Manifest().with_view(VIEW).with_view(PLAIN)
    assert [each.tool for each in manifest.views] == ["Wipe", "list"]
    assert manifest_from(manifest_text(manifest)) == manifest
    assert manifest.files == {VIEW.file, SOURCE.file, PLAIN.file}
    told = json.loads(manifest_text(manifest))["views"][1]
    assert (told["toolHash"], told["source"]["llmModel"], told["uiType"]) == ("a" * 64, "a-model", "rich")


def test_a_view_takes_the_place_of_the_one_before():
    newer = evolve(VIEW, sha256="0" * 64)
    assert Manifest().with_view(VIEW).with_view(newer).views == (newer,)


def test_fields_of_newer_versions_are_ignored():
    content = json.loads(manifest_text(Manifest().with_view(VIEW)))
    content["more"] = content["views"][0]["more"] = {"a": 1}
    assert manifest_from(json.dumps(content)).views == (VIEW,)


def changed(**more):
    content = json.loads(manifest_text(Manifest().with_view(VIEW)))
    content["views"][0] |= more
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "not written by an export"),
        ('{"format": "other"}', "not written by an export"),
        ('{"format": "mcp-gen-ui export", "version": 2, "views": []}', "version 2"),
        ('{"format": "mcp-gen-ui export", "version": 1, "views": 5}', "lacks"),
        ('{"format": "mcp-gen-ui export", "version": 1, "views": [{}]}', "lacks"),
        (changed(file="../../etc/passwd"), "no export writes"),
        (changed(file="/etc/passwd"), "no export writes"),
        (changed(file="manifest.json"), "no export writes"),
        (changed(file=VIEW.file + "\n"), "no export writes"),
        (changed(sizeBytes="5"), "lacks"),
        (changed(sizeBytes=True), "lacks"),
        (changed(uiType="other"), "lacks"),
        (changed(source={"file": "x"}), "lacks"),
        (changed(toolHash=None), "lacks"),
    ],
)
def test_any_other_manifest_is_refused(text, words):
    with pytest.raises(NotAnExport, match=words):
        manifest_from(text)


@given(st.text() | st.binary().map(lambda each: each.decode("latin-1")))
def test_no_text_breaks_the_reader(text):
    with pytest.raises(NotAnExport):
        manifest_from(text)


def test_the_hash_of_schemas_depends_only_on_the_schemas():
    tool = {"name": "a", "inputSchema": {"type": "object"}}
    assert schema_hash(Tool(tool)) == schema_hash(Tool({**tool, "name": "b", "description": "x"}))
    assert schema_hash(Tool(tool)) != schema_hash(Tool({**tool, "inputSchema": {}}))
