"""Rows that repeat an earlier one: as the same text, as another spelling of it, or with another answer."""

from __future__ import annotations

from hashlib import blake2b

from selfhint.core.problem import Problem, comparable
from selfhint.data.audit.findings import Findings
from selfhint.data.overlap.near import Compared
from selfhint.data.rows import Place


class Repeats:
    """Remembers what it has seen, some 300 bytes a row.

    Args:
        findings: where repetitions go.
    """

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._texts: dict[bytes, tuple[bytes, Place]] = {}
        self._kept: dict[bytes, Place] = {}
        self._readings: dict[bytes, tuple[bytes, Place]] = {}

    def add(self, place: Place, problem: Problem, compared: Compared, *, is_usable: bool) -> bool:
        """Takes in one row.

        Args:
            compared: of the problem's text and answer.
            is_usable: loading keeps it unless it repeats another.

        Returns:
            Whether loading keeps it.
        """
        question, answer = _digest(comparable(problem.question)), _digest(comparable(problem.answer))
        earlier, first = self._texts.setdefault(question, (answer, place))
        if earlier != answer:
            self._findings.add("two_answers", place, f"see {first}")
            return False
        if not is_usable:
            return False
        first = self._kept.setdefault(question, place)
        if first != place:
            self._findings.add("duplicate", place, f"see {first}")
            return False
        form = _digest(compared.answer or "")
        earlier, first = self._readings.setdefault(_digest(compared.reading.text), (form, place))
        if first != place:
            name = "reads_same" if earlier == form else "reads_same_other_answer"
            self._findings.add(name, place, f"see {first}")
        return True


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
