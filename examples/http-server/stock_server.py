"""A plain MCP server over HTTP, with one tool and no user interface."""

import sys

from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel

server = MCPServer("stock", log_level="WARNING")


class Article(BaseModel):
    """An article in one of the racks."""

    article: str
    rack: str
    pieces: int
    price_eur: float


STOCK = [
    Article(article="Bolts M6", rack="A1", pieces=1200, price_eur=0.08),
    Article(article="Nuts M6", rack="A2", pieces=90, price_eur=0.05),
    Article(article="Wood glue", rack="C4", pieces=14, price_eur=6.9),
]


@server.tool(title="Stock", annotations=ToolAnnotations(read_only_hint=True))
def list_stock(at_most: int | None = None) -> list[Article]:
    """List the articles, all or those of which at most so many pieces are left."""
    return [each for each in STOCK if at_most is None or each.pieces <= at_most]


if __name__ == "__main__":
    server.run("streamable-http", port=int(sys.argv[1]))
