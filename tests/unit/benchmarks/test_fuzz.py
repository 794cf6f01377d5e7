"""The fuzz targets and their files of property tests."""

from fuzz import TARGETS, property_tests


def test_every_file_that_is_counted_under_a_target_holds_properties():
    assert TARGETS.keys() <= {path.stem for path in property_tests()}
