"""Files that only this user writes, where somebody has put something else in their place."""

from pathlib import Path

import pytest

from genui_adapters.bundle import read_plain
from genui_adapters.view_store.private_files import Suspicious, read_private

DESCRIPTORS = Path("/proc/self/fd")


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="nothing tells there what is open")
@pytest.mark.parametrize("read", [read_private, read_plain])
def test_a_folder_in_the_place_of_a_file_leaves_nothing_open(tmp_path, read):
    before = len([*DESCRIPTORS.iterdir()])
    for _ in range(5):
        with pytest.raises((OSError, Suspicious)):
            read(tmp_path, 100)
    assert len([*DESCRIPTORS.iterdir()]) == before
