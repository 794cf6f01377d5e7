"""Texts that can be written anywhere."""


def whole_text(text: str) -> str:
    """Return a text with U+FFFD for each half of a character that stands alone: UTF-8 has no way to write those."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
