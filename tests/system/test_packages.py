"""The wheel and the sdist are complete, clean, reproducible, and enough to install and run the demo."""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import tomllib
import zipfile
from collections.abc import Iterator
from email.message import Message
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest

from .fresh_environment import must

PACKAGES = {"genui_core", "genui_adapters", "genui_cli"}
SDIST_ROOT = {
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "PKG-INFO",
    "README.md",
    "examples",
    "hatch_build.py",
    "pyproject.toml",
    "server.json",
    "src",
}
ADDRESS = "https://github.com/example/mcp-gen-ui"


def build(tree: Path, folder: Path) -> tuple[Path, Path]:
    """Build both packages with the locked build backend; return the wheel and the sdist."""
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def copy_of(repository: Path, folder: Path) -> Path:
    """Copy the sources of the packages with new timestamps, as in another clone."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("src", "examples"):
        shutil.copytree(repository / name, folder / name, ignore=ignored, copy_function=shutil.copyfile)
    for name in SDIST_ROOT - {"src", "examples", "PKG-INFO"}:
        shutil.copyfile(repository / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def packages(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist of this tree."""
    return build(repository, tmp_path_factory.mktemp("dist"))


@pytest.fixture
def metadata(packages: tuple[Path, Path]) -> Message:
    """The metadata of the wheel."""
    return metadata_of(packages[0])


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def test_two_builds_in_two_folders_give_the_same_bytes(
    packages: tuple[Path, Path], repository: Path, tmp_path: Path
) -> None:
    tree = copy_of(repository, tmp_path / "elsewhere")
    for path in tree.rglob("*"):
        os.utime(path, (1, 2_000_000_000))
        path.chmod(0o700 if path.is_dir() else 0o600)
    again = build(tree, tmp_path / "dist")
    assert [each.name for each in again] == [each.name for each in packages]
    assert [each.read_bytes() for each in again] == [each.read_bytes() for each in packages]


def test_the_sdist_builds_the_same_wheel(packages: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, sdist = packages
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    assert build(tree, tmp_path / "dist")[0].read_bytes() == wheel.read_bytes()


def test_the_sdist_has_what_a_build_needs_and_no_tests(packages: tuple[Path, Path]) -> None:
    with tarfile.open(packages[1]) as archive:
        names = [each.partition("/")[2] for each in archive.getnames()]
    assert {each.partition("/")[0] for each in names} == SDIST_ROOT
    parts = {part for each in names for part in each.split("/")}
    assert not parts & {"tests", "node_modules", "__pycache__", ".venv"}
    assert [each for each in names if each.rpartition("/")[2].startswith(("test_", "conftest"))] == []


def test_each_package_says_that_it_is_typed(packages: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(packages[0]) as archive:
        typed = {each.partition("/")[0] for each in archive.namelist() if each.endswith("/py.typed")}
    assert typed == PACKAGES


def test_twine_and_check_wheel_contents_find_nothing(packages: tuple[Path, Path], repository: Path) -> None:
    must(sys.executable, "-m", "twine", "check", "--strict", *packages)
    must(sys.executable, "-m", "check_wheel_contents", "--config", repository / "pyproject.toml", packages[0])


def test_the_documentation_says_how_large_the_wheel_is(packages: tuple[Path, Path], repository: Path) -> None:
    page = (repository / "docs/installing.md").read_text(encoding="utf-8")
    (documented,) = re.findall(r"\| wheel \| ([\d.]+) MB \|", page)
    assert packages[0].stat().st_size / 1e6 == pytest.approx(float(documented), rel=0.1)


def test_the_metadata_is_complete(metadata: Message, repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (metadata["Name"], metadata["Version"]) == (project["name"], project["version"])
    assert metadata["Summary"] == project["description"]
    assert (metadata["License-Expression"], metadata["License-File"]) == ("Apache-2.0", "LICENSE")
    assert metadata["Requires-Python"] == ">=3.11"
    classifiers = set(metadata.get_all("Classifier", []))
    assert classifiers == set(project["classifiers"])
    for minor in range(11, 15):
        assert f"Programming Language :: Python :: 3.{minor}" in classifiers
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_description_has_no_links_without_an_address(
    packages: tuple[Path, Path], tmp_path: Path, repository: Path
) -> None:
    tree = copy_of(repository, tmp_path / "tree")
    set_address(tree, "")
    without = metadata_of(build(tree, tmp_path / "dist")[0])
    assert without.get_all("Project-URL", []) == []
    text = str(without.get_payload())
    assert "](docs/" not in text
    assert "![" not in text
    assert "Read on" in text


def test_with_an_address_the_links_of_the_description_are_absolute(repository: Path, tmp_path: Path) -> None:
    tree = copy_of(repository, tmp_path / "tree")
    set_address(tree, ADDRESS)
    wheel, sdist = build(tree, tmp_path / "dist")
    must(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    found = metadata_of(wheel)
    version = found["Version"]
    assert f"Repository, {ADDRESS}" in found.get_all("Project-URL", [])
    text = str(found.get_payload())
    assert f"]({ADDRESS}/raw/v{version}/docs/images/preview.png)" in text
    assert f"]({ADDRESS}/blob/v{version}/docs/tutorial.md)" in text
    assert "](docs/" not in text
    assert "<!-- mcp-name: " in text


def set_address(tree: Path, address: str) -> None:
    """Set the address of a copied project."""
    file = tree / "pyproject.toml"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = [f'address = "{address}"\n' if line.startswith("address = ") else line for line in lines]
    assert any(line.startswith("address = ") for line in lines)
    file.write_text("".join(changed), encoding="utf-8")


class Quiet(SimpleHTTPRequestHandler):
    """A file server whose lists of folders are a package index."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index(packages: tuple[Path, Path], tmp_path: Path) -> Iterator[str]:
    """The address of a package index that has only this wheel."""
    project = tmp_path / "index" / "mcp-gen-ui"
    project.mkdir(parents=True)
    shutil.copyfile(packages[0], project / packages[0].name)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=project.parent)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.matrix(quick=0)
@pytest.mark.parametrize("way", ["pip", "pipx", "uvx"])
def test_a_user_installs_the_package_by_its_name_and_sees_the_demo(
    packages: tuple[Path, Path], index: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    """The wheel comes from a local index, its dependencies from the configured one, and nothing from a cache."""
    version = packages[0].name.split("-")[1]
    begun = time.monotonic()
    install = {"pip": installed_by_pip, "pipx": installed_by_pipx, "uvx": run_by_uv}[way]
    start = install(index, f"mcp-gen-ui=={version}", tmp_path)
    installed_s = time.monotonic() - begun
    assert f"mcp-gen-ui {version}" in must(*start, "version")
    assert "Usage: mcp-gen-ui demo" in must(*start, "demo", "--help")
    demo_s = time.monotonic()
    see_the_demo(start)
    demo_s = time.monotonic() - demo_s
    with capsys.disabled():
        sys.stdout.write(f"\n{way}: installed in {installed_s:.1f} s, demo shown in {demo_s:.1f} s\n")


def installed_by_pip(index: str, requirement: str, folder: Path) -> list[object]:
    """Install into a new environment with pip."""
    must(sys.executable, "-m", "venv", folder / "venv")
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check"]
    report = folder / "report.json"
    more = ("--no-cache-dir", "--report", report, "--extra-index-url", index)
    must_fetch(*pip, "install", "-q", *more, requirement)
    assert index in report.read_text(encoding="utf-8")
    return [programs / "mcp-gen-ui"]


def installed_by_pipx(index: str, requirement: str, folder: Path) -> list[object]:
    """Install with pipx, which uv runs here."""
    places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": folder / "bin", "PIPX_MAN_DIR": folder / "man"}
    settings = [f"{name}={value}" for name, value in places.items()]
    pipx = ["env", *settings, *uv_run(folder), "pipx"]
    arguments = f"--no-cache-dir --extra-index-url {index}"
    must_fetch(
        *pipx,
        "install",
        "--backend",
        "pip",
        "--python",
        sys.executable,
        f"--pip-args={arguments}",
        requirement,
    )
    return [folder / "bin" / "mcp-gen-ui"]


def run_by_uv(index: str, requirement: str, folder: Path) -> list[object]:
    """Run as `uvx mcp-gen-ui` does, with an empty cache."""
    words = [*uv_run(folder), "--index", index, "--from", requirement, "mcp-gen-ui"]
    must_fetch(*words, "--version")
    return words


def uv_run(folder: Path) -> list[object]:
    """Return the words that run a tool by uv, with an empty cache."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        pytest.skip("uv is missing; `python3 dev.py test` installs it")
    return [uv, "tool", "run", "--cache-dir", folder / "cache", "--python", sys.executable]


def must_fetch(*command: object) -> None:
    """Run a command that needs the package index; skip the test if no package can be fetched."""
    try:
        must(*command)
    except AssertionError:
        probe = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-cache-dir",
            "--no-deps",
            "-d",
            os.devnull,
        ]
        with_network = subprocess.run([*probe, "attrs"], capture_output=True, text=True, check=False)
        if "No matching distribution" in with_network.stderr:
            pytest.skip("no package index can be reached")
        raise


def see_the_demo(start: list[object]) -> None:
    """Start the demo, load its page, and end it."""
    words = [str(word) for word in (*start, "demo", "--no-open")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with process, urlopen(process.stdout.readline().partition("#")[0], timeout=60) as page:
        assert b"<script" in page.read()
        process.terminate()
    assert process.returncode in {0, 143}
