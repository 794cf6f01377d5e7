"""A bundle passes the official tools, and its server starts as its manifest says."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

CLI = "@anthropic-ai/mcpb@2.1.2"


def uv():
    """The path of uv; skips the test if it is not installed."""
    beside = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return beside or pytest.skip("uv is not installed")


@pytest.fixture(scope="module")
def official(tmp_path_factory):
    """The official command line for bundles; skips the test if it cannot be installed."""
    folder = tmp_path_factory.mktemp("mcpb")
    try:
        install = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", CLI]
        subprocess.run(install, cwd=folder, check=True, stdin=subprocess.DEVNULL, timeout=120)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{CLI} cannot be installed: {error}")
    return folder / "node_modules" / ".bin" / "mcpb"


def started(manifest, folder):
    """Return a bundle's command and variables, as a host fills them in if a person sets nothing."""
    values = {
        f"user_config.{key}": each["default"]
        for key, each in manifest["user_config"].items()
        if "default" in each
    }
    values["__dirname"] = str(folder)

    def filled(text):
        return re.sub(r"\$\{([^}]+)\}", lambda found: values.get(found[1], found[0]), text)

    start = manifest["server"]["mcp_config"]
    command = [start["command"], *map(filled, start["args"])]
    return command, {key: filled(value) for key, value in start["env"].items()}


@pytest.fixture
def bundled(repository, tmp_path):
    """A folder with a bundle of the weather server."""
    shutil.copy(repository / "examples" / "weather-server" / "weather_server.py", tmp_path)
    ours = [sys.executable, "-P", "-m", "genui_cli", "bundle", "--name", "weather"]
    subprocess.run([*ours, "--", "python", "weather_server.py"], cwd=tmp_path, check=True)
    return tmp_path


def test_the_official_tools_accept_a_bundle_and_its_server_lists_its_tools(official, bundled, open_host):
    assert (bundled / "weather.mcpb").stat().st_size <= 5_000_000
    folder = bundled / "unpacked"
    for words in (("unpack", "weather.mcpb", folder), ("validate", folder)):
        subprocess.run([official, *words], cwd=bundled, check=True, stdin=subprocess.DEVNULL)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["user_config"]["anthropic_api_key"]["sensitive"]
    # The packages of the tests, since installing them again takes a quarter of a minute.
    see_its_tools(open_host, manifest, folder, {"UV_NO_SYNC": "1", "UV_PROJECT_ENVIRONMENT": sys.prefix})


@pytest.mark.matrix(quick=0)
def test_the_server_of_a_bundle_installs_all_it_needs_when_it_starts_first(bundled, open_host, capsys):
    folder = bundled / "unpacked"
    with zipfile.ZipFile(bundled / "weather.mcpb") as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    begun = time.monotonic()
    see_its_tools(open_host, manifest, folder, {"UV_CACHE_DIR": str(bundled / "cache")})
    assert (folder / ".venv" / "pyvenv.cfg").is_file()
    with capsys.disabled():
        sys.stdout.write(f"\nbundle: installed, started and ended in {time.monotonic() - begun:.1f} s\n")


def see_its_tools(open_host, manifest, folder, more):
    """Start the server of an unpacked bundle as its manifest says, with more variables, and list its tools."""
    command, variables = started(manifest, folder)
    assert command[0] == "uv"
    ours = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    host = open_host(uv(), *command[1:], env={**ours, **variables, **more})
    host.connect()
    names = {each["name"] for each in host.request("tools/list")["result"]["tools"]}
    assert names >= {"get_current_weather", "get_forecast", "set_units"}
    assert host.close() == 0
