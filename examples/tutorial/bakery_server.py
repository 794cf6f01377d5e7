"""A bakery's books: a plain MCP server with one tool."""

from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel

server = MCPServer("bakery", log_level="WARNING")


class Bread(BaseModel):
    """One kind of bread on one day."""

    day: str
    bread: str
    baked: int
    sold: int


BOOKS = [
    Bread(day=f"2026-05-{day:02}", bread=bread, baked=baked, sold=min(baked, baked - 9 + day * step % 13))
    for day in range(18, 23)
    for bread, baked, step in (("rye", 40, 3), ("spelt", 24, 5), ("white", 60, 7))
]


@server.tool(title="Bread sold", annotations=ToolAnnotations(read_only_hint=True))
def bread_sold(bread: str | None = None) -> list[Bread]:
    """List what was baked and sold in the past week, for all kinds of bread or for one."""
    return [row for row in BOOKS if bread in (None, row.bread)]


if __name__ == "__main__":
    server.run()
