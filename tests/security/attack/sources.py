"""The published packages with the attack strings, pinned by version and hash, and never run.

The ordinary clients of the registries fetch them once into the user's cache folder; no part of them
belongs to this project.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal

import platformdirs
from attrs import frozen

_BUILT_WITH: Final = "setuptools<80\n"
"""Clients build an old source package to read its name, which newer build tools no longer support."""
_CONSTRAINTS: Final = ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")


class NotFetchedError(Exception):
    """A package could not be fetched, or differs from its pinned hash; the text names it."""


@frozen
class Package:
    """A published package.

    Attributes:
        name: The name in its registry.
        version: The pinned version.
        form: The form of the package to fetch.
        sha256: The hash of the fetched file.
    """

    name: str
    version: str
    form: Literal["sdist", "wheel", "npm"]
    sha256: str


JUSTHTML: Final = Package(
    "justhtml", "3.16.0", "sdist", "600c95a6a9b766cffe50688a6335617fbcc33ef47f364317e92d6b8dd7a25ce9"
)
HTML_SANITIZER: Final = Package(
    "html-sanitizer", "2.7.0", "sdist", "ac53fe6d5297b66c736cb24102b77406fc9c58098ce70fdcb23bdbae5ae06ccb"
)
HTML5LIB: Final = Package(
    "html5lib", "1.1", "sdist", "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f"
)
BRS_KB: Final = Package(
    "brs-kb", "4.0.2", "wheel", "a9f3737e9ef00f0a3b791d9d3b849618ec3e3eb98c27436ba174ff626ba5ebd8"
)
BLNS: Final = Package(
    "blns", "2.0.4", "npm", "07defd1e4ac44024cec61c668696afed8353ee01d2fcaeca2a174d5220c24d9d"
)
SANITIZE_HTML: Final = Package(
    "sanitize-html", "1.14.1", "npm", "ac8096b208e6039f3e87cfb6475fce057852c7c34b553233efeb54ecd929cee1"
)
SANITIZE_URL: Final = Package(
    "@braintree/sanitize-url",
    "7.1.2",
    "npm",
    "fd9a220c24c5cdd406433cce1c3db7f09222d8f7977f0fe087aec914e1a63dc0",
)


def cache_folder() -> Path:
    """Return the folder of fetched packages: ``GENUI_ATTACK_CACHE``, or one in the user's cache."""
    named = os.environ.get("GENUI_ATTACK_CACHE")
    return Path(named) if named else platformdirs.user_cache_path("mcp-gen-ui-attack-corpus")


def fetched(package: Package) -> Path:
    """Return the folder of the unpacked package; fetch the package if it is missing.

    Raises:
        NotFetchedError: The registry cannot be reached, or the file differs from the pinned one.
    """
    folder = cache_folder() / f"{package.name.replace('/', '+')}-{package.version}"
    if not folder.is_dir():
        download = folder.with_suffix(".download")
        shutil.rmtree(download, ignore_errors=True)
        download.mkdir(parents=True)
        archive = _downloaded(package, download)
        if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
            raise NotFetchedError(f"{archive.name} is not the file that was pinned")
        unpacked = download / "unpacked"
        _unpack(archive, unpacked)
        unpacked.rename(folder)
        shutil.rmtree(download)
    return folder


def _downloaded(package: Package, into: Path) -> Path:
    if package.form == "npm":
        command = [shutil.which("npm") or "npm", "pack", "--silent", f"{package.name}@{package.version}"]
    else:
        form = ["--no-binary", package.name] if package.form == "sdist" else ["--only-binary", ":all:"]
        wanted = f"{package.name}=={package.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *form, wanted]
    (into / "constraints.txt").write_text(_BUILT_WITH)
    environment = os.environ | dict.fromkeys(_CONSTRAINTS, "constraints.txt")
    try:
        done = subprocess.run(
            command, cwd=into, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotFetchedError(f"{package.name}: {error}") from error
    archives = [each for each in into.iterdir() if each.suffix in {".gz", ".tgz", ".whl", ".zip"}]
    if len(archives) != 1:
        raise NotFetchedError(f"{package.name} {package.version}: {done.stderr.strip()[-200:]}")
    return archives[0]


def _unpack(archive: Path, into: Path) -> None:
    if archive.suffix == ".whl":
        shutil.unpack_archive(archive, into, "zip")
    else:
        shutil.unpack_archive(archive, into, "gztar", filter="data")
