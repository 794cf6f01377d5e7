"""Make the package's description and links from the project's address, when a package is built.

A package registry shows the README without the repository around it, so its relative links need an address. The
address stands once, as `tool.mcp-gen-ui.address` in `pyproject.toml`. While it is empty, the description has no links
into the repository and no images.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

IMAGE = re.compile(r"!\[[^\]]*\]\((?P<target>[^)\s]+)\)\n*")
LINK = re.compile(r"(?P<mark>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")


class DescribeForRegistry(MetadataHookInterface):
    """Add `readme` and `urls` to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that depend on the project's address."""
        root = Path(self.root)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        address = settings["tool"]["mcp-gen-ui"]["address"]
        readme = (root / "README.md").read_text(encoding="utf-8")
        text = description(readme, address, metadata["version"])
        if address:
            name = json.loads((root / "server.json").read_text(encoding="utf-8"))["name"]
            text += f"\n<!-- mcp-name: {name} -->\n"
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = links(address, metadata["version"])


def description(readme: str, address: str, version: str) -> str:
    """Return the README with absolute links, or without links into the repository if there is no address."""
    if not address:
        readme = IMAGE.sub(lambda image: image[0] if is_absolute(image["target"]) else "", readme)

    def absolute(link: re.Match[str]) -> str:
        target = link["target"]
        if is_absolute(target):
            return link[0]
        if not address:
            return link["text"]
        kind = "raw" if link["mark"] else "blob"
        return f"{link['mark']}[{link['text']}]({address}/{kind}/v{version}/{target})"

    return LINK.sub(absolute, readme)


def links(address: str, version: str) -> dict[str, str]:
    """Return the links that a registry shows beside the description."""
    if not address:
        return {}
    return {
        "Repository": address,
        "Documentation": f"{address}/blob/v{version}/docs/README.md",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def is_absolute(target: str) -> bool:
    """Tell whether a link leads somewhere without the repository around it."""
    return target.startswith(("https://", "http://", "#"))
