"""The reference of rules says what the rules say."""

import importlib.util


def test_it_is_up_to_date(repository):
    specification = importlib.util.spec_from_file_location(
        "rules_reference", repository / "docs" / "rules_reference.py"
    )
    reference = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(reference)
    written = reference.PAGE.read_text(encoding="utf-8")
    assert written == reference.rules_page(), "run: python docs/rules_reference.py"
