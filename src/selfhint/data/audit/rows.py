"""One row after the other: every check that an audit makes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from selfhint.core.errors import InputError
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.data.audit.answers import AnswerTools, check_answers
from selfhint.data.audit.findings import Findings
from selfhint.data.audit.lengths import Measure
from selfhint.data.audit.parts import several_parts
from selfhint.data.audit.pictures import PROBLEM_CHECKS, in_solution
from selfhint.data.audit.repeats import Repeats
from selfhint.data.audit.text import TEXT_CHECKS
from selfhint.data.overlap.benchmark_index import SAME_TEXT, BenchmarkIndex
from selfhint.data.overlap.near import Compared
from selfhint.data.row_problem import LeaveOutError, RowReader
from selfhint.data.rows import Place, Row


@dataclass(frozen=True, slots=True)
class AuditTools:
    """What an audit cannot do itself.

    Args:
        make_prompt: problem text → what the solver is asked.
        answers: the verifier.
        measures: lengths in tokens; empty without a tokenizer.
    """

    make_prompt: Callable[[str], Prompt]
    answers: AnswerTools
    measures: Sequence[Measure] = ()


@dataclass(slots=True)
class RowAudit:
    """Looks at rows, some at a time.

    Args:
        reader: reads them, with or without solutions.
        need_solution: the run writes hints.
        findings: where what is found goes.
        benchmarks: what must not be in the data; None: nothing.

    Attributes:
        num: rows so far, damaged ones among them.
        num_kept: rows that a run trains on.
        counts: tokens of the rows that a run trains on, or leaves out for their length, by the name of the measure.
        overlapping: benchmarks with which a row overlaps.
    """

    reader: RowReader
    need_solution: bool
    tools: AuditTools
    findings: Findings
    benchmarks: BenchmarkIndex | None
    num: int = 0
    num_kept: int = 0
    counts: dict[str, array[int]] = field(init=False)
    overlapping: set[str] = field(default_factory=set)
    _repeats: Repeats = field(init=False)

    def __post_init__(self) -> None:
        self.counts = {measure.what: array("l") for measure in self.tools.measures}
        self._repeats = Repeats(self.findings)

    def damaged(self, place: Place, fault: str) -> None:
        """One row that could not be read."""
        self.num += 1
        self.findings.add("damaged", place, fault)

    def look(self, rows: Sequence[Row]) -> None:
        """Some rows, in order."""
        self.num += len(rows)
        problems = []
        for row in rows:
            problem = self._problem(row)
            if problem is None:
                continue
            problems.append((row.place, problem))
            self._look_at_text(row.place, problem)
            has_solution = self._has_solution(row)
            tokens, fits = self._measure(row.place, problem)
            is_kept = self._look_at_others(row.place, problem, is_usable=has_solution and fits)
            self.num_kept += is_kept
            if is_kept or (has_solution and not fits):
                for what, num in tokens.items():
                    self.counts[what].append(num)
        check_answers(problems, self.tools.answers, self.findings)

    def _problem(self, row: Row) -> Problem | None:
        """The row's problem, with or without a solution."""
        try:
            return self.reader.problem(row)
        except LeaveOutError as error:
            self.findings.add("left_out", row.place, what=error.reason)
        except InputError as error:
            self.findings.add("malformed_hints", row.place, str(error))
        return None

    def _has_solution(self, row: Row) -> bool:
        if self.need_solution:
            try:
                replace(self.reader, need_solution=True).problem(row)
            except LeaveOutError as error:
                self.findings.add("no_solution", row.place, what=error.reason)
                return False
        return True

    def _look_at_text(self, place: Place, problem: Problem) -> None:
        for name, check in TEXT_CHECKS.items():
            seen = next(_seen(problem, check), None)
            if seen is not None:
                self.findings.add(name, place, seen)
        for name, check in {**PROBLEM_CHECKS, "several_parts": several_parts}.items():
            shown = check(problem.question)
            if shown is not None:
                self.findings.add(name, place, shown)
        picture = in_solution(problem.solution or "")
        if picture is not None:
            self.findings.add("picture_in_solution", place, picture)

    def _look_at_others(self, place: Place, problem: Problem, *, is_usable: bool) -> bool:
        """Compares with the rows before and the benchmarks; whether loading keeps the row."""
        compared = Compared.of(problem.question, problem.answer)
        overlap = None if self.benchmarks is None else self.benchmarks.find(compared)
        if overlap is not None:
            self.overlapping.add(overlap.benchmark)
            where = f"{overlap.benchmark}, {overlap.where}"
            if overlap.kind == SAME_TEXT:
                self.findings.add("benchmark_same", place, where)
            else:
                share = f"{100 * overlap.containment:.0f} % of the shorter one's word triples"
                self.findings.add("benchmark_near", place, f"{where}: {share}")
        return self._repeats.add(place, problem, compared, is_usable=is_usable)

    def _measure(self, place: Place, problem: Problem) -> tuple[dict[str, int], bool]:
        """Tokens by the name of the measure, and whether the prompt may be used."""
        counts: dict[str, int] = {}
        fits = True
        try:
            for measure in self.tools.measures:
                tokens = measure.count(problem)
                if tokens is None:
                    continue
                counts[measure.what] = tokens
                if measure.budget is not None and tokens > measure.budget:
                    self.findings.add(measure.over, place, f"{tokens:,} tokens")
                    fits = fits and measure.over != "prompt_over_budget"
        except InputError as error:
            self.findings.add("prompt_unreadable", place, str(error))
            return {}, False
        return counts, fits


def _seen(problem: Problem, check: Callable[[str], str | None]) -> Iterator[str]:
    """What a check sees, field by field."""
    for name, text in (("problem", problem.question), ("solution", problem.solution), ("answer", problem.answer)):
        seen = None if text is None else check(text)
        if seen is not None:
            yield f"{name}: {seen}"
