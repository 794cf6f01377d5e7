"""What is compiled into the package is what its sources say now."""

import shutil
import sys
from collections.abc import Callable

MustPass = Callable[..., None]


def test_the_compiled_prompts_are_fresh(must_pass: MustPass) -> None:
    must_pass(sys.executable, "prompts/build.py", "--check")


def test_the_built_view_kit_is_fresh(must_pass: MustPass) -> None:
    must_pass(shutil.which("node") or "node", "view/build.mjs", "--check")
