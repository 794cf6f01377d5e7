import pytest

from genui_cli.preview.errors import LineTooLong
from genui_cli.preview.lines import LineSplitter


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_the_same_however_the_chunks_fall(size):
    text = b"one\n\ntwo and more\nthree\nrest"
    splitter = LineSplitter()
    chunks = (text[start : start + size] for start in range(0, len(text), size))
    assert [line for chunk in chunks for line in splitter.feed(chunk)] == [
        b"one",
        b"",
        b"two and more",
        b"three",
    ]


def test_a_line_beyond_the_limit_is_an_error_even_before_it_ends():
    splitter = LineSplitter(longest_bytes=4)
    assert list(splitter.feed(b"1234\n")) == [b"1234"]
    with pytest.raises(LineTooLong, match="more than 4 bytes"):
        list(splitter.feed(b"12345"))
