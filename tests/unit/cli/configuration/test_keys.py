"""Every config key has its default, its bounds and its variable, and there is no other key (requirement S1)."""

import ast
import json

import pytest
from attrs import fields, has

from genui_cli.configuration.keys import all_keys, made
from genui_cli.configuration.kinds import as_json
from genui_cli.configuration.layers import document_layer, environment_layer
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.setting import note_of

# Written by hand, so that no default changes by accident: key, default, a value it takes, and values it refuses.
KEYS = [
    ("upstream.transport", None, "sse", ["udp", 1]),
    ("upstream.command", None, "node", [1, ["node"]]),
    ("upstream.args", [], ["a", "b"], ["a b", [1]]),
    ("upstream.env", {}, {"A": "b"}, ["A=b", {"A": 1}]),
    ("upstream.cwd", None, "/somewhere", [1]),
    ("upstream.url", None, "https://example.org/mcp", [1]),
    ("upstream.headers", {}, {"A": "b"}, [["A: b"], {"A": None}]),
    ("upstream.reconnectDelayMs", 1000, 100, [99, "100", True]),
    ("upstream.maxReconnectDelayMs", 30000, 1000, [999, 1.5]),
    ("upstream.reconnectBackoffMultiplier", 2, 1.5, ["2", 0]),
    ("upstream.startTimeoutMs", 120000, 5, [0, None]),
    ("upstream.callTimeoutMs", None, 5, [0, "5"]),
    ("upstream.maxLineBytes", 33554432, 4096, [0]),
    ("upstream.protocol", "auto", "legacy", ["new"]),
    ("llm.provider", "auto", "anthropic", [1]),
    ("llm.model", None, "m", [1]),
    ("llm.classifyModel", None, "m", [1]),
    ("llm.apiKey", None, "k", [1]),
    ("llm.baseUrl", None, "http://x/v1", [1]),
    ("llm.maxTokens", None, 4096, [0, 1.5]),
    ("llm.temperature", 0.2, 2, [-0.1, 2.1, "hot"]),
    ("llm.api", None, "chat", ["completions"]),
    ("llm.effort", None, "low", [1]),
    ("cache.type", "memory", "filesystem", [1]),
    ("cache.directory", None, "/d", [1]),
    ("cache.url", None, "redis://x", [1]),
    ("cache.maxEntries", 100, 7, ["7"]),
    ("cache.maxEntrySizeBytes", 512000, 1024, [1023]),
    ("cache.maxTotalSizeBytes", 52428800, 1048576, [1048575]),
    ("cache.ttlMs", None, 5, ["5"]),
    ("cache.fallbackTtlMs", 300000, 5, [-1]),
    ("cache.persistOnShutdown", False, True, ["yes", 1]),
    ("generation.mode", "fragment", "document", ["page"]),
    ("generation.defaultTheme", "light", "system", ["blue"]),
    ("generation.promptsDirectory", None, "/p", [1]),
    ("generation.serveWithinMs", "auto", 15000, [-1, "soon"]),
    ("generation.timeoutMs", 60000, 1000, [999]),
    ("generation.maxRetries", 2, 0, [-1]),
    ("generation.retryDelayMs", 1000, 0, [-1]),
    ("generation.maxConcurrentGenerations", 2, 1, [0]),
    ("generation.enabledTools", None, ["a"], ["a", [1]]),
    ("generation.uiType", {}, {"t": "rich"}, ["rich", {"t": "undetermined"}]),
    ("generation.hints", {}, {"t": {"kind": "chart"}}, [{"t": "chart"}, {"t": {"kind": "pie"}}, {"t": {"sort": 1}}]),
    ("generation.examples", {}, {"t": [{"a": 1}]}, [{"t": 1}, []]),
    ("generation.prefetch", False, True, [0]),
    ("generation.refinements", "session", "persist", ["forever"]),
    ("generation.shareResultValues", False, True, ["no"]),
    ("generation.limits.maxPromptTokens", 4000, 1, [0]),
    ("generation.limits.maxOutputTokens", 8000, 1, [0]),
    ("generation.limits.maxRefinementHistory", 5, 1, [0]),
    ("generation.limits.maxSchemaDepth", 5, 1, [0]),
    ("generation.limits.maxOutputDisplayBytes", 102400, 1, [0]),
    ("logging.level", "info", "debug", ["trace"]),
    ("logging.format", "text", "json", ["xml"]),
    ("logging.destination", "stderr", "file", ["syslog"]),
    ("logging.file", None, "/l", [1]),
    ("logging.redactSensitiveData", True, False, ["true"]),
    ("toolRefresh.enabled", False, True, [1]),
    ("toolRefresh.intervalMs", 300000, 10000, [9999]),
    ("toolRefresh.retryBackoffMs", [30000, 60000, 120000], [5], [5, ["5"], [-1]]),
    ("host.apps", "auto", "never", [True]),
    ("host.embedResults", False, True, ["on"]),
    ("companion.mode", "onDemand", "never", [True, "auto"]),
    ("companion.linkInResults", False, True, ["on"]),
    ("host.live", "auto", "off", [True, "on"]),
    ("host.ownTools", "all", "core", [True, "some"]),
    ("host.runtime", "inline", "host", ["none"]),
    ("host.stampResults", False, True, ["on"]),
    ("serve.transport", "stdio", "http", ["ws"]),
    ("serve.host", "127.0.0.1", "::1", [1]),
    ("serve.port", 8000, 0, [-1, 65536, "80"]),
    ("serve.token", None, "t", [1]),
    ("serve.allowedHosts", [], ["h"], ["h"]),
    ("serve.allowedOrigins", [], ["https://h"], [[1]]),
    ("brand.name", "", "Acme", [1]),
    ("brand.css", None, "/brand.css", [1]),
    ("brand.logo", None, "/logo.png", [1]),
    ("security.strict", True, False, ["off"]),
    ("security.pagePolicy", True, False, ["off", 1]),
    ("security.connectDomains", [], ["https://h"], ["https://h"]),
    ("security.resourceDomains", [], ["https://h"], [1]),
    ("security.frameDomains", [], ["https://h"], [1]),
    ("security.baseUriDomains", [], ["https://h"], [1]),
    ("security.permissions", [], ["camera", "clipboardWrite"], ["camera", ["clipboard"]]),
    ("security.domain", "", "views.example", [1]),
]  # fmt: skip

NAMES = [name for name, *_ in KEYS]


def document(path, value):
    """Return the config document with only this key."""
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


def stored_value(configuration, path):
    """Return the value of a key in a configuration."""
    return dict(walk(configuration))[path]


def walk(section):
    for attribute in fields(type(section)):
        value = getattr(section, attribute.name)
        note = note_of(attribute.metadata)
        if note is not None:
            yield note.key, value
        elif has(type(value)):
            yield from walk(value)


def test_there_are_no_other_keys():
    assert set(all_keys()) == set(NAMES)


@pytest.mark.parametrize(("path", "default"), [(path, default) for path, default, *_ in KEYS], ids=NAMES)
def test_a_key_has_the_default_that_is_written_here(path, default):
    assert as_json(stored_value(Configuration(), path)) == default


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, _, value, _ in KEYS], ids=NAMES)
def test_a_value_in_a_file_arrives(path, value):
    layer = document_layer(document(path, value), "file")
    assert layer.problems == ()
    configuration = made(Configuration, {path: layer.given[path].value})
    arrived = stored_value(configuration, path)
    assert type(arrived) is type(stored_value(Configuration(), path)) or stored_value(
        Configuration(), path
    ) in (None, "auto")
    if path != "generation.hints":
        assert as_json(arrived) == value


@pytest.mark.parametrize(("path", "value"), [(path, bad) for path, _, _, refused in KEYS for bad in refused])
def test_a_wrong_value_is_refused_with_its_place(path, value):
    (problem,) = document_layer(document(path, value), "file").problems
    assert str(problem).startswith(f"file: {path}")
    assert "expected" in str(problem) or "at most" in str(problem)


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, _, value, _ in KEYS], ids=NAMES)
def test_a_variable_sets_the_same_value(path, value):
    key = all_keys()[path]
    text = value if isinstance(value, str) else json.dumps(value)
    layer = environment_layer({key.variable: text})
    assert layer.problems == ()
    assert layer.given[path].value == document_layer(document(path, value), "file").given[path].value


def test_variables_are_named_after_their_keys():
    variables = [key.variable for key in all_keys().values()]
    assert len(set(variables)) == len(variables)
    assert (
        all_keys()["generation.limits.maxPromptTokens"].variable
        == "MCP_GEN_UI_GENERATION_LIMITS_MAX_PROMPT_TOKENS"
    )
    assert all_keys()["toolRefresh.retryBackoffMs"].variable == "MCP_GEN_UI_TOOL_REFRESH_RETRY_BACKOFF_MS"
    assert all_keys()["serve.token"].variable == "MCP_GEN_UI_TOKEN"


def test_hints_of_a_tool_in_a_file_become_a_hints_object():
    given = document_layer(
        document("generation.hints", {"t": {"kind": "chart", "theme": "dark"}}), "file"
    ).given
    hints = made(Configuration, {"generation.hints": given["generation.hints"].value}).settings.hints["t"]
    assert (hints.kind, hints.theme, hints.interactivity) == ("chart", "dark", None)


@pytest.mark.parametrize("path", NAMES)
def test_every_key_has_a_description(path):
    about = all_keys()[path].note.about
    assert about.endswith(".")
    assert about[0].isupper() or about[0] == "`"


def test_a_secret_is_not_in_the_text_of_the_settings():
    secrets = [path for path, key in all_keys().items() if key.note.is_secret]
    assert secrets == ["upstream.env", "upstream.headers", "llm.apiKey", "cache.url", "serve.token"]
    values = {path: {"A": "canary"} if "env" in path or "headers" in path else "canary" for path in secrets}
    assert "canary" not in repr(made(Configuration, values))


def test_every_key_is_read_somewhere_in_the_code(repository):
    """The test searches the code, because a key that no code reads has no effect."""
    read = set()
    for path in (repository / "src").rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        read |= {
            node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        }
    fields_by_key = dict(named(Configuration()))
    assert {key for key, name in fields_by_key.items() if name not in read} == set()


def named(section):
    """Yield each key with the name of its field."""
    for attribute in fields(type(section)):
        note = note_of(attribute.metadata)
        if note is not None:
            yield note.key, attribute.name
        elif has(type(value := getattr(section, attribute.name))):
            yield from named(value)
