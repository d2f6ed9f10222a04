"""The problems that `prepare` still considers: their texts on disk, a few numbers for each in memory."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from selfhint.core.problem import GivenTexts, Problem
from selfhint.core.prompt import Prompt
from selfhint.data.overlap.near import Compared


@dataclass(frozen=True, slots=True)
class Entry:
    """A problem as it goes through `prepare`.

    Args:
        where: its row, such as "line 7"; with the file where there are several.
        key: as in `Problem`.
        prompt: the data's own chat messages; None where the problem's text is asked.
        labels: texts that are handed on (`Layout.labels`).
    """

    where: str
    key: str
    problem: str
    solution: str | None
    answer: str
    prompt: Prompt | None
    hints: GivenTexts
    labels: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, where: str, problem: Problem, *, own_prompt: bool, labels: Mapping[str, str] | None = None) -> Entry:
        """From a problem as it was loaded."""
        prompt = problem.prompt if own_prompt else None
        texts = (problem.key, problem.question, problem.solution, problem.answer)
        return cls(where, *texts, prompt, problem.hints, labels or {})

    @property
    def compared(self) -> Compared:
        """As it is compared with others."""
        return Compared.of(self.problem, self.answer)

    def asked(self, make_prompt: Callable[[str], Prompt]) -> Problem:
        """As a problem again."""
        prompt = make_prompt(self.problem) if self.prompt is None else self.prompt
        return Problem(self.problem, self.solution, self.answer, prompt=prompt, hints=self.hints)

    def content(self) -> dict[str, Any]:
        """What the row holds, as JSON has it; where it stood is left out."""
        own = {} if self.prompt is None else {"prompt": self.prompt}
        hints = {"hints": {f"level_{level}": list(texts) for level, texts in self.hints.items()}} if self.hints else {}
        texts = {"key": self.key, "problem": self.problem, "solution": self.solution, "answer": self.answer}
        return texts | own | hints | ({"labels": dict(self.labels)} if self.labels else {})


_TAB = b"\t"  # JSON has none that is not escaped


def hash64(content: bytes) -> int:
    """64 bits of BLAKE2b; the same on every machine."""
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")


ESCAPED = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029, *range(0xD800, 0xE000))}
"""What JSON spells out: what some readers take for the end of a line, and halves of surrogate pairs."""


def encoded(row: Mapping[str, Any]) -> bytes:
    """A line of JSON Lines that every reader takes for one line."""
    return json.dumps(row, ensure_ascii=False).translate(ESCAPED).encode() + b"\n"


class Spool:
    """Entries, numbered from 0 in the order added. Use as a context manager.

    Args:
        path: a file that may be overwritten.

    Attributes:
        texts: hash of each problem's text as `Reading` sees it.
        ranks: hash of each entry's content: an order in which the data's own does not show.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offsets = array("Q")
        self.texts = array("Q")
        self.ranks = array("Q")
        self._size = 0

    def __enter__(self) -> Self:
        self._file = open(self._path, "w+b")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._offsets)

    def add(self, entry: Entry, compared: Compared) -> None:
        """Takes in the next entry."""
        content = encoded(entry.content())
        self._offsets.append(self._size)
        self._size += self._file.write(json.dumps(entry.where).encode() + _TAB + content)
        self.texts.append(hash64(compared.reading.text.encode("utf-8", "surrogatepass")))
        self.ranks.append(hash64(content))

    def __getitem__(self, number: int) -> Entry:
        """The entry of a number."""
        self._file.seek(self._offsets[number])
        return _entry(self._file.readline())

    def __iter__(self) -> Iterator[Entry]:
        """All of them, in order."""
        self._file.seek(0)
        for line in self._file:
            yield _entry(line)


def _entry(line: bytes) -> Entry:
    where, _, content = line.partition(_TAB)
    row = json.loads(content)
    hints = {int(name.removeprefix("level_")): tuple(texts) for name, texts in row.get("hints", {}).items()}
    return Entry(
        json.loads(where),
        row["key"],
        row["problem"],
        row["solution"],
        row["answer"],
        row.get("prompt"),
        hints,
        row.get("labels", {}),
    )
