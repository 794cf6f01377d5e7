"""Files, variables and flags give one configuration (requirement S2)."""

from pathlib import Path

import pytest

from genui_adapters.environment import user_folder
from genui_cli.cli_error import CliError
from genui_cli.configuration.loading import examine, load
from genui_core.ports.event_log import Level


def timeout(loaded):
    return loaded.configuration.settings.generation.timeout_ms


def test_a_flag_beats_a_variable_that_a_file_that_the_default(place, home, write):
    assert timeout(load({}, home)) == 60_000
    write({"generation": {"timeoutMs": 2000}})
    assert timeout(load({}, home)) == 2000
    variables = {**home, "MCP_GEN_UI_GENERATION_TIMEOUT_MS": "3000"}
    assert timeout(load({}, variables)) == 3000
    named = {**home, "MCP_GEN_UI_LLM_MODEL": "variable"}
    assert load({}, named).configuration.settings.llm.model == "variable"
    assert load({"model": "flag"}, named).configuration.settings.llm.model == "flag"


def test_the_first_existing_file_is_read_and_no_other(place, home, write):
    users = Path(user_folder("config", home))
    for number, path in enumerate(
        (users / "mcp-gen-ui.toml", users / "mcp-gen-ui.json", "mcp-gen-ui.toml", "mcp-gen-ui.json"), 2
    ):
        text = (
            f"[generation]\ntimeoutMs = {number}000"
            if str(path).endswith("toml")
            else f'{{"generation": {{"timeoutMs": {number}000}}}}'
        )
        write(text, path)
        assert timeout(load({}, home)) == number * 1000
    named = {**home, "MCP_GEN_UI_CONFIG": str(write({"generation": {"timeoutMs": 8000}}, "named.json"))}
    assert timeout(load({}, named)) == 8000
    assert timeout(load({"config": str(write({}, "empty.json"))}, named)) == 60_000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"a": ', "line 1, column 7"),
        ('{"llm": {}, "llm": {}}', '"llm" is written twice'),
        ('{"llm": {"temperature": NaN}}', "NaN is no JSON"),
        ("[1]", "is [1], expected an object"),
        ("", "line 1, column 1"),
        ("[" * 100_000, "cannot be used"),
        ('{"llm": []}', "llm is [], expected an object with keys"),
        ('{"generation": {"timeoutMS": 1}}', "generation.timeoutMS is not a known key"),
        ('{"timeoutMs": 1}', "timeoutMs is not a known key"),
        ('{"llm": {"apiKey": 4711}}', "llm.apiKey expected a text"),
        ('{"upstream": {"args": ["a", 1]}}', "upstream.args[1] is 1, expected a text"),
        ('{"upstream": {"command": "a\\u0000"}}', "null characters and lone surrogates"),
        ('{"upstream": {"command": "\\ud800"}}', "null characters and lone surrogates"),
        ('{"generation": {"timeoutMs": 1e400}}', "is Infinity, expected a whole number"),
        ('{"generation": {"timeoutMs": 99999999999999999999}}', "at most 2147483647"),
        ('{"upstream": {"env": {"A": "${NOT_SET_HERE}"}}}', "upstream.env.A names the variable NOT_SET_HERE"),
        ('{"upstream": {"env": {"A=B": "c"}}}', "names a variable 'A=B'"),
        ('{"upstream": {"url": "ftp://x"}}', "upstream.url is no URL"),
        ('{"upstream": {"url": "http://x", "command": "a"}}', "excludes upstream.command"),
        ('{"upstream": {"url": "http://x", "transport": "stdio"}}', "does not go with a URL"),
        ('{"upstream": {"command": "x", "transport": "http"}}', "does not go with a command"),
        ('{"upstream": {"args": ["x"]}}', "requires upstream.command"),
        ('{"upstream": {"url": "http://x", "headers": {"A": "b\\nc"}}}', "cannot be sent: 'A'"),
        ('{"logging": {"destination": "file"}}', "logging.file is missing"),
        ('{"logging": {"destination": "stdout"}}', "carries the protocol"),
        ('{"llm": {"apiKey": "k"}}', "requires llm.provider"),
        ('{"serve": {"token": ""}}', "serve.token is empty"),
        ('{"serve": {"allowedHosts": ["a", "*"]}}', "serve.allowedHosts has '*', which is no name of a host"),
        ('{"serve": {"allowedHosts": ["https://a"]}}', "has 'https://a', which is no name of a host"),
        ('{"serve": {"allowedOrigins": ["nope"]}}', "serve.allowedOrigins has 'nope', which is no origin"),
        ('{"serve": {"allowedOrigins": ["https://a/mcp"]}}', "has 'https://a/mcp', which is no origin"),
        ('{"serve": {"allowedOrigins": ["*"]}}', "has '*', which is no origin"),
    ],
)
def test_an_error_is_one_line_that_names_the_file(write, home, content, said):
    path = write(content)
    with pytest.raises(CliError) as caught:
        load({}, home)
    text = str(caught.value)
    assert path.name in text
    assert said in text
    assert caught.value.exit_code == 2
    assert "\n" not in text


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"token": ""}, "--token: serve.token is empty"),
        ({"allowed_origins": ("nope",)}, "--allowed-origin: serve.allowedOrigins has 'nope'"),
    ],
)
def test_a_flag_that_would_guard_nothing_is_an_error(place, home, flags, said):
    with pytest.raises(CliError, match=said):
        load(flags, home)


def test_origins_and_hosts_of_every_form_are_accepted(write, home):
    origins = [
        "https://app.example",
        "http://LOCALHOST:6274/",
        "http://[::1]:80",
        "vscode-webview://1a",
        "null",
    ]
    hosts = ["mcp.example.org", "box:8000", "[::1]:8000"]
    write({"serve": {"allowedOrigins": origins, "allowedHosts": hosts}})
    assert load({}, home).configuration.serve.allowed_origins == tuple(origins)


def test_a_broken_toml_file_is_an_error_with_its_line(write, home):
    write("[llm\n", "mcp-gen-ui.toml")
    with pytest.raises(CliError, match=r"mcp-gen-ui.toml.*line 1"):
        load({}, home)


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ('{"generation": {"timeoutMS": 1}}', "did you mean generation.timeoutMs?"),
        ('{"generation": {"serve_within_ms": 1}}', "did you mean generation.serveWithinMs?"),
        ('{"timeoutMs": 1}', "did you mean generation.timeoutMs?"),
        ('{"Generation": {}}', "did you mean generation?"),
        ('{"zzz": 1}', "there are: brand, cache, companion"),
        ('{"host": {"apps": "alway"}}', "did you mean always?"),
    ],
)
def test_the_hint_offers_the_nearest_name(write, home, content, hint):
    write(content)
    with pytest.raises(CliError) as caught:
        load({}, home)
    assert hint in caught.value.hint


def test_a_secret_is_never_shown(write, home):
    write({"llm": {"apiKey": ["canary"]}, "upstream": {"env": {"A": {"b": "canary"}}}})
    for problem in examine({}, {**home, "MCP_GEN_UI_UPSTREAM_HEADERS": "canary"}).problems:
        assert "canary" not in str(problem) + problem.hint


def test_all_errors_can_be_listed_at_once(write, home):
    write({"generation": {"timeoutMs": 1, "mode": 2}, "x": 1})
    assert len(examine({}, home).problems) == 3
    with pytest.raises(CliError, match="and 2 more"):
        load({}, home)


def test_a_wrong_variable_is_named(place, home):
    with pytest.raises(
        CliError, match='the variable MCP_GEN_UI_LLM_TEMPERATURE: is "hot", expected a number from 0 to 2'
    ):
        load({}, {**home, "MCP_GEN_UI_LLM_TEMPERATURE": "hot"})


def test_an_empty_variable_is_ignored(place, home):
    assert timeout(load({}, {**home, "MCP_GEN_UI_GENERATION_TIMEOUT_MS": ""})) == 60_000


@pytest.mark.parametrize("text", ["a, b", '["a", "b"]'])
def test_a_list_in_a_variable_has_commas_or_is_json(place, home, text):
    loaded = load({}, {**home, "MCP_GEN_UI_GENERATION_ENABLED_TOOLS": text})
    assert loaded.configuration.settings.enabled_tools == {"a", "b"}


def test_an_unknown_variable_of_mcp_gen_ui_causes_a_warning(place, home):
    (warning,) = load({}, {**home, "MCP_GEN_UI_LLM_MODELL": "x"}).warnings
    assert "did you mean MCP_GEN_UI_LLM_MODEL?" in warning


def test_variables_are_expanded_in_the_keys_that_allow_it(write, home):
    write(
        {
            "upstream": {
                "command": "${A}",
                "args": ["${env:A}", "${B:-b}", "$A"],
                "env": {"X": "${A}"},
                "cwd": "${C}/d",
            },
            "llm": {"provider": "openai", "apiKey": "${A}", "model": "${A}"},
        }
    )
    configuration = load({}, {**home, "A": "a", "C": "/c"}).configuration
    upstream = configuration.upstream
    assert (upstream.command, upstream.args, dict(upstream.env)) == ("a", ("a", "b", "$A"), {"X": "a"})
    assert Path(upstream.cwd) == Path("/c/d")
    assert (configuration.settings.llm.api_key, configuration.settings.llm.model) == ("a", "${A}")


def test_paths_are_relative_to_their_file(write, home, place):
    path = write(
        {
            "upstream": {"command": "./server", "args": ["x/y"], "cwd": "data"},
            "cache": {"directory": "views"},
            "generation": {"promptsDirectory": "/prompts"},
            "llm": {"provider": "replay", "model": "recordings"},
        },
        "deep/there.json",
    )
    configuration = load({"config": "deep/there.json"}, home).configuration
    folder = path.parent
    assert Path(configuration.upstream.command) == folder / "server"
    assert configuration.upstream.args == ("x/y",)
    assert Path(configuration.upstream.cwd) == folder / "data"
    assert Path(configuration.settings.cache.directory) == folder / "views"
    assert Path(configuration.settings.prompts_directory) == Path("/prompts").absolute()
    assert Path(configuration.settings.llm.model) == folder / "recordings"


def test_a_program_without_a_folder_is_found_in_the_search_path(write, home):
    write({"upstream": {"command": "npx"}})
    assert load({}, home).configuration.upstream.command == "npx"


def test_an_api_key_in_a_file_causes_a_warning_unless_it_is_a_variable(write, home):
    write({"llm": {"provider": "openai", "apiKey": "canary"}})
    (warning,) = load({}, home).warnings
    assert "holds a key" in warning
    assert "canary" not in warning
    write({"llm": {"provider": "openai", "apiKey": "${KEY}"}})
    assert load({}, {**home, "KEY": "canary"}).warnings == ()


def test_an_upstream_on_the_command_line_replaces_the_files_one_whole(write, home):
    write({"upstream": {"command": "a", "args": ["b"], "env": {"C": "${NOT_SET_HERE}"}, "startTimeoutMs": 7}})
    variables = {**home, "MCP_GEN_UI_UPSTREAM_CWD": "/x"}
    configuration = load({}, variables, names_upstream=True).configuration
    assert (configuration.upstream.command, configuration.upstream.cwd) == (None, None)
    assert configuration.upstream.env == {}
    assert configuration.settings.upstream.start_timeout_ms == 7


def test_a_url_in_a_variable_replaces_a_command_in_a_file(write, home):
    write({"upstream": {"command": "a", "args": ["b"], "cwd": "c"}})
    upstream = load({}, {**home, "MCP_GEN_UI_UPSTREAM_URL": "http://x/mcp"}).configuration.upstream
    assert (upstream.url, upstream.command, upstream.args, upstream.cwd) == ("http://x/mcp", None, (), None)


def test_another_provider_gets_neither_the_key_nor_the_address_of_the_one_before(write, home):
    write(
        {
            "llm": {
                "provider": "anthropic",
                "apiKey": "canary",
                "baseUrl": "http://x",
                "model": "claude",
                "maxTokens": 5,
            }
        }
    )
    llm = load({"llm": "openai"}, home).configuration.settings
    assert (llm.llm.provider, llm.llm.api_key, llm.llm.base_url, llm.llm.model) == (
        "openai",
        None,
        None,
        None,
    )
    assert llm.generation.max_tokens == 5
    same = load({"llm": "anthropic"}, home).configuration.settings
    assert same.llm.api_key == "canary"


SERVERS = {"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"], "disabled": False}, "web": {"type": "http", "url": "https://${HOST:-x}/mcp", "headers": {"A": "b"}}}, "globalShortcut": "x"}  # fmt: skip


def test_a_file_that_lists_servers_is_an_upstream_with_a_name(write, home):
    write(SERVERS, "claude.json")
    git = load({"config": "claude.json", "server": "git"}, home).configuration.upstream
    assert (git.command, git.args) == ("uvx", ("mcp-server-git",))
    web = load({"config": "claude.json", "server": "web"}, home).configuration.upstream
    assert (web.url, dict(web.headers), web.transport) == ("https://x/mcp", {"A": "b"}, "http")


def test_one_server_need_not_be_named(write, home):
    write({"servers": {"one": {"command": "a"}}, "generation": {"timeoutMs": 2000}})
    loaded = load({}, home)
    assert (loaded.configuration.upstream.command, timeout(loaded)) == ("a", 2000)


@pytest.mark.parametrize(
    ("server", "said", "hint"),
    [
        (None, "lists 2 servers: git, web", "name one with --server NAME"),
        ("gitt", "lists no server named 'gitt'", "did you mean git?"),
        ("zzz", "lists no server named 'zzz'", "there are: git, web"),
    ],
)
def test_a_missing_server_is_an_error(write, home, server, said, hint):
    write(SERVERS)
    with pytest.raises(CliError, match=said) as caught:
        load({"server": server}, home)
    assert hint in caught.value.hint


def test_a_list_of_servers_is_ignored_beside_a_named_upstream(write, home):
    write({**SERVERS, "generation": {"timeoutMs": 2000}})
    assert timeout(load({}, home, names_upstream=True)) == 2000
    assert timeout(load({}, home, needs_upstream=False)) == 2000


@pytest.mark.parametrize("names_upstream", [False, True])
def test_a_named_server_without_a_list_is_an_error(place, home, names_upstream):
    with pytest.raises(CliError, match=r"--server a|given twice"):
        load({"server": "a"}, home, names_upstream=names_upstream)


def test_a_server_that_is_no_object_is_an_error(write, home):
    write({"mcpServers": {"a": 1}})
    for named in ({"server": "a"}, {}):
        with pytest.raises(CliError, match="the server 'a' is no object"):
            load(named, home)


def test_a_schema_may_be_named_for_editors(write, home):
    write({"$schema": "./schema.json"})
    assert load({}, home).configuration.serve.port == 8000


def test_a_named_file_that_is_missing_is_an_error(place, home):
    with pytest.raises(CliError, match=r"--config names 'no\.json'"):
        load({"config": "no.json"}, home)
    with pytest.raises(CliError, match=r"MCP_GEN_UI_CONFIG names 'no\.json'"):
        load({}, {**home, "MCP_GEN_UI_CONFIG": "no.json"})


def test_switches_of_the_command_line_set_their_keys(place, home):
    assert not load({"no_cache": True}, home).configuration.settings.cache.enabled
    debug = load({"debug": True}, home).configuration
    assert (debug.debug, debug.logging.level, debug.settings.cache.enabled) == (True, "debug", False)


@pytest.mark.parametrize("flag", ["no_cache", "debug"])
def test_without_a_cache_no_refinements_persist_since_their_histories_contain_views(write, home, flag):
    write({"generation": {"refinements": "persist"}})
    assert load({}, home).configuration.settings.refinements == "persist"
    assert load({flag: True}, home).configuration.settings.refinements == "session"


def test_a_file_that_was_found_by_default_is_logged(write, home, place):
    path = write({})
    assert list(load({}, home).remarks()) == [(Level.INFO, f"configured by {path}")]
    assert list(load({"config": "mcp-gen-ui.json"}, home).remarks()) == []
    assert list(load({}, {**home, "MCP_GEN_UI_CONFIG": str(path)}).remarks()) == []
    path.unlink()
    write({}, Path(user_folder("config", home), "mcp-gen-ui.json"))
    assert list(load({}, home).remarks()) == []
