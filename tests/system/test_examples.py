"""The examples behave as their pages say."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from .made_views import MadeViews, command, tool


def test_the_attached_server_brings_its_uis_with_no_proxy(open_host, repository):
    host = open_host(sys.executable, repository / "examples" / "attached-server" / "library_server.py")
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    view = host.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"]})["result"]["contents"][
        0
    ]
    assert "Find books" in view["text"]
    call = host.request("tools/call", {"name": "find_books", "arguments": {"text": "eliot"}})["result"]
    assert call["structuredContent"]["result"][0]["title"] == "Middlemarch"


def test_a_proxy_in_front_of_it_leaves_its_uis_alone(open_host, proxy, repository):
    server = (sys.executable, repository / "examples" / "attached-server" / "library_server.py")
    direct, through = open_host(*server), open_host(*proxy, *server)
    direct.connect()
    through.connect()
    own = direct.request("tools/list")["result"]["tools"]
    assert through.request("tools/list")["result"]["tools"][0] == own[0]
    uri = own[0]["_meta"]["ui"]["resourceUri"]
    assert (
        through.request("resources/read", {"uri": uri})["result"]
        == direct.request("resources/read", {"uri": uri})["result"]
    )


@pytest.fixture(scope="module")
def shop(start_host, repository):
    """The database server behind the proxy."""
    server = repository / "examples" / "database-server" / "database_server.py"
    host = start_host(sys.executable, "-P", "-m", "genui_cli", "--", sys.executable, server)
    host.connect()
    return MadeViews(host)


def refusal(result):
    assert result["isError"]
    return result["content"][0]["text"]


def test_every_tool_of_the_database_has_a_view(shop):
    tools = {each["name"]: each for each in shop.host.request("tools/list")["result"]["tools"]}
    for name in ("list_tables", "describe_table", "query", "save_product", "delete_product"):
        assert "_meta" in tools[name]
        assert shop.page(name).startswith("<!DOCTYPE html>")
    assert tools["delete_product"]["annotations"]["destructiveHint"]


def test_the_database_answers_real_questions(shop):
    tables = shop.call("list_tables")["structuredContent"]["result"]
    assert [(each["table"], each["rows"]) for each in tables] == [
        ("customers", 4),
        ("orders", 9),
        ("products", 8),
    ]
    columns = shop.call("describe_table", table="orders")["structuredContent"]["result"]
    assert {each["name"]: each["refers_to"] for each in columns}["product_id"] == "products.id"
    found = shop.call("query", sql="SELECT name FROM products WHERE stock > 20 ORDER BY name", limit=2)
    assert found["structuredContent"] == {
        "rows": [{"name": "Hide glue, 500 g"}, {"name": "Linseed oil, 1 l"}],
        "more": True,
    }


def test_the_query_of_its_page_is_one_that_it_answers(shop, repository):
    page = (repository / "examples" / "database-server" / "README.md").read_text(encoding="utf-8")
    sql = page.partition("```sql\n")[2].partition("```")[0]
    rows = shop.call("query", sql=sql)["structuredContent"]["rows"]
    assert rows[0] == {"name": "Chiara Rossi", "spent_eur": pytest.approx(341.4)}


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELEC name FROM products", "syntax error"),
        ("SELECT 1; DELETE FROM orders", "one statement"),
        ("UPDATE products SET stock = 0", "only reads"),
        ("ATTACH 'file:%s?mode=rwc' AS other", "only reads"),
        ("VACUUM INTO '%s'", "only reads"),
        ("PRAGMA query_only = 0", "only reads"),
    ],
)
def test_a_statement_that_is_no_query_is_refused_in_one_sentence(shop, tmp_path, sql, said):
    target = tmp_path / "made.db"
    text = refusal(shop.call("query", sql=sql.replace("%s", str(target))))
    assert said in text
    assert "\n" not in text
    assert not target.exists()


def test_a_written_row_stays_and_a_row_in_use_is_not_deleted(shop):
    glue = {"name": "Fish glue", "category": "glues", "price_eur": 17.5}
    added = shop.call("save_product", **glue)["structuredContent"]
    changed = shop.call("save_product", **glue, stock=3)["structuredContent"]
    assert (changed["id"], changed["stock"]) == (added["id"], 3)
    assert shop.call("delete_product", product_id=added["id"])["structuredContent"] == changed
    assert "There is no product" in refusal(shop.call("delete_product", product_id=added["id"]))
    assert "refers to it" in refusal(shop.call("delete_product", product_id=7))


def install_packages(folder, *packages):
    """Make a folder with these packages as an installer leaves them, without fetching or building."""
    for package in packages:
        about = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
        for module in about["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
            shutil.copy(package / module, folder)
        project = about["project"]
        info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        groups = (
            f"[{group}]\n" + "".join(f"{name} = {path}\n" for name, path in entries.items())
            for group, entries in project["entry-points"].items()
        )
        (info / "entry_points.txt").write_text("\n".join(groups))
    return folder


def test_the_provider_and_the_store_of_the_example_packages_write_and_store_a_view(
    open_host, repository, tmp_path, environment
):
    examples = repository / "examples"
    beside = install_packages(tmp_path, examples / "custom-provider", examples / "custom-store")
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(beside), environment.get("PYTHONPATH"))))
    answer = Path(__file__).parent / "recordings" / "fragments" / "plain.txt"
    model = shlex.join([sys.executable, "-c", f"print(open({str(answer)!r}).read())"])
    cache = {"type": "sqlite", "directory": str(tmp_path / "kept")}

    def opened():
        words = command(tmp_path, [tool("rows")], "--llm", f"program:{model}", cache=cache)
        made = MadeViews(open_host(*words, env=environment))
        made.host.connect()
        made.host.request("tools/list")
        return made

    first = opened()
    assert "drawn as plain" in first.page("rows")
    assert first.host.close() == 0
    second = opened()
    assert "drawn as plain" in second.page("rows")
    assert second.inspected("rows")["cached"]
    assert second.events("hit")
    assert not second.events("generation_started")


@pytest.mark.parametrize("name", ["custom-provider", "custom-store"])
def test_the_tests_of_an_example_run_as_its_page_says(repository, name):
    page = (repository / "examples" / name / "README.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if " test examples/" in line]
    script, *arguments = shlex.split(line)[1:]
    assert (repository / script).is_file()
    assert arguments == ["test", f"examples/{name}"]
    # What `dev.py test` starts once everything is set up; the set-up itself needs a network.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *arguments[1:]],
        cwd=repository,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
