"""The table of `live.py`: the values of each run beside their limits."""

import json
import statistics

from attrs import define, field


@define
class Bar:
    """One line of the table: a measured quantity and its limit."""

    what: str
    most: float
    unit: str
    values: list[float] = field(factory=list)

    @property
    def verdict(self) -> str:
        """Whether all values, or at least their median, keep the limit."""
        if max(self.values) <= self.most:
            return "met"
        return "median only" if statistics.median(self.values) <= self.most else "MISSED"


class Bars:
    """The lines of the table, in the order of their first values."""

    def __init__(self) -> None:
        """Start without lines."""
        self.lines: dict[str, Bar] = {}

    def add(self, what: str, value: float, most: float, unit: str = "ms") -> None:
        """Add a measured value to a line."""
        self.lines.setdefault(what, Bar(what, most, unit)).values.append(value)

    def holds(self, what: str, *, fact: bool) -> None:
        """Count a fact that has to hold in every run."""
        self.add(what, 0 if fact else 1, 0, "failed")

    def print(self) -> None:
        """Print the table."""
        print(f"{'':<66}{'bar':>12}{'median':>10}{'worst':>10}{'runs':>6}  ")
        for each in self.lines.values():
            bar, median = f"{each.most:g} {each.unit}", statistics.median(each.values)
            print(f"{each.what:<66}{bar:>12}{median:>10.0f}{max(each.values):>10.0f}{len(each.values):>6}  {each.verdict}")  # fmt: skip

    def as_json(self) -> str:
        """Return the lines with all values."""
        lines = (
            {"what": each.what, "most": each.most, "unit": each.unit, "values": each.values, "verdict": each.verdict}
            for each in self.lines.values()
        )  # fmt: skip
        return json.dumps([*lines], indent=1)
