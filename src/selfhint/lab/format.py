"""The lab's way of asking for a hint: one short message for each level, answered by the digits and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints.reasons import Refused
from selfhint.lab.task import SEPARATOR, WRITE_HINT, hint_length


class LabFormat:
    """A `HintFormat`: the word, the digits of its solution and the level; the policy copies what the level shows.

    A level that shows no digit of a word is not asked for; its text is empty, so that the level is skipped.
    """

    def request(self, problem: Problem, level: int) -> Prompt | None:
        """`Hword|digits|level` as one user message."""
        if not hint_length(len(problem.question), level):
            return None
        content = SEPARATOR.join((WRITE_HINT + problem.question, problem.solution or "", str(level)))
        return [{"role": "user", "content": content}]

    def without_request(self, problem: Problem, level: int) -> str | None:
        """Nothing, where the level shows nothing."""
        return None if hint_length(len(problem.question), level) else ""

    def levels_asked(self, level: int) -> tuple[int, ...]:
        """The level itself."""
        return (level,)

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str | Refused]:
        """The whole answer."""
        return {level: text}
