from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.framing.lines import LineBuffer


@given(st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"a\n", b"\n\nb"])))
def test_lines_come_out_whole_whatever_the_chunks(chunks):
    buffer = LineBuffer()
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    whole = b"".join(chunks)
    assert b"".join(lines) + buffer.take() == whole
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert len(lines) == whole.count(b"\n")
    assert buffer.size == 0


def test_size_counts_the_unfinished_line():
    buffer = LineBuffer()
    buffer.feed(b"abc")
    buffer.feed(b"de")
    assert (buffer.size, buffer.peek(4), buffer.peek(9)) == (5, b"abcd", b"abcde")
