"""The sample of recordings is small, complete, and names nothing of the machine that recorded it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from record import MANIFEST, filled, main, names_of_machine, scrubbed
from recordings import SAMPLE, calls_of, folders, tools_of

MOST_BYTES = 1_000_000
SERVERS = json.loads(MANIFEST.read_text(encoding="utf-8"))
SHOW_CORPUS = "import recordings; print(recordings.corpus_used())"


def test_the_sample_has_every_server_of_the_manifest_and_a_licence_for_each():
    assert [each.name for each in folders(SAMPLE)] == sorted(SERVERS)
    licences = (SAMPLE / "README.md").read_text(encoding="utf-8")
    listed = [line.split("|")[1] for line in licences.splitlines() if line.startswith("| ")]
    assert set(SERVERS) <= {name.strip() for each in listed for name in each.split(",")}


@pytest.mark.parametrize("folder", folders(SAMPLE), ids=lambda each: each.name)
def test_a_sample_has_tools_and_answered_calls(folder):
    known = {each.name for each in tools_of(folder)}
    calls = calls_of(folder)
    assert known
    assert len(calls) == len(SERVERS[folder.name]["calls"])
    assert all(each.response.keys() & {"result", "error"} for each in calls)
    assert any(each.tool.name in known and not each.result.get("isError") for each in calls)


def test_the_sample_is_small_and_names_no_machine():
    texts = [each.read_text(encoding="utf-8") for each in SAMPLE.rglob("*.json")]
    assert sum(map(len, texts)) < MOST_BYTES
    assert [name for text in texts for name in names_of_machine(text)] == []


def test_a_recording_is_cleared_of_paths_and_refused_where_one_stays():
    text = json.dumps(filled({"at": "{work}/a.txt"}, {"work": "/srv/recording"}))
    assert scrubbed(text, "/srv/recording") == '{"at": "/srv/sample/a.txt"}'
    with pytest.raises(ValueError, match="names this machine: /home/eve"):
        scrubbed('{"at": "/home/eve/b.txt"}', "/srv/recording")


def test_recording_again_gives_the_tools_of_the_sample(tmp_path):
    main(tmp_path, "bakery")
    recorded = (tmp_path / "bakery" / "tools.json").read_text(encoding="utf-8")
    assert recorded == (SAMPLE / "bakery" / "tools.json").read_text(encoding="utf-8")
    assert len(calls_of(tmp_path / "bakery")) == len(SERVERS["bakery"]["calls"])


@pytest.mark.parametrize("named", [True, False])
def test_the_recordings_that_are_used_are_named(named, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "tools.json").write_text('{"tools": []}', encoding="utf-8")
    corpus = Path(__file__).parent
    clone = tmp_path / "clone" / "tests" / "corpus"
    clone.mkdir(parents=True)
    (clone / "recordings.py").write_bytes((corpus / "recordings.py").read_bytes())
    (clone / "sample").symlink_to(SAMPLE, target_is_directory=True)
    environment = {key: value for key, value in os.environ.items() if key != "MCP_RECORDINGS"}
    environment |= {"PYTHONPATH": str(clone)} | ({"MCP_RECORDINGS": str(tmp_path)} if named else {})
    said = subprocess.run([sys.executable, "-c", SHOW_CORPUS], env=environment, capture_output=True, text=True, check=True)  # fmt: skip
    expected = f"1 servers: {tmp_path}" if named else f"{len(SERVERS)} servers: the sample in the repository"
    assert said.stdout.strip() == f"recordings of {expected}"
