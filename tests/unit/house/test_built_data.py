"""The view kit in the package is what its sources make now."""

import shutil
from collections.abc import Callable

MustPass = Callable[..., None]


def test_the_built_view_kit_is_fresh(must_pass: MustPass) -> None:
    must_pass(shutil.which("node") or "node", "view/build.mjs", "--check")
