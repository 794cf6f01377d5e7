"""Private files of this user, if something else stands in their place."""

from pathlib import Path

import pytest

from genui_adapters.view_store.private_files import read_plain

DESCRIPTORS = Path("/proc/self/fd")


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="nothing tells there what is open")
@pytest.mark.parametrize("is_own", [False, True])
def test_a_folder_in_the_place_of_a_file_leaves_nothing_open(tmp_path, is_own):
    before = len([*DESCRIPTORS.iterdir()])
    for _ in range(5):
        with pytest.raises(OSError, match="directory"):
            read_plain(tmp_path, 100, is_own=is_own)
    assert len([*DESCRIPTORS.iterdir()]) == before
