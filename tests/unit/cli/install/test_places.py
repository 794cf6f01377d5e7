"""Which of a host's files `install` changes, and which paths it writes."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from genui_cli.install import entries
from genui_cli.install.entries import with_absolute_paths
from genui_cli.upstream_options import UpstreamOptions, words_of

GIT = {"command": "uvx", "args": ["mcp-server-git"]}
HOME = Path("../home")
USER_FILES = {
    "claude-code": (HOME / ".claude.json", ".mcp.json", "mcpServers"),
    "vscode": (HOME / ".config/Code/User/mcp.json", ".vscode/mcp.json", "servers"),
    "cursor": (HOME / ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers"),
}
HOSTS = pytest.mark.parametrize(("host", "user", "project", "key"), [(k, *v) for k, v in USER_FILES.items()])


def write(path, content):
    """Write a host's file; return its bytes."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent="\t"))
    return path.read_bytes()


@pytest.fixture(autouse=True)
def on_linux(monkeypatch):
    """Set the platform to Linux, without variables that move the files of hosts."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


@HOSTS
def test_a_server_of_the_users_file_is_wrapped_and_put_back(command, host, user, project, key):
    before = write(user, {"other": 1e300, key: {"git": GIT}})
    code, out, _ = command("install", host, "--wrap", "git")
    assert (code, Path(out.strip()).resolve()) == (0, user.resolve())
    assert json.loads(user.read_bytes())[key]["git"]["args"][-2:] == ["uvx", "mcp-server-git"]
    assert not Path(project).exists()
    assert command("install", host, "--wrap", "git", "--undo")[0] == 0
    assert user.read_bytes() == before


@HOSTS
def test_the_folders_file_comes_first_unless_the_users_is_asked_for(command, host, user, project, key):
    content = {key: {"git": GIT}}
    in_user, in_project = write(user, content), write(project, content)
    command("install", host, "--wrap", "git")
    assert (user.read_bytes() == in_user, Path(project).read_bytes() == in_project) == (True, False)
    command("install", host, "--wrap", "git", "--user")
    assert user.read_bytes() != in_user
    command("install", host, "--wrap", "git", "--undo", "--user")
    command("install", host, "--wrap", "git", "--undo")
    assert (user.read_bytes(), Path(project).read_bytes()) == (in_user, in_project)


@HOSTS
def test_the_undo_finds_the_file_in_which_the_server_is_wrapped(command, host, user, project, key):
    in_user = write(user, {key: {"git": GIT}})
    command("install", host, "--wrap", "git")
    write(project, {key: {"git": GIT}})
    assert command("install", host, "--wrap", "git", "--undo")[0] == 0
    assert user.read_bytes() == in_user


@HOSTS
def test_a_new_server_goes_into_the_users_file_on_request(command, host, user, project, key):
    assert command("install", host, "--user", "--name", "ui", "--", "server")[0] == 0
    assert [*json.loads(user.read_bytes())[key]] == ["ui"]
    assert not Path(project).exists()
    assert command("install", host, "--name", "ui", "--undo")[0] == 0
    assert not user.exists()


def test_a_server_that_claude_code_keeps_for_one_folder_is_found(command):
    folder, user = str(Path.cwd()), HOME / ".claude.json"
    projects = {"/elsewhere": {"mcpServers": {"git": GIT}}, folder: {"mcpServers": {"git": GIT}, "x": []}}
    before = write(user, {"numStartups": 3, "projects": projects, "mcpServers": {"git": GIT}})
    command("install", "claude-code", "--wrap", "git")
    after = json.loads(user.read_bytes())
    assert after["projects"]["/elsewhere"]["mcpServers"]["git"] == after["mcpServers"]["git"] == GIT
    assert after["projects"][folder]["mcpServers"]["git"]["args"][-2:] == ["uvx", "mcp-server-git"]
    command("install", "claude-code", "--wrap", "git", "--undo")
    assert user.read_bytes() == before


VSCODE_SETTINGS = {"linux": "config", "darwin": "Library/Application Support", "win32": "Roaming"}


@pytest.fixture
def vscode_folder(tmp_path, monkeypatch):
    """Return the settings folder of each edition of VS Code on a platform, in a temporary home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def folder(platform, edition="Code"):
        monkeypatch.setattr(sys, "platform", platform)
        return tmp_path / VSCODE_SETTINGS[platform] / edition / "User"

    return folder


@pytest.mark.parametrize("edition", ["Code", "Code - Insiders"])
@pytest.mark.parametrize("file", ["mcp.json", "profiles/-5f3c/mcp.json"])
@pytest.mark.parametrize("platform", VSCODE_SETTINGS)
def test_a_server_of_an_edition_or_a_profile_of_vs_code_is_wrapped_and_put_back(
    command, vscode_folder, platform, edition, file
):
    vscode_folder(platform).mkdir(parents=True)
    path = vscode_folder(platform, edition) / file
    before = write(path, {"servers": {"git": GIT}})
    code, out, err = command("install", "vscode", "--wrap", "git")
    assert (code, out.strip()) == (0, str(path)), err
    assert json.loads(path.read_bytes())["servers"]["git"]["args"][-2:] == ["uvx", "mcp-server-git"]
    assert command("install", "vscode", "--wrap", "git", "--undo", "--user")[0] == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("editions", "chosen"),
    [
        ([], "Code"),
        (["Code"], "Code"),
        (["Code - Insiders"], "Code - Insiders"),
        (["Code", "Code - Insiders"], "Code"),
    ],
)
@pytest.mark.parametrize("platform", VSCODE_SETTINGS)
def test_a_new_server_goes_to_insiders_only_where_vs_code_itself_is_not_installed(
    command, vscode_folder, platform, editions, chosen
):
    for edition in editions:
        write(vscode_folder(platform, edition) / "profiles/a/mcp.json", {"servers": {}})
    expected = vscode_folder(platform, chosen) / "mcp.json"
    code, out, err = command("install", "vscode", "--user", "--name", "ui", "--", "server")
    assert (code, out.strip()) == (0, str(expected)), err


def test_the_users_file_of_vs_code_comes_before_its_profiles_and_both_before_insiders(command, vscode_folder):
    stable, insiders = (vscode_folder("linux", edition) for edition in ("Code", "Code - Insiders"))
    paths = [stable / "mcp.json", stable / "profiles/a/mcp.json", insiders / "mcp.json"]
    for path in reversed(paths):
        write(path, {"servers": {"git": GIT}})
        _, out, _ = command("install", "vscode", "--wrap", "git", "--dry-run")
        assert str(path) in out
    code, _, err = command("install", "vscode", "--wrap", "other")
    assert code == 2
    assert all(str(path) in err.replace("\n", "") for path in paths)


def test_doctor_says_which_profile_of_vs_code_lists_a_server_through_the_wrapper(command, vscode_folder):
    path = vscode_folder("linux", "Code - Insiders") / "profiles/a/mcp.json"
    write(path, {"servers": {"git": {**GIT, "command": sys.executable}}})
    command("install", "vscode", "--wrap", "git")
    checks = json.loads(command("doctor", "--llm", "none", "--json")[1])["checks"]
    (told,) = (each["message"] for each in checks if each["part"] == "host VS Code")
    assert f"{path} lists 1 server, git through mcp-gen-ui" in told


def test_a_server_that_no_file_lists_is_an_error_with_all_files_and_names(command):
    write(".mcp.json", {"mcpServers": {"one": GIT}})
    write(HOME / ".claude.json", {"mcpServers": {"two": GIT}})
    code, _, err = command("install", "claude-code", "--wrap", "zzz")
    assert code == 2
    assert "no MCP server named 'zzz' in" in err
    assert all(each in err for each in (".mcp.json", ".claude.json", "there are: one, two"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a program, a script and folders, and a search path that every host has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.defpath)
    for name in ("server.py", "bin/server", "data/x.db", "node", "@scope/pkg/package.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "mcp-server-git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("argv", "absolute"),
    [
        (["python", "server.py"], ["python", "{}/server.py"]),
        (["python", "./server.py", "--flag"], ["python", "{}/server.py", "--flag"]),
        (["./bin/server", "x"], ["{}/bin/server", "x"]),
        (["bin/server"], ["{}/bin/server"]),
        (["node", "node"], ["node", "{}/node"]),
        (["uvx", "mcp-server-git"], ["uvx", "mcp-server-git"]),
        (["npx", "-y", "@scope/pkg", "data"], ["npx", "-y", "@scope/pkg", "data"]),
        (["npx", "-y", "fs", ".", "./data"], ["npx", "-y", "fs", "{}", "{}/data"]),
        (
            ["sqlite", "--db", "data/x.db", "--file=data/x.db"],
            ["sqlite", "--db", "{}/data/x.db", "--file=data/x.db"],
        ),
        (["python", "missing.py", "-"], ["python", "missing.py", "-"]),
        (["/usr/bin/python", "/server.py"], ["/usr/bin/python", "/server.py"]),
    ],
)
def test_relative_paths_become_absolute_and_nothing_else(folder, argv, absolute):
    expected = tuple(each.format(folder) for each in absolute)
    assert with_absolute_paths(UpstreamOptions(argv=tuple(argv))).argv == expected


class OnWindows(PureWindowsPath):
    """A stand-in for `os.path` on Windows, with this working directory and these files."""

    FILES = frozenset((r"C:\work\server.py", r"C:\work\bin\server.exe", r"D:\x.db"))

    @classmethod
    def cwd(cls):
        return cls(r"C:\work")

    def absolute(self):
        return self.cwd() / self

    def expanduser(self):
        return self

    def is_file(self):
        return str(self.absolute()) in self.FILES

    def exists(self):
        return any(each.startswith(str(self.absolute())) for each in self.FILES)

    is_dir = exists


@pytest.mark.parametrize(
    ("argv", "absolute", "cwd"),
    [
        (("python", "server.py"), ("python", r"C:\work\server.py"), r"C:\work"),
        (("python", r".\server.py"), ("python", r"C:\work\server.py"), r"C:\work"),
        ((r"bin\server.exe", "x"), (r"C:\work\bin\server.exe", "x"), None),
        (("npx.cmd", "-y", "@scope/pkg", "./bin"), ("npx.cmd", "-y", "@scope/pkg", r"C:\work\bin"), None),
        (("python", r"C:\work\server.py"), ("python", r"C:\work\server.py"), None),
        (("sqlite", r"D:\x.db"), ("sqlite", r"D:\x.db"), None),
        (("npm.cmd", "start"), ("npm.cmd", "start"), r"C:\work"),
    ],
)
def test_relative_paths_of_windows_become_absolute_there(monkeypatch, argv, absolute, cwd):
    monkeypatch.setattr(entries, "Path", OnWindows)
    monkeypatch.setattr(entries, "os", SimpleNamespace(name="nt", sep="\\", pathsep=";", defpath="."))
    options = with_absolute_paths(UpstreamOptions(argv=argv))
    assert (options.argv, options.cwd, options.env) == (absolute, cwd, ())
    text = with_absolute_paths(UpstreamOptions(shlex.join(argv)))
    assert (words_of(text.upstream, on_windows=True), text.cwd) == (absolute, cwd)


def test_a_wrapped_entry_of_windows_is_recognised(command):
    program = r"C:\Users\Ada\.local\bin\mcp-gen-ui.exe"
    entry = {"command": program, "args": ["--", "npx.cmd", "-y", "server"]}
    before = write(".mcp.json", {"mcpServers": {"git": entry}})
    assert command("install", "claude-code", "--wrap", "git", "--undo")[0] == 0
    assert json.loads(Path(".mcp.json").read_bytes())["mcpServers"]["git"] == {
        "command": "npx.cmd",
        "args": ["-y", "server"],
    }
    assert before != Path(".mcp.json").read_bytes()


@pytest.mark.parametrize(
    ("argv", "is_from_here"),
    [
        ("python server.py", True),
        ("npx tsx ./server.py", True),
        ("uv run anything", True),
        ("npm start", True),
        ("python -m data.server", True),
        ("python -m server", True),
        ("python -m installed", False),
        ("npx -y fs ./data", False),
        ("uvx mcp-server-git", False),
        ("python /server.py", False),
        ("", False),
    ],
)
def test_a_server_of_the_working_directory_is_started_in_it(folder, argv, is_from_here):
    expected = str(folder) if is_from_here else None
    assert with_absolute_paths(UpstreamOptions(argv=tuple(argv.split()))).cwd == expected
    assert with_absolute_paths(UpstreamOptions(argv or None)).cwd == expected


def test_the_other_flags_with_paths_become_absolute_too(folder):
    options = with_absolute_paths(UpstreamOptions("python 'server.py'", env_file="env"))
    assert (options.upstream, options.env_file) == (f"python {folder}/server.py", f"{folder}/env")
    for typed in ("https://example.org/mcp", "uvx 'mcp-server-git'"):
        assert with_absolute_paths(UpstreamOptions(typed)) == UpstreamOptions(typed)


@pytest.mark.parametrize(
    "words", [["--upstream", "un 'closed"], ["--upstream", "a", "--", "b"], ["--upstream", ""]]
)
def test_words_that_no_host_could_start_are_not_installed(command, words):
    code, out, err = command("install", "mcp-json", *words)
    assert (code, out) == (2, "")
    assert "--upstream" in err


def test_with_a_folder_of_its_own_a_command_stays_relative_to_it(folder):
    options = with_absolute_paths(UpstreamOptions(argv=("python", "server.py"), cwd="data"))
    assert (options.argv, options.cwd) == (("python", "server.py"), f"{folder}/data")


@pytest.mark.skipif(sys.platform == "win32", reason="hosts have the user's search path")
def test_a_program_that_only_the_search_path_of_this_shell_has_becomes_absolute(folder, monkeypatch):
    (folder / "bin" / "server").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}/bin{os.pathsep}{os.defpath}")
    program = f"{folder}/bin/server"
    assert with_absolute_paths(UpstreamOptions(argv=("server", "x"))).argv == (program, "x")
    assert with_absolute_paths(UpstreamOptions(argv=("server", "x"), cwd="data")).argv == (program, "x")
    assert with_absolute_paths(UpstreamOptions("server x")).upstream == f"{program} x"
    assert with_absolute_paths(UpstreamOptions("server x", cwd="data")).upstream == f"{program} x"
    assert with_absolute_paths(UpstreamOptions(argv=("sh", "server"))).argv == ("sh", "server")


@pytest.mark.skipif(sys.platform == "win32", reason="hosts have the user's search path")
def test_a_script_that_only_this_shell_finds_gets_the_search_path_for_its_interpreter(folder, monkeypatch):
    tool = folder / "bin" / "server"
    tool.write_text("#!/usr/bin/env interpreter\n")
    tool.chmod(0o755)
    (folder / "bin" / "interpreter").symlink_to("/bin/echo")
    monkeypatch.setenv("PATH", f"{folder}/bin{os.pathsep}{os.defpath}")
    options = with_absolute_paths(UpstreamOptions(argv=("server", "x"), env=("A=1",)))
    assert options.env == (f"PATH={folder}/bin{os.pathsep}{os.defpath}", "A=1")
    started = subprocess.run(
        options.argv, env=dict(each.split("=", 1) for each in options.env), capture_output=True, check=True
    )
    assert started.stdout.decode().split() == [str(tool), "x"]
    assert with_absolute_paths(UpstreamOptions("server x")).env == options.env[:1]
    assert with_absolute_paths(UpstreamOptions(argv=(str(tool),))).env == ()


def test_an_installed_command_and_its_settings_are_absolute(command, monkeypatch):
    monkeypatch.setenv("PATH", os.defpath)
    Path("server.py").touch()
    Path("mine.json").write_text("{}")
    _, out, _ = command("install", "mcp-json", "--config", "mine.json", "--", "python", "server.py")
    args = json.loads(out)["mcpServers"]["mcp-gen-ui"]["args"]
    here = Path.cwd()
    assert args[-7:-5] == ["--config", f"{here}/mine.json"]
    assert args[-5:] == ["--cwd", f"{here}", "--", "python", f"{here}/server.py"]
