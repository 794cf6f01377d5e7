"""A server of your own whose tools bring their UIs: the last three lines before it runs."""

from mcp.server import MCPServer

from genui_adapters.host import attach
from genui_core import Wrapper

server = MCPServer("library")

BOOKS = [
    {"title": "The Left Hand of Darkness", "author": "Ursula K. Le Guin", "year": 1969, "available": True},
    {"title": "Middlemarch", "author": "George Eliot", "year": 1871, "available": False},
    {"title": "Things Fall Apart", "author": "Chinua Achebe", "year": 1958, "available": True},
]


@server.tool(title="Find books")
def find_books(text: str = "", *, only_available: bool = False) -> list[dict[str, str | int | bool]]:
    """List the books whose title or author contains a text."""
    wanted = text.lower()
    found = [book for book in BOOKS if wanted in f"{book['title']} {book['author']}".lower()]
    return [book for book in found if book["available"] or not only_available]


attach(Wrapper(), server)

if __name__ == "__main__":
    server.run()
