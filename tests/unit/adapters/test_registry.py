"""Adapters are found by name: built-in, of an installed package, or by import path (requirement L4)."""

import subprocess
import sys
import venv

import pytest

from genui_adapters.llm.choice import PROVIDERS, split_name
from genui_adapters.registry import BrokenAdapter, UnknownAdapter
from genui_adapters.view_store.factories import STORES
from genui_core.application.services import SilentEventLog
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.llm_settings import BUILT_IN_PROVIDERS, LlmSettings

MODULE = """
class Provider:
    name = "acme"

    def __init__(self, llm, environment, event_log):
        self.model = llm.model
        self.key = environment.get("ACME_KEY")


def store(cache, environment, event_log):
    return cache.max_entries

number = 1
"""
ENTRY_POINTS = """
[mcp_gen_ui.llm_providers]
acme = acme_views:Provider
broken = no_such_module_here:Provider
anthropic = acme_views:Provider

[mcp_gen_ui.view_stores]
acme = acme_views:store
"""


def install(folder):
    """Put a third-party package into a folder, as an installer does."""
    (folder / "acme_views.py").write_text(MODULE)
    about = folder / "acme_views-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-views\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)


@pytest.fixture
def outside(tmp_path, monkeypatch):
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("acme_views", None)


def test_a_provider_of_an_installed_package_is_found_by_its_name(outside):
    provider = PROVIDERS.find("acme")(LlmSettings(model="m"), {"ACME_KEY": "k"}, SilentEventLog())
    assert (provider.name, provider.model, provider.key) == ("acme", "m", "k")


def test_a_store_of_an_installed_package_is_found_by_its_name(outside):
    assert STORES.find("acme")(CacheSettings(max_entries=7), {}, SilentEventLog()) == 7


def test_any_class_is_found_by_its_path(outside):
    assert PROVIDERS.find("acme_views:Provider").__name__ == "Provider"


@pytest.mark.parametrize("registry", [PROVIDERS, STORES], ids=lambda registry: registry.kind)
def test_each_built_in_name_is_that_of_a_function(registry):
    for name in registry.built_in:
        assert registry.find(name).__name__ == name


def test_a_package_cannot_take_over_a_built_in_name(outside):
    assert PROVIDERS.find("anthropic").__module__ == "genui_adapters.llm.choice"


def test_an_unknown_name_is_an_error_that_lists_all_names(outside):
    with pytest.raises(UnknownAdapter) as caught:
        PROVIDERS.find("antropic")
    text = str(caught.value)
    assert "Did you mean 'anthropic'?" in text
    assert text.endswith(f"There are: auto, none, {', '.join(BUILT_IN_PROVIDERS)}, acme, broken.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", "No module named 'no_such_module_here'"),
        ("acme_views:Nothing", "has no attribute 'Nothing'"),
        ("acme_views:number", "no class and no function"),
        ("acme_views:", "cannot be loaded"),
        (":", "cannot be loaded"),
    ],
)
def test_an_adapter_that_cannot_be_loaded_is_an_error(outside, name, said):
    with pytest.raises(BrokenAdapter, match=said):
        PROVIDERS.find(name)


def test_packages_are_searched_only_for_names_that_are_not_built_in():
    code = (
        "import sys; from genui_adapters.llm.choice import PROVIDERS;"
        "PROVIDERS.find('anthropic'); PROVIDERS.find('genui_adapters.llm.choice:openai');"
        "sys.exit('importlib.metadata' in sys.modules or 'anthropic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_package_in_an_environment_of_its_own_is_found(tmp_path):
    """The test runs the interpreter of a new environment, with the package in its site-packages folder."""
    folder = tmp_path / "fresh"
    venv.create(folder, symlinks=sys.platform != "win32")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    ours = subprocess.run([sys.executable, "-c", where], capture_output=True, text=True, check=True)
    theirs = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True)
    site = tmp_path / theirs.stdout.strip()
    install(site)
    (site / "ours.pth").write_text(f"{ours.stdout.strip()}\n" + "\n".join(p for p in sys.path if p))
    code = "from genui_adapters.llm.choice import PROVIDERS; print(PROVIDERS.find('acme').__name__)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Provider"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("anthropic", ("anthropic", None)),
        ("anthropic:claude-x", ("anthropic", "claude-x")),
        ("ollama:qwen3:8b", ("ollama", "qwen3:8b")),
        ("replay:C:\\recordings", ("replay", "C:\\recordings")),
        ("openai:", ("openai", None)),
        ("acme.views:Provider", ("acme.views:Provider", None)),
        ("acme.views", ("acme.views", None)),
        ("acme.views:Provider:m:1", ("acme.views:Provider", "m:1")),
    ],
)
def test_the_name_of_a_provider_ends_at_the_first_colon(text, parts):
    assert split_name(text) == parts
