"""Files with environment variables (`--env-file`)."""

import pytest

from genui_cli.cli_error import CliError
from genui_cli.configuration.files import read_env_file


def test_a_line_sets_a_variable(tmp_path):
    path = tmp_path / "env"
    path.write_text(
        '\ufeff# a comment\n\nA=b\nexport B = two words # why\nC=\'#"$D\'\nD=""\nE=\nF=a#b\nA=again\n',
        encoding="utf-8",
    )
    assert read_env_file(str(path)) == {
        "A": "again",
        "B": "two words",
        "C": '#"$D',
        "D": "",
        "E": "",
        "F": "a#b",
    }


@pytest.mark.parametrize("line", ["A", "=b", "1A=b", "A b=c", "A=\0"])
def test_a_line_that_sets_none_is_named(tmp_path, line):
    path = tmp_path / "env"
    path.write_text(f"OK=1\n{line}\n")
    with pytest.raises(CliError, match="line 2 sets no variable"):
        read_env_file(str(path))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "bad").write_bytes(b"\xff")
    with pytest.raises(CliError, match="UTF-8"):
        read_env_file(str(tmp_path / "bad"))
    with pytest.raises(CliError, match="nowhere"):
        read_env_file(str(tmp_path / "nowhere"))
