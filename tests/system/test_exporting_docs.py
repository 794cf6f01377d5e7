"""The examples in docs/exporting.md run as written there, on an exported folder."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SERVER = """
from mcp.server import MCPServer

server = MCPServer("library")


@server.tool(title="Find books")
def find_books(text: str) -> list[str]:
    '''List the books whose title contains a text.'''
    return [text]


server.run()
"""
RUN = "\n\nserver.run()\n"


@pytest.fixture(scope="module")
def text():
    return (Path(__file__).parents[2] / "docs" / "exporting.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the export that the examples use."""
    folder = tmp_path_factory.mktemp("exporting")
    (folder / "server.py").write_text(SERVER)
    words = [sys.executable, "-P", "-m", "genui_cli", "export", "--llm", "none", "-o", "views"]
    subprocess.run([*words, "--", sys.executable, "server.py"], cwd=folder, check=True, capture_output=True)
    return folder


def examples(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def read_view(host):
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    uri = tool["_meta"]["ui"]["resourceUri"]
    (contents,) = host.request("resources/read", {"uri": uri})["result"]["contents"]
    call = host.request("tools/call", {"name": "find_books", "arguments": {"text": "Middle"}})["result"]
    assert "Middlemarch" in str(call["content"])
    assert contents["mimeType"] == "text/html;profile=mcp-app"
    return contents["text"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_python_server_serves_what_was_exported(text, folder, open_host, number):
    program = folder / f"example_{number}.py"
    program.write_text(examples(text, "python")[number] + RUN, encoding="utf-8")
    page = read_view(open_host(sys.executable, program, cwd=folder))
    exported = next((folder / "views").glob("find_books-*.html")).read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert (page == exported) == (number == 1)


def test_a_typescript_server_serves_what_was_exported(text, folder, open_host, repository):
    modules = repository / "tests" / "browser" / "host" / "node_modules"
    node = shutil.which("node")
    if node is None or not modules.is_dir():
        pytest.skip("Node.js, or what the example imports, is not installed")
    (folder / "node_modules").symlink_to(modules.resolve(), target_is_directory=True)
    (example,) = examples(text, "typescript")
    (folder / "example.mjs").write_text(example, encoding="utf-8")
    page = read_view(open_host(node, "example.mjs", cwd=folder))
    assert page == next((folder / "views").glob("find_books-*.html")).read_text(encoding="utf-8")


def test_a_result_gets_its_page(text, folder):
    program = examples(text, "python")[2] + (
        "\nfrom mcp_types import CallToolResult\n"
        "item = CallToolResult.model_validate(augmented).model_dump(mode='json', by_alias=True)['content'][1]\n"
        "print(item['resource']['uri'], item['resource']['_meta'], len(result['content']))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert re.match(r"ui://find_books/\d+ .*ui-initial-render-data.*Middlemarch.* 1\n", ended.stdout)
    assert ended.stderr == ""


def test_the_typescript_server_is_written_as_the_page_says(text, folder):
    section = text.partition("## As a TypeScript server")[2].partition("\n## ")[0]
    command, use = examples(section, "sh")
    words = command.replace("my_server.py", "server.py").split()
    assert words[:2] == ["mcp-gen-ui", "export"]
    ours = [sys.executable, "-P", "-m", "genui_cli", "--llm", "none", *words[1:]]
    subprocess.run(
        [sys.executable if each == "python" else each for each in ours],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    files = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    assert "src/views.ts" in files
    assert [each for each in files if not (folder / "app" / each).exists()] == []
    scripts = json.loads((folder / "app" / "package.json").read_text())["scripts"]
    assert re.findall(r"npm (?:run )?(\w+)", use) == ["install", *scripts]
    (view,) = json.loads((folder / "app" / "views.json").read_text())
    assert {*view} <= {*re.findall(r"`(\w+)`", section)}


def test_no_example_is_left_out(text):
    assert len(examples(text, "python")) == 3


def test_every_option_of_the_page_is_one_of_a_command(text):
    said = ""
    for words in ([], ["export"]):
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "genui_cli", *words, "--help"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        said += ended.stdout
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)):
        assert option in said
