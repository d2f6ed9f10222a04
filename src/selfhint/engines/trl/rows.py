"""Rows of a TRL data set and the problems they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.problem import GivenTexts, Problem, given_texts
from selfhint.core.prompt import question_of

Row = dict[str, Any]

_GOLD_IN_SOLUTION = "; in many sets `solution` holds only the gold answer"

PROBLEM = "problem"
"""Column of the problem text that is looked for where none is named."""


@dataclass(frozen=True, slots=True)
class RowColumns:
    """Names of the columns that make a problem, beside TRL's own `prompt`.

    Args:
        problem: the problem text without instructions; read from the prompt where no column is named and there is none
            of the usual name.
        solution: the reference solution, worked text.
        answer: the gold answer.
        hints: hint texts by level (`core.problem.given_texts`); None: the data bring none.
    """

    problem: str = PROBLEM
    solution: str = "solution"
    answer: str = "answer"
    hints: str | None = None

    @classmethod
    def of(cls, columns: Mapping[str, str] | None) -> RowColumns:
        """Columns from `{role: name}`.

        Raises:
            InputError: an unknown role, or the solution and the answer in one column.
        """
        try:
            made = cls(**(columns or {}))
        except TypeError:
            raise InputError(
                f"columns={dict(columns or {})}: the roles are problem, solution, answer and hints"
            ) from None
        if made.solution == made.answer:
            raise InputError(
                f"columns: solution and answer are both {made.answer!r}; hints need the worked solution, "
                "not the gold answer alone"
            )
        return made

    def check(self, names: Sequence[str], needs_solution: bool) -> None:
        """Looks for the columns before anything is generated.

        Args:
            names: the columns there are.
            needs_solution: hints are made from solution and answer.

        Raises:
            InputError: a column that the run needs is missing.
        """
        needed = {} if self.problem == PROBLEM else {"problem": self.problem}
        if needs_solution:
            needed |= {"answer": self.answer, "solution": self.solution}
        if self.hints is not None:
            needed |= {"answer": self.answer, "hints": self.hints}
        for role, name in needed.items():
            if name not in names:
                raise InputError(
                    f"train_dataset has no column {name!r} for the {role} (found: {', '.join(names)}); "
                    f"name it with columns={{{role!r}: ...}}"
                    + (_GOLD_IN_SOLUTION if role == "answer" and "solution" in names else "")
                )

    def problem_of(self, row: Row) -> Problem:
        """The problem of a row. A value that is missing stays missing: the text "None" is nobody's answer.

        Raises:
            InputError: a message of the prompt is no text, or the hints are of another form.
        """
        _check_prompt(row["prompt"])
        question, solution, answer = (row.get(name) for name in (self.problem, self.solution, self.answer))
        return Problem(
            question=question_of(row["prompt"]) if question is None else str(question),
            solution=None if solution is None else str(solution),
            answer="" if answer is None else str(answer),
            prompt=row["prompt"],
            hints=self._hints(row),
        )

    def _hints(self, row: Row) -> GivenTexts:
        if self.hints is None:
            return {}
        try:
            return given_texts(row.get(self.hints))
        except ValueError as error:
            raise InputError(f"train_dataset, column {self.hints!r}: the hints are {error}") from None


def _check_prompt(prompt: Any) -> None:
    contents = [prompt] if isinstance(prompt, str) else [message["content"] for message in prompt]
    for content in contents:
        if not isinstance(content, str):
            raise InputError(
                f"train_dataset: a message of a prompt has content {str(content)[:60]!r}, which is no text; "
                "write each message's content as one string"
            )
