"""A data file becomes problems: checked row by row, nothing left out in silence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType

from selfhint.core.errors import InputError
from selfhint.core.problem import GivenTexts, Problem, comparable, given_texts
from selfhint.core.prompt import Prompt
from selfhint.data.rows import Row, Table, Unusable, Value, read_table

NUM_EXAMPLES = 5
"""Row numbers kept for each reason."""

ONLY_THE_ANSWER = "whose solution is only the answer"
LONG_PROMPT = "with a prompt over the token budget"
DUPLICATE = "merged as duplicates"


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns in the file. `hints` holds hint texts by level (`core.problem.given_texts`); None: none."""

    problem: str = "problem"
    solution: str = "solution"
    answer: str = "answer"
    hints: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows left out for one reason: how many, and the numbers of the first few."""

    count: int
    examples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoadedData:
    """The problems of a file and what became of its other rows.

    Args:
        path: the file.
        problems: distinct by key, in file order; never empty.
        num_rows: rows in the file. The problems and the rows left out add up to it.
        left_out: reason → rows. The reason ends the sentence "rows …".
        unit: what row numbers count: line or row, from 1.
        num_without_hints: problems whose hints column is empty; None without such a column.
    """

    path: Path
    problems: tuple[Problem, ...]
    num_rows: int
    left_out: Mapping[str, LeftOut]
    unit: str
    num_without_hints: int | None = None

    def report(self) -> str:
        """One paragraph for a terminal."""
        kept = f"{self.path}: {_counted(len(self.problems), 'problem')} from {_counted(self.num_rows, 'row')}"
        parts = [kept]
        if self.left_out:
            parts.append(f"Left out: {_describe(self.left_out, self.unit)}")
        if self.num_without_hints:
            parts.append(f"Without hints: {_counted(self.num_without_hints, 'problem')}")
        return ". ".join(parts) + "."


def load_problems(
    path: str | Path,
    columns: Columns,
    *,
    make_prompt: Callable[[str], Prompt],
    need_solution: bool,
    max_prompt_tokens: int | None = None,
    count_tokens: Callable[[Prompt], int] | None = None,
) -> LoadedData:
    """Reads problems from a JSONL or Parquet file.

    Texts stay as they are in the file; numbers become their literal text. Rows without a problem or an answer, rows
    whose prompt is too long and repeated problems are left out and counted. A solution is never replaced by the answer:
    where hints need one, a row without it is left out too, and so is one whose solution is only the answer.

    Args:
        path: `.jsonl` or `.parquet`.
        columns: names of the columns.
        make_prompt: problem text → what the solver is asked.
        need_solution: the run writes hints. Otherwise rows without a solution are kept.
        max_prompt_tokens: longest prompt, in tokens.
        count_tokens: length of a prompt in tokens; required with `max_prompt_tokens`.

    Raises:
        InputError: the file cannot be read, a column is missing, one problem has two answers, most solutions are only
            the answer although they are needed, hints are of another form, or no row is left.
        ValueError: `max_prompt_tokens` without `count_tokens`.
    """
    path = Path(path)
    fits = _budget(max_prompt_tokens, count_tokens)
    texts = {columns.problem, columns.solution, columns.answer}
    table = read_table(path, texts, () if columns.hints is None else (columns.hints,))
    if not table.rows:
        raise InputError(f"{path}: no rows; check that the file was written or copied completely")
    _check_columns(path, table, columns, need_solution)
    intake = _Intake(path, table.unit, columns, need_solution, make_prompt, fits)
    for row in table.rows:
        intake.add(row)
    left_out = {
        reason: LeftOut(len(numbers), tuple(numbers[:NUM_EXAMPLES])) for reason, numbers in intake.left_out.items()
    }
    _check_solutions(path, table, columns, left_out, num_with_solution=intake.num_with_solution)
    if not intake.problems:
        raise InputError(
            f"{path}: none of {_counted(len(table.rows), 'row')} can be used: {_describe(left_out, table.unit)}"
        )
    problems = tuple(intake.problems.values())
    num_without = None if columns.hints is None else sum(not problem.hints for problem in problems)
    return LoadedData(path, problems, len(table.rows), MappingProxyType(left_out), table.unit, num_without)


def _budget(limit: int | None, count_tokens: Callable[[Prompt], int] | None) -> Callable[[Prompt], bool]:
    if limit is None:
        return lambda prompt: True
    if count_tokens is None:
        raise ValueError("max_prompt_tokens needs count_tokens")
    return lambda prompt: count_tokens(prompt) <= limit


# Rows


class _LeaveOutError(Exception):
    """The row cannot be used; the run goes on without it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Intake:
    """Takes in one row after the other."""

    path: Path
    unit: str
    columns: Columns
    need_solution: bool
    make_prompt: Callable[[str], Prompt]
    fits: Callable[[Prompt], bool]
    problems: dict[tuple[str, str], Problem] = field(default_factory=dict)
    left_out: dict[str, list[int]] = field(default_factory=dict)
    num_with_solution: int = 0
    answers: dict[str, tuple[str, int]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        try:
            self._add(row)
        except _LeaveOutError as leave_out:
            self.left_out.setdefault(leave_out.reason, []).append(row.number)

    def _add(self, row: Row) -> None:
        question = _text(row.values[self.columns.problem], "problem")
        answer = _text(row.values[self.columns.answer], "answer")
        identity = comparable(question), comparable(answer)
        self._check_single_answer(*identity, row.number)
        solution = self._solution(row, answer)
        if identity in self.problems:
            raise _LeaveOutError(DUPLICATE)
        problem = Problem(question, solution, answer, prompt=self.make_prompt(question), hints=self._hints(row))
        if not self.fits(problem.prompt):
            raise _LeaveOutError(LONG_PROMPT)
        self.problems[identity] = problem

    def _check_single_answer(self, question: str, answer: str, number: int) -> None:
        earlier, earlier_number = self.answers.setdefault(question, (answer, number))
        if earlier != answer:
            raise InputError(
                f"{self.path}: {self.unit}s {earlier_number} and {number} give one problem two answers, "
                f"{_shown(earlier)} and {_shown(answer)}; correct or remove one of them"
            )

    def _hints(self, row: Row) -> GivenTexts:
        if self.columns.hints is None:
            return {}
        try:
            return given_texts(row.nested.get(self.columns.hints))
        except ValueError as error:
            raise InputError(
                f"{self.path}, {self.unit} {row.number}, column {self.columns.hints!r}: the hints are {error}"
            ) from None

    def _solution(self, row: Row, answer: str) -> str | None:
        value = row.values[self.columns.solution]
        if not self.need_solution:
            return value if isinstance(value, str) and value.strip() else None
        solution = _text(value, "solution")
        self.num_with_solution += 1
        if _is_only_the_answer(solution, answer):
            raise _LeaveOutError(ONLY_THE_ANSWER)
        return solution


def _text(value: Value, role: str) -> str:
    if isinstance(value, Unusable):
        raise _LeaveOutError(f"whose {role} {value.reason}")
    if value is None or not value.strip():
        raise _LeaveOutError(f"without {role}")
    return value


MOST_WRAPPING = 60
"""Characters that may stand around a gold answer."""
_WRAPPING = re.compile(r"####|\\boxed|\\[()\[\]]|\b(?:the )?(?:final )?answer(?: is)?\b|[\s${}.:=]", re.IGNORECASE)


def _is_only_the_answer(solution: str, answer: str) -> bool:
    return len(solution) <= len(answer) + MOST_WRAPPING and _bare(solution) == _bare(answer)


def _bare(text: str) -> str:
    """A text without what data sets put around a gold answer: a box, dollar signs, `#### `, "The answer is"."""
    return _WRAPPING.sub("", comparable(text)).casefold()


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _counted(num: int, noun: str) -> str:
    return f"{num} {noun}" if num == 1 else f"{num} {noun}s"


def _describe(left_out: Mapping[str, LeftOut], unit: str) -> str:
    parts = []
    for reason, rows in left_out.items():
        numbers = ", ".join(map(str, rows.examples))
        more = ", …" if rows.count > len(rows.examples) else ""
        parts.append(f"{rows.count} {reason} ({unit}{'s' if rows.count > 1 else ''} {numbers}{more})")
    return "; ".join(parts)


# Columns

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "problem": ("question", "prompt", "query", "instruction", "input"),
    "solution": ("rationale", "reasoning", "explanation", "worked_solution", "generated_solution", "cot"),
    "answer": ("final_answer", "expected_answer", "gold", "ground_truth", "target", "label"),
    "hints": ("hint", "scaffold"),
}
"""What public data sets call the columns, likeliest first."""


def _names(columns: Iterable[str]) -> str:
    return ", ".join(map(repr, columns))


def _check_columns(path: Path, table: Table, columns: Columns, need_solution: bool) -> None:
    names = {role: name for role, name in asdict(columns).items() if name is not None}
    required = [role for role in names if role != "solution" or need_solution]
    missing = [role for role in required if names[role] not in table.columns]
    if not missing:
        return
    free = [name for name in table.columns if name not in names.values()]
    likely: dict[str, str] = {}
    for role in missing:
        likely[role] = _likely_column(role, names[role], [name for name in free if name not in likely.values()])
    mends = " ".join(f"columns.{role}={name}" for role, name in likely.items())
    without = ", or method=grpo, which needs no solution" if missing == ["solution"] else ""
    raise InputError(
        f"{path}: no column {_names(names[role] for role in missing)} "
        f"(found: {_names(table.columns)}); set {mends}{without}"
    )


def _likely_column(role: str, name: str, free: list[str]) -> str:
    """The found column that probably plays the role, else the word NAME for the user to replace."""
    by_lower = {column.lower(): column for column in free}
    for other in (role, *OTHER_NAMES[role]):
        if other in by_lower:
            return by_lower[other]
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.8)
    return by_lower[close[0]] if close else "NAME"


def _check_solutions(
    path: Path, table: Table, columns: Columns, left_out: Mapping[str, LeftOut], *, num_with_solution: int
) -> None:
    """In data made for a gold-only reward the column `solution` often holds the gold answer."""
    only_answer = left_out.get(ONLY_THE_ANSWER)
    if only_answer is not None and 2 * only_answer.count > num_with_solution:
        raise InputError(
            f"{path}: column {columns.solution!r} holds only the answer in {only_answer.count} of {num_with_solution} "
            f"rows (first in {table.unit} {only_answer.examples[0]}), and hints need the worked text; set "
            f"columns.solution to its column (found: {_names(table.columns)}), or method=grpo to train without hints"
        )
