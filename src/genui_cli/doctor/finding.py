"""What became of one check."""

from attrs import frozen

from genui_cli.cli_error import CliError


@frozen
class Finding:
    """What became of one check.

    Attributes:
        part: What was tried.
        works: Whether it does.
        told: What there is to say.
        hint: What to do about it; a part that does not work has one.
        last_words: The last lines that the upstream wrote before it failed.
    """

    part: str
    works: bool
    told: str
    hint: str | None = None
    last_words: tuple[str, ...] = ()

    @classmethod
    def failed(cls, part: str, cli_error: CliError) -> "Finding":
        """Return what a check found that ended with an error."""
        return cls(
            part, works=False, told=str(cli_error), hint=cli_error.hint, last_words=cli_error.last_words
        )

    def as_data(self) -> dict[str, object]:
        """Return it as JSON."""
        data = {"part": self.part, "ok": self.works, "message": self.told, "hint": self.hint}
        return {**data, "lastWords": [*self.last_words]} if self.last_words else data
