"""Data become problems: checked row by row, nothing left out in silence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from selfhint.core.errors import InputError
from selfhint.core.problem import Problem, comparable
from selfhint.core.prompt import Prompt
from selfhint.data.layouts import Columns, listed, read_ahead, resolve_columns
from selfhint.data.read import column_names, iter_rows, no_rows
from selfhint.data.row_problem import ONLY_THE_ANSWER, LeaveOutError, RowReader
from selfhint.data.rows import Place, Row
from selfhint.data.source import Source, find_source

NUM_EXAMPLES = 5
"""Row numbers kept for each reason."""

LONG_PROMPT = "with a prompt over the token budget"
DUPLICATE = "merged as duplicates"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows left out for one reason: how many, and where the first few stand."""

    count: int
    examples: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class LoadedData:
    """The problems of a source and what became of its other rows.

    Args:
        source: where they come from.
        problems: distinct by key, in order; never empty.
        num_rows: rows in all. The problems and the rows left out add up to it.
        left_out: reason → rows. The reason ends the sentence "rows …".
        note: which columns were recognised, as a sentence without its point; None: those that the user named.
        num_chat: problems that are asked in the data's own chat messages.
        num_without_hints: problems whose hints column is empty; None without such a column.
    """

    source: Source
    problems: tuple[Problem, ...]
    num_rows: int
    left_out: Mapping[str, LeftOut]
    note: str | None = None
    num_chat: int = 0
    num_without_hints: int | None = None

    def report(self) -> str:
        """One paragraph for a terminal."""
        rows = _counted(self.num_rows, "row")
        if len(self.source.files) > 1:
            rows += f" in {len(self.source.files)} files"
        parts = [f"{self.source.name}: {_counted(len(self.problems), 'problem')} from {rows}"]
        if self.source.notice:
            parts.append(self.source.notice)
        if self.note:
            parts.append(self.note)
        if self.num_chat:
            parts.append(f"Asked in their own chat messages: {_counted(self.num_chat, 'problem')}")
        if self.left_out:
            parts.append(f"Left out: {_describe(self.left_out, self.source)}")
        if self.num_without_hints:
            parts.append(f"Without hints: {_counted(self.num_without_hints, 'problem')}")
        return ". ".join(parts) + "."


def load_problems(
    data: str | Path,
    columns: Columns,
    *,
    make_prompt: Callable[[str], Prompt],
    need_solution: bool,
    max_prompt_tokens: int | None = None,
    count_tokens: Callable[[Prompt], int] | None = None,
) -> LoadedData:
    """Reads problems from whatever `find_source` finds.

    Texts stay as they are in the file; numbers become their literal text. Rows without a problem or an answer, rows
    whose prompt is too long and repeated problems are left out and counted. A solution is never replaced by the answer:
    where hints need one, a row without it is left out too, and so is one whose solution is only the answer. Chat
    prompts of the data are asked as they are; without a column of its own the problem is their last user message.

    Args:
        data: see `find_source`.
        columns: names of the columns; those of verl and TRL are recognised where the default ones are absent.
        make_prompt: problem text → what the solver is asked.
        need_solution: the run writes hints. Otherwise rows without a solution are kept.
        max_prompt_tokens: longest prompt, in tokens.
        count_tokens: length of a prompt in tokens; required with `max_prompt_tokens`.

    Raises:
        InputError: the data cannot be read, a column is missing, one problem has two answers, most solutions are only
            the answer although they are needed, hints are of another form, or no row is left.
        ValueError: `max_prompt_tokens` without `count_tokens`.
    """
    fits = _budget(max_prompt_tokens, count_tokens)
    source = find_source(data)
    names = column_names(source, read_ahead(columns))
    if not names:
        raise no_rows(source)
    layout = resolve_columns(source, names, columns, need_solution=need_solution)
    reader = RowReader(layout, make_prompt, need_solution=need_solution)
    intake = _Intake(reader, fits)
    for row in iter_rows(source, reader.wanted, reader.nested):
        intake.add(row)
    if not intake.num_rows:
        raise no_rows(source)
    left_out = {reason: LeftOut(rows.count, tuple(rows.examples)) for reason, rows in intake.left_out.items()}
    _check_solutions(source, names, layout.columns, left_out, num_with_solution=intake.num_with_solution)
    if not intake.problems:
        raise InputError(
            f"{source.name}: none of {_counted(intake.num_rows, 'row')} can be used: {_describe(left_out, source)}"
        )
    problems = tuple(intake.problems.values())
    return LoadedData(
        source,
        problems,
        intake.num_rows,
        MappingProxyType(left_out),
        layout.note,
        num_chat=intake.num_chat,
        num_without_hints=None if columns.hints is None else sum(not problem.hints for problem in problems),
    )


def _budget(limit: int | None, count_tokens: Callable[[Prompt], int] | None) -> Callable[[Prompt], bool]:
    if limit is None:
        return lambda prompt: True
    if count_tokens is None:
        raise ValueError("max_prompt_tokens needs count_tokens")
    return lambda prompt: count_tokens(prompt) <= limit


# Rows


@dataclass(slots=True)
class _Rows:
    """Rows left out for one reason, while they are counted."""

    count: int = 0
    examples: list[Place] = field(default_factory=list)

    def add(self, place: Place) -> None:
        self.count += 1
        if self.count <= NUM_EXAMPLES:
            self.examples.append(place)


@dataclass(slots=True)
class _Intake:
    """Takes in one row after the other."""

    reader: RowReader
    fits: Callable[[Prompt], bool]
    problems: dict[tuple[str, str], Problem] = field(default_factory=dict)
    left_out: dict[str, _Rows] = field(default_factory=dict)
    num_rows: int = 0
    num_chat: int = 0
    num_with_solution: int = 0
    answers: dict[str, tuple[str, Place]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        self.num_rows += 1
        try:
            self._add(row)
        except LeaveOutError as leave_out:
            self.num_with_solution += leave_out.reason == ONLY_THE_ANSWER
            self.left_out.setdefault(leave_out.reason, _Rows()).add(row.place)

    def _add(self, row: Row) -> None:
        question, answer = self.reader.question_and_answer(row)
        identity = comparable(question), comparable(answer)
        self._check_single_answer(*identity, row.place)
        problem = self.reader.problem(row)
        self.num_with_solution += problem.solution is not None
        if identity in self.problems:
            raise LeaveOutError(DUPLICATE)
        if not self.fits(problem.prompt):
            raise LeaveOutError(LONG_PROMPT)
        self.problems[identity] = problem
        self.num_chat += self.reader.has_own_prompt(row)

    def _check_single_answer(self, question: str, answer: str, place: Place) -> None:
        earlier, first = self.answers.setdefault(question, (answer, place))
        if earlier == answer:
            return
        places = f"{first} and {place}"
        if first.file == place.file:
            places = f"{place.file}: {place.unit}s {first.number} and {place.number}"
        raise InputError(
            f"{places} give one problem two answers, {_shown(earlier)} and {_shown(answer)}; correct or remove one of "
            "them"
        )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _counted(num: int, noun: str) -> str:
    return f"{num} {noun}" if num == 1 else f"{num} {noun}s"


def _describe(left_out: Mapping[str, LeftOut], source: Source) -> str:
    parts = []
    for reason, rows in left_out.items():
        if len(source.files) > 1:
            places = "; ".join(map(str, rows.examples))
        else:
            numbers = ", ".join(str(place.number) for place in rows.examples)
            places = f"{source.unit}{'s' if rows.count > 1 else ''} {numbers}"
        more = ", …" if rows.count > len(rows.examples) else ""
        parts.append(f"{rows.count} {reason} ({places}{more})")
    return "; ".join(parts)


def _check_solutions(
    source: Source, names: Sequence[str], columns: Columns, left_out: Mapping[str, LeftOut], *, num_with_solution: int
) -> None:
    """In data made for a gold-only reward the column `solution` often holds the gold answer."""
    only_answer = left_out.get(ONLY_THE_ANSWER)
    if only_answer is not None and 2 * only_answer.count > num_with_solution:
        first = only_answer.examples[0]
        raise InputError(
            f"{source.name}: column {columns.solution!r} holds only the answer in {only_answer.count} of "
            f"{num_with_solution} rows (first in {first.unit} {first.number}), and hints need the worked text; set "
            f"columns.solution to its column (found: {listed(names)}), or method=grpo to train without hints"
        )
