"""Problems that are also in a benchmark: as the same text, or nearly."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from selfhint.data.overlap.near import Compared, containment, is_near

SAME_TEXT, NEAR = "the same text", "nearly the same text"
MAX_SHARED = 100
"""A shingle of more benchmark problems than this (how many of) finds none of them."""
MIN_HITS = 3
"""Rarer shingles in common that make a benchmark problem worth comparing."""
MAX_COMPARED = 32


@dataclass(frozen=True, slots=True)
class Overlap:
    """One problem found in a benchmark.

    Args:
        benchmark: name of its file.
        where: the row in it, such as "line 7".
        kind: `SAME_TEXT` or `NEAR`.
        containment: share of the shorter text's word 3-grams that the other one has too.
    """

    benchmark: str
    where: str
    kind: str
    containment: float


class BenchmarkIndex:
    """Benchmark problems to look others up in. In memory: some 5 kB a problem.

    Attributes:
        sizes: benchmark → its problems.
    """

    def __init__(self) -> None:
        self.sizes: Counter[str] = Counter()
        self._problems: list[tuple[str, str, Compared]] = []
        self._by_text: dict[str, int] = {}
        self._by_shingle: defaultdict[int, list[int]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._problems)

    def add(self, benchmark: str, where: str, problem: str, answer: str | None) -> None:
        """Takes in one benchmark problem; `answer` is None where the file has none."""
        number = len(self._problems)
        compared = Compared.of(problem, answer)
        self._problems.append((benchmark, where, compared))
        self.sizes[benchmark] += 1
        self._by_text.setdefault(compared.reading.text, number)
        for shingle in compared.reading.shingles:
            self._by_shingle[shingle].append(number)

    def find(self, problem: Compared) -> Overlap | None:
        """The benchmark problem that a problem is, or else the nearest of those that it nearly is."""
        if not self._problems:
            return None
        same = self._by_text.get(problem.reading.text)
        if same is not None:
            return self._overlap(same, SAME_TEXT, 1.0)
        candidates = ((i, self._problems[i][2]) for i in self._candidates(problem))
        near = [(containment(problem.reading, other.reading), i) for i, other in candidates if is_near(problem, other)]
        if not near:
            return None
        share, number = max(near, key=lambda found: (found[0], -found[1]))
        return self._overlap(number, NEAR, share)

    def _candidates(self, problem: Compared) -> list[int]:
        lists = [self._by_shingle.get(shingle, ()) for shingle in problem.reading.shingles]
        hits = Counter(number for numbers in lists if len(numbers) <= MAX_SHARED for number in numbers)
        found = [(-count, number) for number, count in hits.items() if count >= MIN_HITS]
        return [number for _, number in sorted(found)[:MAX_COMPARED]]

    def _overlap(self, number: int, kind: str, share: float) -> Overlap:
        benchmark, where, _ = self._problems[number]
        return Overlap(benchmark, where, kind, round(share, 4))
