"""A server of the package `fastmcp` whose tools bring their UIs: the last three lines before it runs."""

from fastmcp import FastMCP
from fastmcp.tools import Tool

from genui_adapters.host import attach
from genui_core import Wrapper

server = FastMCP("library")


@server.tool(title="Find books")
def find_books(text: str) -> dict[str, list[str]]:
    """List the books whose title contains a text."""
    books = ("Middlemarch", "Things Fall Apart")
    return {"titles": [book for book in books if text.lower() in book.lower()]}


@server.tool
def learn(name: str) -> str:
    """Add a tool."""
    server.add_tool(Tool.from_function(lambda: name, name=name))
    return f"learned {name}"


attach(Wrapper(), server)

if __name__ == "__main__":
    server.run(show_banner=False)
