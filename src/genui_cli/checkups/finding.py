"""What became of one check."""

from attrs import frozen


@frozen
class Finding:
    """What became of one check.

    Attributes:
        part: What was tried.
        works: Whether it does.
        told: What there is to say.
        hint: What to do about it.
    """

    part: str
    works: bool
    told: str
    hint: str | None = None
