"""Completions that share one (problem, hint), their verdicts and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from selfhint.core.levels import NO_HINT
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Completion:
    """One sampled answer.

    Args:
        text: decoded without special tokens.
        num_tokens: tokens the policy sampled, the end token included; 0 where another model wrote the text.
        raw: the engine's own record (token ids, log-probabilities); nothing outside that engine looks inside.
        missing: why there is no text: a reason for the hints that were asked for. None for a text.
    """

    text: str
    num_tokens: int
    raw: Any = None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says of one completion.

    Args:
        correct: True iff R(x, τ) = 1; None when nothing can be said (the gold answer is unreadable).
        reward: value of the reward that defines "correct"; None with `correct` None.
        extracted: the answer found in the completion, if any.
        reason: match, mismatch, no answer found, gold unreadable, timed out, crashed.
        seconds: time the verdict took.
        raw: the engine's own record; nothing outside that engine looks inside.
    """

    correct: bool | None
    reward: float | None
    extracted: str | None = None
    reason: str = ""
    seconds: float = 0.0
    raw: Any = None

    @classmethod
    def of(cls, correct: bool | None, **details: Any) -> Verdict:
        """A verdict whose reward is 1, 0 or None."""
        return cls(correct=correct, reward=None if correct is None else float(correct), **details)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint that a source made, accepted or refused.

    Args:
        id: unique in a run: key, visit, level and try.
        key: the problem's key.
        level: 1 … L.
        text: as it stands (or would stand) in the prompt.
        source: name of the hint source, as in the recipe.
        refused: None for an accepted hint, else the reason.
        keep: a model wrote it and it was accepted, so the problem's record keeps its text for later visits.
        solution_cut: characters of the reference solution that the request left out to keep to its budget.
        flagged: what the guard found in an accepted hint, where leaks are only counted; else None.
    """

    id: str
    key: str
    level: int
    text: str
    source: str
    refused: str | None = None
    keep: bool = False
    solution_cut: int = 0
    flagged: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """G completions drawn for one (x, h).

    Args:
        level: hint level of the prompt, 0 without a hint.
        hint: the hint in the prompt, None at level 0.
        prompt: what the policy was asked, hint included; the update conditions on it.
        completions, verdicts: length G, same order.
    """

    level: int
    hint: Hint | None
    prompt: Prompt
    completions: tuple[Completion, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def size(self) -> int:
        """G."""
        return len(self.completions)

    @property
    def num_correct(self) -> int:
        """Completions with R = 1."""
        return sum(v.correct is True for v in self.verdicts)

    @property
    def unscored(self) -> bool:
        """Some completion has no verdict: the group is never hinted."""
        return any(v.correct is None for v in self.verdicts)

    @property
    def failed(self) -> bool:
        """Every completion was judged and none is correct."""
        return not self.unscored and self.num_correct == 0

    @property
    def all_correct(self) -> bool:
        """Every completion is correct."""
        return self.num_correct == self.size

    @property
    def success_rate(self) -> float:
        """Share of correct completions."""
        return self.num_correct / self.size

    @property
    def has_signal(self) -> bool:
        """The rewards that say what is correct differ, so they give advantages (other rewards may do so besides)."""
        return len({v.reward for v in self.verdicts if v.reward is not None}) > 1

    @property
    def rewards(self) -> list[float | None]:
        """Rewards in completion order."""
        return [v.reward for v in self.verdicts]

    @property
    def num_tokens(self) -> int:
        """Sampled tokens of all completions."""
        return sum(c.num_tokens for c in self.completions)


@dataclass(frozen=True, slots=True)
class Visit:
    """One problem in one step: every group drawn for it, of which the last one enters the update.

    Args:
        problem: whose visit it is.
        number: how many visits the problem had before.
        scheduled_level: the level at which the scheduler wanted to begin.
        groups: in the order drawn; never empty.
        missing: levels for which no usable hint could be made.
        why: the numbers behind the scheduler's choice; None where it has none.
        hints: every hint made, accepted or refused, in order.
        hint_tokens: tokens the policy sampled to write hints.
        step: generation step in which it took place.
        epoch: pass over the data, counted from 0.
    """

    problem: Problem
    number: int
    scheduled_level: int
    groups: tuple[Group, ...]
    missing: tuple[int, ...] = ()
    why: Mapping[str, Any] | None = None
    hints: tuple[Hint, ...] = ()
    hint_tokens: int = 0
    step: int = 0
    epoch: int = 0

    @property
    def kept(self) -> Group:
        """The group that enters the update."""
        return self.groups[-1]

    @property
    def failed_first(self) -> bool:
        """The visit began without a hint and that group failed."""
        return self.groups[0].level == NO_HINT and self.groups[0].failed

    @property
    def rescued(self) -> bool:
        """After a first group without a hint that failed, a hinted one brought a correct completion."""
        return self.failed_first and self.kept.level > NO_HINT and self.kept.num_correct > 0

    @property
    def hint_missing(self) -> bool:
        """A hint was due at the scheduled level and none could be used: the visit's success rate says nothing."""
        return self.scheduled_level > NO_HINT and self.groups[0].level != self.scheduled_level

    @property
    def tokens_discarded(self) -> int:
        """Sampled tokens of the groups that do not enter the update."""
        return sum(g.num_tokens for g in self.groups[:-1])

    @property
    def refused(self) -> Mapping[str, int]:
        """Refused hints by reason."""
        return Counter(hint.refused for hint in self.hints if hint.refused is not None)

    @property
    def used(self) -> list[Hint]:
        """The hints that stood in a prompt. Others may be accepted too: one answer can serve levels never drawn."""
        return [group.hint for group in self.groups if group.hint is not None]

    @property
    def flagged(self) -> Mapping[str, int]:
        """Hints used in which the guard found something, by reason."""
        return Counter(hint.flagged for hint in self.used if hint.flagged is not None)


@dataclass(slots=True)
class HintTrail:
    """What one visit's hint session made so far: filled by the source, read by the episode."""

    hints: list[Hint] = field(default_factory=list)
    num_tokens: int = 0
