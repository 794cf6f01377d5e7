"""A database server for the Model Context Protocol: SQLite, questions in SQL, and two tools that write.

``python database_server.py [FILE]``. Where FILE is missing it is made, with the shop of ``sample.sql``;
without FILE a new shop is opened in a folder that ends with the server.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from collections.abc import Iterator

Cell = str | int | float | None

_SAMPLE: Final = Path(__file__).with_name("sample.sql")
_LONGEST_QUERY_S: Final = 5
_STEPS_BETWEEN_LOOKS: Final = 10_000
_READING: Final = frozenset(
    (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
)


class Column(BaseModel):
    """A column of a table."""

    name: str
    type: str
    required: bool
    key: bool
    refers_to: str | None


class Table(BaseModel):
    """A table, and how much is in it."""

    table: str
    columns: int
    rows: int


class Answer(BaseModel):
    """What a query found."""

    rows: list[dict[str, Cell]]
    more: bool


class Product(BaseModel):
    """What the shop sells."""

    id: int
    name: str
    category: str
    price_eur: float
    stock: int


class Shop:
    """The database file; a connection is opened for each question."""

    def __init__(self, file: Path) -> None:
        self.file = file
        if not file.exists():
            with closing(sqlite3.connect(file)) as made:
                made.executescript(_SAMPLE.read_text(encoding="utf-8"))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection that cannot write into the shop, whatever the SQL says."""
        with self._opened("ro") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one change: it is made as a whole, or not at all."""
        with self._opened("rw") as connection, connection:
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"{self.file.as_uri()}?mode={mode}", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            try:
                yield connection
            except sqlite3.Error as error:
                raise ToolError(_told(error)) from error


def _guard(connection: sqlite3.Connection) -> None:
    """Let a connection do nothing but read: no other file is opened or written, and five seconds are enough."""
    end = time.monotonic() + _LONGEST_QUERY_S
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_LOOKS)
    connection.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY
    )


def _told(error: sqlite3.Error) -> str:
    """Return SQLite's error in words that the caller understands."""
    text = str(error)
    if "authoriz" in text:
        return "This tool only reads. save_product and delete_product write."
    if text == "interrupted":
        return f"The query took longer than {_LONGEST_QUERY_S} seconds and was stopped."
    if "FOREIGN KEY" in text:
        return "Something still refers to it, such as an order; nothing was changed."
    return f"SQLite says: {text}"


_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_SAVES = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_DELETES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def make_server(shop: Shop) -> MCPServer:
    """Return the server of a shop."""
    server = MCPServer(name="database", title="Shop database", version="1.0.0", log_level="WARNING")

    @server.tool(
        title="Tables", description="List the tables and how many rows each has.", annotations=_READS
    )
    def list_tables() -> list[Table]:
        with shop.reading() as connection:
            return [
                Table(
                    table=name,
                    columns=len(connection.execute("SELECT 1 FROM pragma_table_info(?)", (name,)).fetchall()),
                    rows=connection.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()[0],  # noqa: S608
                )
                for name in _tables(connection)
            ]

    @server.tool(title="Columns", description="Describe the columns of a table.", annotations=_READS)
    def describe_table(table: Annotated[str, Field(title="Table", examples=["orders"])]) -> list[Column]:
        with shop.reading() as connection:
            if table not in (known := _tables(connection)):
                raise ToolError(f"There is no table {table!r}. There are: {', '.join(known)}.")
            rows = connection.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,))
            targets = {row["from"]: f"{row['table']}.{row['to']}" for row in rows}
            columns = connection.execute("SELECT * FROM pragma_table_info(?)", (table,))
            return [
                Column(
                    name=row["name"],
                    type=row["type"],
                    required=bool(row["notnull"]),
                    key=bool(row["pk"]),
                    refers_to=targets.get(row["name"]),
                )
                for row in columns
            ]

    @server.tool(title="Query", description="Read with one SELECT statement of SQLite.", annotations=_READS)
    def query(
        sql: Annotated[
            str, Field(title="SQL", max_length=10_000, examples=["SELECT name, stock FROM products"])
        ],
        limit: Annotated[int, Field(title="At most", ge=1, le=1000)] = 100,
    ) -> Answer:
        with shop.reading() as connection:
            _guard(connection)
            rows = connection.execute(sql).fetchmany(limit + 1)
        return Answer(rows=[_readable(row) for row in rows[:limit]], more=len(rows) > limit)

    @server.tool(
        title="Save product", description="Add a product, or change the one of that name.", annotations=_SAVES
    )
    def save_product(
        name: Annotated[str, Field(title="Name", min_length=1, max_length=80)],
        category: Annotated[str, Field(title="Category", examples=["tools", "wood"])],
        price_eur: Annotated[float, Field(title="Price (EUR)", ge=0)],
        stock: Annotated[int, Field(title="In stock", ge=0)] = 0,
    ) -> Product:
        with shop.writing() as connection:
            row = connection.execute(
                "INSERT INTO products (name, category, price_eur, stock) VALUES (?, ?, ?, ?) ON CONFLICT (name)"
                " DO UPDATE SET category = excluded.category, price_eur = excluded.price_eur,"
                " stock = excluded.stock RETURNING *",
                (name, category, price_eur, stock),
            ).fetchone()
        return Product(**dict(row))

    @server.tool(title="Delete product", description="Delete a product for good.", annotations=_DELETES)
    def delete_product(product_id: Annotated[int, Field(title="Product id", ge=1)]) -> Product:
        with shop.writing() as connection:
            row = connection.execute(
                "DELETE FROM products WHERE id = ? RETURNING *", (product_id,)
            ).fetchone()
            if row is None:
                raise ToolError(f"There is no product {product_id}.")
            return Product(**dict(row))

    return server


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    return [row["name"] for row in found]


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _readable(row: sqlite3.Row) -> dict[str, Cell]:
    return {
        name: f"{len(value)} bytes" if isinstance(value, bytes) else value
        for name, value in dict(row).items()
    }


def main(arguments: list[str]) -> None:
    """Serve on standard input and output until the client goes away."""
    with TemporaryDirectory() as folder:
        file = Path(arguments[0]) if arguments else Path(folder, "shop.db")
        make_server(Shop(file.absolute())).run("stdio")


if __name__ == "__main__":
    main(sys.argv[1:])
