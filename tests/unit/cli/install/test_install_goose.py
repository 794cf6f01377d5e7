"""``mcp-gen-ui install goose`` changes a hand-written YAML file, and ``--undo`` restores it exactly."""

import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from genui_cli.configuration.loading import load
from genui_cli.install.goose_file import GooseFile
from genui_cli.install.hosts import HOSTS
from genui_cli.install.installing import added, with_unwrapped, with_wrapped, without

US = [sys.executable, "-P", "-m", "genui_cli"]

TYPICAL = """\
# what I use
GOOSE_PROVIDER: "anthropic"   # not openai
GOOSE_MODE: smart_approve
extensions:
  # comes with it
  developer:
    enabled: true
    type: builtin
    name: developer
    timeout: 300
    bundled: true

  git:  # my repositories
    # first the name
    name: git
    type: stdio
    enabled: true
    cmd: 'uvx'  # from its own folder
    args:
    # no version
    - mcp-server-git
    - "--repository"
    - /srv/a b
    envs:
      TOKEN: "canary"
      DEPTH: 1
    env_keys: [SECRET, TOKEN]
    timeout: 300
    available_tools: []

  inline: {name: inline, type: stdio, enabled: false, cmd: npx, args: [ -y, "server" ], envs: {}}
  bare:
    name: bare
    type: stdio
    cmd: server
    args: []
    enabled: true
  web:
    type: "streamable_http"
    name: web
    uri: https://x/mcp?a=b#c   # theirs
    headers:
      # secret
      Authorization: 'Bearer canary'
    envs: {}
    enabled: true
  keyed:
    name: keyed
    type: streamable_http
    uri: https://y/mcp
    envs:
      # for the header
      A: b
    enabled: true
  old:
    name: old
    type: sse
    uri: 'http://z/sse'
    enabled: true
  # nothing below
GOOSE_MODEL: ä
"""
WRAPPABLE = ["git", "inline", "bare", "web", "keyed", "old"]
REWRITTEN = """\
extensions:
  git:
    name: git
    cmd: {us}
    type: stdio
    args:
    - -P
    - -m
    - genui_cli
    - --
    - uvx
    enabled: true
  web:
    type: stdio
    name: web
    cmd: {us}
    args: [-P, -m, genui_cli]
    envs:
      MCP_GEN_UI_UPSTREAM_HEADERS: '{{"A": "b: c"}}'
      MCP_GEN_UI_UPSTREAM_TRANSPORT: http
      MCP_GEN_UI_UPSTREAM_URL: https://x/mcp
"""


@pytest.fixture
def goose(command, tmp_path, monkeypatch):
    """A function that runs the command on Goose's file."""
    monkeypatch.delenv("GOOSE_PATH_ROOT", raising=False)
    path = tmp_path / "home" / ".config" / "goose" / "config.yaml"
    path.parent.mkdir(parents=True)

    def running(*words):
        code, out, err = command("install", "goose", *words)
        return code, out, err

    running.path = path
    return running


def _extensions(path):
    return YAML(typ="safe").load(path.read_bytes())["extensions"]


def _wrap_and_undo(goose, text, name):
    """Wrap an entry, check that undo restores every byte of the file, and return the wrapped entry."""
    before = text.encode()
    goose.path.write_bytes(before)
    assert goose("--wrap", name, "--llm", "none")[0] == 0
    made = _extensions(goose.path)
    assert "already" in goose("--wrap", name, "--llm", "none")[2]
    assert _extensions(goose.path) == made
    assert goose("--wrap", name, "--undo")[0] == 0
    assert goose.path.read_bytes() == before
    return made[name]


@pytest.mark.parametrize("name", WRAPPABLE)
def test_a_wrapped_extension_is_put_back_byte_for_byte(goose, name):
    before = YAML(typ="safe").load(TYPICAL)["extensions"][name]
    entry = _wrap_and_undo(goose, TYPICAL, name)
    assert [entry["cmd"], *entry["args"]][: len(US) + 2] == [*US, "--llm", "none"]
    assert entry["type"] == "stdio"
    assert (entry["name"], entry["enabled"]) == (before["name"], before["enabled"])


def test_every_other_character_of_the_file_stays(goose):
    goose.path.write_text(TYPICAL)
    goose("--wrap", "git")
    gone, come = (set(each.splitlines()) for each in (TYPICAL, goose.path.read_text()))
    assert gone - come == {"    cmd: 'uvx'  # from its own folder"}
    assert "    - 'uvx'" in come


def test_several_are_wrapped_at_once_and_put_back_in_any_order(goose):
    goose.path.write_text(TYPICAL)
    for name in WRAPPABLE:
        assert goose("--wrap", name)[0] == 0
    for name in WRAPPABLE[::2] + WRAPPABLE[1::2]:
        assert goose("--wrap", name, "--undo")[0] == 0
    assert goose.path.read_text() == TYPICAL


def test_the_server_gets_the_variables_that_goose_gives_it(goose):
    entry = _wrap_and_undo(goose, TYPICAL, "git")
    words = entry["args"][entry["args"].index("none") + 1 :]
    assert words == [
        *("-e", "TOKEN", "-e", "DEPTH", "-e", "SECRET"),
        *("--", "uvx", "mcp-server-git", "--repository", "/srv/a b"),
    ]
    assert entry["envs"] == {"TOKEN": "canary", "DEPTH": 1}


@pytest.mark.parametrize(
    ("name", "url", "headers", "transport"),
    [
        ("web", "https://x/mcp?a=b#c", {"Authorization": "Bearer canary"}, "http"),
        ("keyed", "https://y/mcp", {}, "http"),
        ("old", "http://z/sse", {}, "sse"),
    ],
)
def test_a_server_behind_a_url_is_reached_as_before(goose, name, url, headers, transport):
    entry = _wrap_and_undo(goose, TYPICAL, name)
    assert "canary" not in " ".join(entry["args"])
    ours = {key: value for key, value in entry["envs"].items() if key.startswith("MCP_GEN_UI_")}
    upstream = load({}, ours).configuration.upstream
    assert (upstream.url, dict(upstream.headers), upstream.transport) == (url, headers, transport)


@pytest.mark.parametrize(
    "text",
    [
        "extensions:\n  one:\n    name: one\n    cmd: 'server'  # mine\n    enabled: true\n",
        "extensions:\n  one:\n    cmd: server",
        'extensions:\n  one: {cmd: "a b", enabled: true}\n',
        "extensions:\n  one: {cmd: server, args: [ ]}\n",
        "extensions:\n  one:\n    args: []\n    cmd: server\n",
        "extensions: {one: {name: one, cmd: server}}\n",
    ],
)
def test_an_extension_without_arguments_is_put_back_byte_for_byte(goose, text):
    entry = _wrap_and_undo(goose, text, "one")
    assert entry["args"][-2:] == ["--", YAML(typ="safe").load(text)["extensions"]["one"]["cmd"]]


@pytest.mark.parametrize("name", WRAPPABLE)
def test_line_ends_and_a_byte_order_mark_stay(goose, name):
    text = "\ufeff" + TYPICAL.replace("\n", "\r\n")
    _wrap_and_undo(goose, text, name)
    goose("--wrap", name)
    assert goose.path.read_bytes().count(b"\n") == goose.path.read_bytes().count(b"\r\n")


def test_a_file_that_goose_has_rewritten_is_unwrapped_too(goose):
    goose.path.write_text(REWRITTEN.format(us=sys.executable))
    assert goose("--wrap", "git", "--undo")[0] == 0
    assert goose("--wrap", "web", "--undo")[0] == 0
    assert _extensions(goose.path) == {
        "git": {"name": "git", "cmd": "uvx", "type": "stdio", "args": [], "enabled": True},
        "web": {
            "type": "streamable_http",
            "name": "web",
            "uri": "https://x/mcp",
            "headers": {"A": "b: c"},
        },
    }


LAYOUTS = [
    TYPICAL,
    "",
    "# only a comment\n",
    "GOOSE_MODE: auto",
    "GOOSE_MODE: auto\r\n",
    "extensions: {}\n",
    "a: 1\nextensions: { }  # none\nb: 2\n",
    "extensions:\n    # deeper\n    a:\n        cmd: b",
]


def _file_of(text):
    """Return Goose's file with some text, in memory only."""
    return GooseFile.of(Path("config.yaml"), text)


@pytest.mark.parametrize("before", LAYOUTS)
def test_a_new_extension_is_added_and_taken_out_without_a_trace(goose, before):
    goose.path.write_bytes(before.encode())
    code, out, err = goose("--name", "My UI: ä", "--llm", "none", "--", "npx", "yes", "a\tb")
    assert (code, Path(out.strip())) == (0, goose.path)
    assert "restart Goose" in err
    assert _extensions(goose.path)["My UI: ä"] == {
        "name": "My UI: ä",
        "enabled": True,
        "description": "",
        "type": "stdio",
        "cmd": US[0],
        "args": [*US[1:], "--llm", "none", "--", "npx", "yes", "a\tb"],
        "timeout": 300,
    }
    goose("--name", "My UI: ä", "--", "npx", "other")
    assert _extensions(goose.path)["My UI: ä"]["args"][-2:] == ["npx", "other"]
    assert goose("--name", "My UI: ä", "--undo")[0] == 0
    assert goose.path.read_bytes() == before.encode()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("before", [None, *LAYOUTS])
def test_several_extensions_are_removed_in_any_order(before, order):
    file = _file_of(before)
    for number in range(3):
        file = added(_file_of(file.content), f"new {number}", ["--", "server"], states_type=True)
    for number in order:
        file = without(_file_of(file.content), f"new {number}")
    assert file.content == before


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_wraps_and_new_extensions_are_undone_in_any_order(order):
    file = with_wrapped(with_wrapped(_file_of(TYPICAL), "git", []), "web", [])
    file = added(_file_of(file.content), "new", ["--", "server"], states_type=True)
    steps = [(with_unwrapped, "git"), (with_unwrapped, "web"), (without, "new")]
    for undo, name in (steps[each] for each in order):
        file = undo(_file_of(file.content), name)
    assert file.content == TYPICAL


def test_a_missing_file_is_created(goose):
    goose.path.parent.rmdir()
    assert goose("--", "server")[0] == 0
    assert goose.path.read_text().startswith("extensions:\n  mcp-gen-ui:\n    name: mcp-gen-ui\n")
    assert list(goose.path.parent.iterdir()) == [goose.path]
    assert goose("--undo")[0] == 0
    assert not goose.path.exists()


def test_a_created_file_with_settings_that_goose_added_is_not_removed(goose):
    goose("--", "server")
    goose.path.write_text(f"GOOSE_MODE: auto\n{goose.path.read_text()}")
    goose("--undo")
    assert YAML(typ="safe").load(goose.path.read_bytes()) == {"GOOSE_MODE": "auto"}


def test_the_file_is_backed_up_keeps_its_mode_and_stays_a_link(goose, tmp_path):
    real = tmp_path / "dotfiles.yaml"
    real.write_text(TYPICAL)
    real.chmod(0o600)
    goose.path.symlink_to(real)
    goose("--wrap", "git")
    (backup,) = tmp_path.glob("*.backup")
    assert backup.read_text() == TYPICAL
    assert goose.path.is_symlink()
    assert "genui_cli" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_dry_run_shows_the_changes_and_writes_nothing(goose):
    goose.path.write_text(TYPICAL)
    code, out, _ = goose("--dry-run", "--wrap", "git")
    assert code == 0
    assert "-    cmd: 'uvx'  # from its own folder\n" in out
    assert "+    - genui_cli\n" in out
    assert goose.path.read_text() == TYPICAL
    assert list(goose.path.parent.iterdir()) == [goose.path]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--wrap", "gti"), "did you mean git?"),
        (("--wrap", "developer"), "config.yaml has neither a command nor a URL"),
        (("--wrap", "git", "--undo"), "does not start mcp-gen-ui"),
        (("--name", "git", "--", "x"), "--wrap git wraps it"),
        (("--undo",), "no MCP server named 'mcp-gen-ui' in"),
    ],
)
def test_an_impossible_installation_is_an_error_and_changes_nothing(goose, words, said):
    _refused(goose, TYPICAL, words, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extensions:\n\tgit:\n", "line 2, column 1"),
        ("extensions: [\n", "line 2, column 1"),
        ("extensions:\n", "where there are none, write extensions: {}"),
        ("extensions: [git]\n", "lists no extensions"),
        ("- a\n", "lists no extensions"),
        ("a: 1\n---\nb: 2\n", "single document"),
        ("extensions:\n  git: {}\n  git: {}\n", "line 3: 'git' is written twice"),
        ("a: *nowhere\n", "line 1"),
        ("\x07", "cannot be used"),
    ],
)
def test_a_file_that_is_not_understood_is_left_as_it_is(goose, text, said):
    _refused(goose, text, ("--", "server"), said)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{cmd: &a uvx, args: [*a]}", "cannot be changed and undone"),
        ("&all {cmd: uvx, args: []}", "cannot be changed and undone"),
        ("{<<: *base, cmd: uvx, args: []}", "cannot be changed and undone"),
        ("*base", "is not an object"),
        ("\n    cmd: |\n      uvx\n    args: []", "could not restore"),
        ("\n    cmd: a,b\n    args: [c]", "could not restore"),
        ("{type: streamable_http, uri: u, headers: {A: 'B ${K}'}, env_keys: [K]}", "Goose replaces K in"),
        ("\n    cmd: uvx\n    args:", "cannot be changed and undone"),
        ("\n    cmd: uvx\n    args: a b", "cannot be changed and undone"),
    ],
)
def test_an_extension_that_could_not_be_put_back_is_left_as_it_is(goose, entry, said):
    _refused(goose, f"base: &base {{timeout: 1}}\nextensions:\n  one: {entry}\n", ("--wrap", "one"), said)


def _refused(goose, text, words, said):
    goose.path.write_text(text)
    code, out, err = goose(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert goose.path.read_text() == text
    assert list(goose.path.parent.iterdir()) == [goose.path]


def test_goose_keeps_its_file_where_its_documentation_says():
    find, home = HOSTS["goose"].places[0].find, {"HOME": "/h", "APPDATA": "/a"}
    for platform in ("linux", "darwin"):
        assert find(home, platform) == [Path("/h/.config/goose/config.yaml")]
        assert find({**home, "XDG_CONFIG_HOME": "/x"}, platform) == [Path("/x/goose/config.yaml")]
        assert find({**home, "XDG_CONFIG_HOME": "x"}, platform) == [Path("/h/.config/goose/config.yaml")]
    assert find(home, "win32") == [Path("/a/Block/goose/config/config.yaml")]
    assert find({**home, "GOOSE_PATH_ROOT": "/r"}, "linux") == [Path("/r/config/config.yaml")]
