"""Which columns hold what: named by the user, or recognised as verl's or TRL's."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats.generated import WITH_SOLUTIONS
from selfhint.data.read import iter_rows
from selfhint.data.rows import Place
from selfhint.data.source import Source
from selfhint.data.trace import MARK, final_answer

PROMPT = "prompt"
"""The column in which data made for TRL or verl keep what the solver is asked."""
VERL_ANSWER = "reward_model.ground_truth"
VERL_PROBLEMS = ("extra_info.problem", PROMPT)
VERL_LABELS = ("data_source", "ability")
"""By the first verl chooses its reward function."""
VERL_SOLUTIONS = ("solution", "extra_info.solution", "extra_info.answer")
"""Where verl's rows keep it, likeliest first; verl's own GSM8K has the worked text in `extra_info.answer`."""
MARKED_ROWS = 20
"""Answers looked at to see whether they are worked texts that end in the answer."""
OR_WITHOUT = "or method=grpo, which needs no solution"
"""How a run goes on without worked solutions."""
MOST_SHOWN = 20
"""Columns that a message lists."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns in the data; dots go into nested fields.

    Args:
        problem: text, or a chat prompt.
        hints: hint texts by level (`core.problem.given_texts`); None: none.
        named: roles whose column is never replaced by a recognised one, although its name is the default.
    """

    problem: str = "problem"
    solution: str = "solution"
    answer: str = "answer"
    hints: str | None = None
    named: tuple[str, ...] = ()

    @property
    def by_role(self) -> dict[str, str]:
        """Role → column, of those that are read."""
        roles = {"problem": self.problem, "solution": self.solution, "answer": self.answer}
        return roles if self.hints is None else {**roles, "hints": self.hints}


DEFAULT = Columns()


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are read.

    Args:
        columns: where they hold what.
        prompt: the column whose chat messages are asked as they are, beside a problem's text; None: there is none.
        note: what was recognised, as a sentence without its point; None: the columns are as the user named them.
        marked: the column of answers holds worked texts (also the solutions), the answer behind their last mark.
        labels: columns with texts that are of no use to us and are handed on.
    """

    columns: Columns
    prompt: str | None = None
    note: str | None = None
    marked: bool = False
    labels: tuple[str, ...] = ()


def resolve_columns(
    source: Source, names: Collection[str], columns: Columns, *, need_solution: bool, or_without: str = OR_WITHOUT
) -> Layout:
    """Where the rows hold what. Columns that the user named are never replaced; a generator has its own names.

    Args:
        names: the columns there are.
        or_without: how the user goes on without worked solutions, for messages.

    Raises:
        InputError: a column is missing.
    """
    if source.is_generated:
        columns = Columns(hints=columns.hints)
    layout = _recognised(names, columns)
    if _may_be_marked(names, layout.columns) and _is_marked(source, layout.columns.answer):
        layout = _marked(layout)
    _check(source, names, layout, or_without if need_solution else None)
    return layout


def with_verls_labels(layout: Layout, names: Collection[str]) -> Layout:
    """The layout, and with verl's rows the labels that verl wants again."""
    return replace(layout, labels=tuple(name for name in VERL_LABELS if name in names and VERL_ANSWER in names))


def read_ahead(columns: Columns) -> set[str]:
    """The columns by which a layout is recognised."""
    return set(columns.by_role.values())


def _recognised(names: Collection[str], columns: Columns) -> Layout:
    absent = {
        role for role in ("problem", "answer") if getattr(columns, role) not in names and _is_default(columns, role)
    }
    if PROMPT not in names or not absent:
        return _layout(names, columns)
    if VERL_ANSWER in names:
        found = {
            "problem": columns.problem if columns.problem in names else _first(VERL_PROBLEMS, names),
            "answer": VERL_ANSWER,
            "solution": _first(VERL_SOLUTIONS, names) or columns.solution,
        }
        kind = "verl's"
    elif "problem" in absent:
        found = {"problem": PROMPT}
        if "answer" in absent and columns.solution in names:  # TRL's own rewards find the gold there
            found["answer"] = columns.solution
        kind = "TRL's"
    else:
        return _layout(names, columns)
    changed: dict[str, Any] = {role: name for role, name in found.items() if name and _is_default(columns, role)}
    resolved = replace(columns, **changed)
    has_solution = resolved.solution in names and resolved.solution != resolved.answer
    roles = ["problem", "solution", "answer"] if has_solution else ["problem", "answer"]
    said = ", ".join(f"{role} = {getattr(resolved, role)}" for role in roles)
    return _layout(names, resolved, f"Read as {kind} rows: {said}")


def _layout(names: Collection[str], columns: Columns, note: str | None = None) -> Layout:
    return Layout(columns, PROMPT if PROMPT in names and columns.problem != PROMPT else None, note)


def _is_default(columns: Columns, role: str) -> bool:
    return role not in columns.named and bool(getattr(columns, role) == getattr(DEFAULT, role))


def _may_be_marked(names: Collection[str], columns: Columns) -> bool:
    """There is no other column of solutions."""
    is_absent = columns.solution not in names and _is_default(columns, "solution")
    return columns.answer in names and (is_absent or columns.solution == columns.answer)


def _is_marked(source: Source, answer: str) -> bool:
    """GSM8K keeps the worked text and, behind `####` in its last line, the answer in one column."""
    rows = islice(iter_rows(source, {answer}, on_damage=_pass_over), MARKED_ROWS)
    texts = [text for row in rows if isinstance(text := row.values[answer], str)]
    return bool(texts) and all(final_answer(text) != text for text in texts)


def _pass_over(place: Place, fault: str) -> None:
    """Damaged rows are told of when all are read."""


def _marked(layout: Layout) -> Layout:
    answer = layout.columns.answer
    note = f"Column {answer!r} holds worked texts that end in the answer, behind {MARK}"
    note = note if layout.note is None else f"{layout.note}. {note}"
    return replace(layout, columns=replace(layout.columns, solution=answer), note=note, marked=True)


def _first(candidates: Sequence[str], names: Collection[str]) -> str | None:
    return next((name for name in candidates if name in names), None)


# What is missing

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "problem": ("question", "prompt", "query", "instruction", "input"),
    "solution": ("rationale", "reasoning", "explanation", "worked_solution", "generated_solution", "cot"),
    "answer": ("final_answer", "expected_answer", "gold", "ground_truth", "target", "label"),
    "hints": ("hint", "scaffold"),
}
"""What public data sets call the columns, likeliest first."""


def listed(names: Collection[str]) -> str:
    """Column names for a message."""
    return _quoted(list(names)[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


def _check(source: Source, names: Collection[str], layout: Layout, or_without: str | None) -> None:
    """Whether what a run needs is there.

    Args:
        or_without: how the user goes on without worked solutions; None: they are not needed.
    """
    columns = layout.columns.by_role
    missing = [role for role in columns if columns[role] not in names]
    gold_in_solution = columns["solution"] == columns["answer"] and not layout.marked
    if gold_in_solution and "solution" not in missing:
        missing.append("solution")
    required = [role for role in missing if role != "solution" or or_without is not None]
    if not required:
        return
    if required == ["solution"] and source.is_generated:
        raise InputError(
            f"{source.name}: this generator offers no worked solution; take a task that does "
            f"({', '.join(WITH_SOLUTIONS)}), {or_without}"
        )
    mend = _mend(missing, required, columns, [name for name in names if name not in columns.values()])
    without = f", {or_without}" if required == ["solution"] or CONTENT["solution"] in mend else ""
    is_gold = gold_in_solution and "solution" in required
    what = "no worked solution" if is_gold else f"no column {_quoted(columns[role] for role in required)}"
    note = f" ({layout.note})" if layout.note else ""
    raise InputError(f"{source.name}: {what} (found: {listed(names)}){note}; {mend}{without}")


CONTENT = {"problem": "problems", "solution": "worked solutions", "answer": "answers", "hints": "hints"}
"""Role → what its column holds, for messages."""


def _mend(missing: list[str], required: list[str], columns: Mapping[str, str], free: list[str]) -> str:
    """What to set, for columns that are not required only where one is likely; what no column is left for."""
    likely: dict[str, str] = {}
    for role in missing:
        found = _likely_column(role, columns[role], [name for name in free if name not in likely.values()])
        if found is not None:
            likely[role] = found
    num_left = len(free) - len(likely)
    parts, lacking = [], []
    for role in missing:
        if role not in likely and role in required:
            num_left -= 1
            if num_left < 0:
                lacking.append(CONTENT[role])
                continue
            likely[role] = "NAME"
        if role in likely:
            parts.append(f"columns.{role}={likely[role]}")
    said = [f"set {' '.join(parts)}"] if parts else []
    return " and ".join(said + [f"add a column of {content}" for content in lacking])


def _likely_column(role: str, name: str, free: list[str]) -> str | None:
    """The found column that probably plays the role."""
    by_lower = {column.lower(): column for column in free}
    for other in (role, *OTHER_NAMES[role]):
        if other in by_lower:
            return by_lower[other]
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.8)
    return by_lower[close[0]] if close else None
