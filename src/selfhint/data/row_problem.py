"""One row becomes a problem, or the reason why it is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selfhint.core.errors import InputError
from selfhint.core.problem import GivenTexts, Problem, comparable, given_texts
from selfhint.core.prompt import Message, Prompt
from selfhint.data.chat import chat_messages, is_chat, last_user_text
from selfhint.data.layouts import Layout
from selfhint.data.rows import Row, Unusable, Value, fault_in
from selfhint.data.trace import MARK, final_answer

ONLY_THE_ANSWER = "whose solution is only the answer"


class LeaveOutError(Exception):
    """The row cannot be used; whoever reads goes on without it.

    Args:
        reason: ends the sentence "rows …".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads rows of one layout.

    Args:
        layout: which columns hold what.
        make_prompt: problem text → what the solver is asked, where the data bring no chat messages.
        need_solution: a row without a worked solution is no problem.
    """

    layout: Layout
    make_prompt: Callable[[str], Prompt]
    need_solution: bool

    @property
    def wanted(self) -> set[str]:
        """The columns that hold text."""
        columns = self.layout.columns
        return {columns.problem, columns.solution, columns.answer, *self.layout.labels}

    @property
    def nested(self) -> set[str]:
        """The columns that may hold more."""
        columns = self.layout.columns
        return {name for name in (columns.problem, self.layout.prompt, columns.hints) if name is not None}

    def has_own_prompt(self, row: Row) -> bool:
        """Whether the row brings chat messages."""
        return is_chat(row.nested[self._prompt_column])

    def labels(self, row: Row) -> dict[str, str]:
        """The texts that are handed on, by column."""
        return {name: text for name in self.layout.labels if isinstance(text := row.values[name], str)}

    def question(self, row: Row) -> str:
        """The problem's text.

        Raises:
            LeaveOutError: it is missing or no text.
        """
        name = self.layout.columns.problem
        messages = self._messages(row)
        if is_chat(row.nested[name]) and messages is not None:
            return last_user_text(messages)
        return _text(row.values[name], "problem")

    def question_and_answer(self, row: Row) -> tuple[str, str]:
        """The two texts that make a problem's identity.

        Raises:
            LeaveOutError: one is missing or no text.
        """
        return self.question(row), self._answer(row)

    def problem(self, row: Row) -> Problem:
        """The whole problem.

        Raises:
            LeaveOutError: it cannot be used.
            InputError: its hints are of another form.
        """
        question, answer = self.question_and_answer(row)
        solution = self._solution(row, answer)
        messages = self._messages(row)
        prompt = self.make_prompt(question) if messages is None else messages
        return Problem(question, solution, answer, prompt=prompt, hints=self._hints(row))

    def _answer(self, row: Row) -> str:
        text = _text(row.values[self.layout.columns.answer], "answer")
        if not self.layout.marked:
            return text
        answer = final_answer(text)
        if answer == text:
            raise LeaveOutError(f"whose worked text marks no answer by {MARK}")
        return answer

    @property
    def _prompt_column(self) -> str:
        return self.layout.prompt or self.layout.columns.problem

    def _messages(self, row: Row) -> Sequence[Message] | None:
        """The data's own chat prompt, where there is one."""
        value = row.nested[self._prompt_column]
        if not is_chat(value):
            return None
        messages = chat_messages(value)
        if isinstance(messages, Unusable):
            raise LeaveOutError(f"whose prompt {messages.reason}")
        return messages

    def _hints(self, row: Row) -> GivenTexts:
        name = self.layout.columns.hints
        if name is None:
            return {}
        try:
            hints = given_texts(row.nested.get(name))
        except ValueError as error:
            raise InputError(f"{row.place}, column {name!r}: the hints are {error}") from None
        fault = fault_in(hints)
        if fault is not None:
            raise LeaveOutError(f"with a hint that {fault}")
        return hints

    def _solution(self, row: Row, answer: str) -> str | None:
        name = self.layout.columns.solution
        value = row.values[name]
        if not self.need_solution:
            is_gold = name == self.layout.columns.answer and not self.layout.marked
            is_worked = isinstance(value, str) and value.strip() and not is_gold
            return str(value) if is_worked else None
        solution = _text(value, "solution")
        if _is_only_the_answer(solution, answer):
            raise LeaveOutError(ONLY_THE_ANSWER)
        return solution


def _text(value: Value, role: str) -> str:
    if isinstance(value, Unusable):
        raise LeaveOutError(f"whose {role} {value.reason}")
    if value is None or not value.strip():
        raise LeaveOutError(f"without {role}")
    return value


MOST_WRAPPING = 60
"""Characters that may stand around a gold answer."""
_WRAPPING = re.compile(r"####|\\boxed|\\[()\[\]]|\b(?:the )?(?:final )?answer(?: is)?\b|[\s${}.:=]", re.IGNORECASE)


def _is_only_the_answer(solution: str, answer: str) -> bool:
    return len(solution) <= len(answer) + MOST_WRAPPING and _bare(solution) == _bare(answer)


def _bare(text: str) -> str:
    """A text without what data sets put around a gold answer: a box, dollar signs, `#### `, "The answer is"."""
    return _WRAPPING.sub("", comparable(text)).casefold()
