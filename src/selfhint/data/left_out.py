"""Rows that do not make it into a result: each is written down, counted, and the first of each reason are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from selfhint.data.load import NUM_EXAMPLES
from selfhint.data.prepare.spool import encoded


@dataclass(slots=True)
class Counted:
    """Rows left out for one reason: how many, and where the first few stand."""

    count: int = 0
    examples: list[str] = field(default_factory=list)


def told(reason: str, count: int, examples: Sequence[str]) -> str:
    """One reason for a terminal."""
    return f"{count} {reason} ({'; '.join(examples)}{'; …' if count > len(examples) else ''})"


class LeftOutLog:
    """Writes a line for each row left out.

    Args:
        file: JSON Lines of `row`, `reason` and, where they are known, `of` (the row that is the cause), `key`, and what
            was measured: `containment`, `tokens`.

    Attributes:
        reasons: counts by reason, in the order met. The reason ends the sentence "rows …".
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.reasons: dict[str, Counted] = {}

    @property
    def total(self) -> int:
        """Rows left out for any reason."""
        return sum(counted.count for counted in self.reasons.values())

    def add(
        self,
        where: str,
        reason: str,
        of: str | None = None,
        *,
        key: str | None = None,
        measured: Mapping[str, float] | None = None,
    ) -> None:
        """One row."""
        counted = self.reasons.setdefault(reason, Counted())
        counted.count += 1
        if len(counted.examples) < NUM_EXAMPLES:
            counted.examples.append(where if of is None else f"{where} ({of})")
        known = {name: value for name, value in (("of", of), ("key", key)) if value is not None}
        self._file.write(encoded({"row": where, "reason": reason, **known, **(measured or {})}))
