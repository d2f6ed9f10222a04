"""How the policy is asked for hints and how its answer is read: one plain request per level, or one JSON answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from selfhint.core.levels import NUM_LEVELS, TEXT_STRENGTH
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints.cut import solution_prefix
from selfhint.hints.parse import after_thinking, parse_levels
from selfhint.hints.prompts import as_prompt
from selfhint.hints.reasons import Refused

FULL_STRENGTH_SHARE = 0.8
"""At strength 1.0 nothing is asked: the hint is this share of τ*."""


class HintFormat(Protocol):
    """Turns (problem, level) into a request and the answer into hint texts. Only asked where τ* exists."""

    def request(self, problem: Problem, level: int) -> Prompt | None:
        """What the policy is asked; None where `without_request` gives the text."""
        ...

    def without_request(self, problem: Problem, level: int) -> str | None:
        """The text of a level that needs no request; None where `request` asks for it."""
        ...

    def levels_asked(self, level: int) -> tuple[int, ...]:
        """The levels that the answer to the request of `level` serves, `level` among them."""
        ...

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str | Refused]:
        """A text or a refusal for each level in `levels_asked(level)`. Never raises, whatever the policy wrote."""
        ...


_STRATEGY = (
    "Write a hint of one or two sentences that tells the student which strategy to use. "
    "Do not carry out any step of the calculation"
)
_OUTLINE = (
    "Write a hint that outlines the way to solve the problem in three or four short steps. "
    "Leave the calculation itself to the student"
)
_LABEL = re.compile(r"^\s*\**\s*hint\s*\**\s*:\s*\**\s*", re.IGNORECASE)


class TextFormat:
    """One plain request per level; its wording follows the level's strength. Suits small models.

    Below 0.5 a strategy, below 1 an outline, at 1.0 no request but the first 80 % of τ*.
    """

    def request(self, problem: Problem, level: int) -> Prompt | None:
        """One request for this level, in the kind of prompt that the solver gets."""
        strength = TEXT_STRENGTH[level]
        if strength >= 1.0:
            return None
        wanted = _STRATEGY if strength < 0.5 else _OUTLINE
        return _request(f"You are a tutor. {wanted}, and never state the final answer.", "Hint:", problem)

    def without_request(self, problem: Problem, level: int) -> str | None:
        """The first part of τ* at full strength."""
        if TEXT_STRENGTH[level] < 1.0:
            return None
        return solution_prefix(problem.solution or "", FULL_STRENGTH_SHARE)

    def levels_asked(self, level: int) -> tuple[int, ...]:
        """The level itself."""
        return (level,)

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str | Refused]:
        """The whole answer, without thinking and without a leading "Hint:"."""
        answer = after_thinking(text)
        return {level: Refused("unparsable") if answer is None else _LABEL.sub("", answer).strip()}


_TASK = f"""\
You are a tutor. From a problem and its reference solution write {NUM_LEVELS} hints of rising strength for a student:
- level_1 names just the main idea or theorem that opens the problem;
- level_2 adds the direction to take and the intermediate goals;
- level_3 gives substantial guidance through the steps, yet leaves finishing the work to the student.
Each hint builds on the one before. No hint may state the final answer."""
_SHAPE = """\
Reply with one JSON object in a fenced block, with a text for each key:
```json
{"level_1": "...", "level_2": "...", "level_3": "..."}
```"""


class JsonFormat:
    """One request for all levels of a visit; the answer is a JSON object in a fenced block (the paper's way)."""

    def request(self, problem: Problem, level: int) -> Prompt | None:
        """The same request for every level."""
        return _request(_TASK, _SHAPE, problem)

    def without_request(self, problem: Problem, level: int) -> str | None:
        """Every level is asked for."""
        return None

    def levels_asked(self, level: int) -> tuple[int, ...]:
        """All levels."""
        return tuple(range(1, NUM_LEVELS + 1))

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str | Refused]:
        """The values of level_1 … level_L."""
        return parse_levels(text, self.levels_asked(level))


def _request(task: str, end: str, problem: Problem) -> Prompt:
    text = f"{task}\n\nProblem:\n{problem.question}\n\nReference solution:\n{problem.solution}\n\n{end}"
    return as_prompt(text, chat=not isinstance(problem.prompt, str))
