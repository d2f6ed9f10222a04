"""One look at one problem: a group without a hint, then one under each level's accepted hint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from selfhint.core.episode import Episode
from selfhint.core.group import Group, Visit
from selfhint.core.levels import NO_HINT
from selfhint.core.plan import Plan
from selfhint.core.ports import Reply, Sample


@dataclass(frozen=True, slots=True)
class EveryLevel(Plan):
    """Draws each of its levels, whatever came of the level before.

    Args:
        only_failed: a problem with a correct completion without a hint is not hinted.
    """

    only_failed: bool = field(kw_only=True)

    def goes_on(self, group: Group) -> bool:
        """Not where hints are for failed groups and this one, without a hint, did not fail."""
        return not (self.only_failed and group.level == NO_HINT and not group.failed)


@dataclass(slots=True)
class HintCost:
    """What asking for hints took at one level of one visit."""

    requests: int = 0
    tokens: int = 0


def counting(episode: Episode, costs: dict[int, HintCost]) -> Episode:
    """The same episode; counts its requests for hints, by the level they were made for."""
    try:
        request = next(episode)
        while True:
            reply: Reply = yield request
            if isinstance(request, Sample) and request.purpose != "solve":
                cost = costs.setdefault(request.level, HintCost())
                cost.requests += 1
                cost.tokens += sum(completion.num_tokens for completion in reply)
            request = episode.send(reply)
    except StopIteration as end:
        visit: Visit = end.value
        return visit
    finally:
        episode.close()


@dataclass(frozen=True, slots=True)
class LookedGroup:
    """What came of one group.

    Args:
        level: hint level of its prompt.
        correct: one for each completion; None where nothing could be said. Shape (G,).
        tokens: sampled tokens of each completion. Shape (G,).
    """

    level: int
    correct: tuple[bool | None, ...]
    tokens: tuple[int, ...]

    @property
    def num_correct(self) -> int:
        """Completions with R = 1."""
        return sum(c is True for c in self.correct)

    @property
    def unscored(self) -> bool:
        """Some completion has no verdict."""
        return None in self.correct

    @property
    def failed(self) -> bool:
        """All were judged and none is correct."""
        return not self.unscored and self.num_correct == 0

    @property
    def all_correct(self) -> bool:
        """Every completion is correct."""
        return self.num_correct == len(self.correct)

    @property
    def mixed(self) -> bool:
        """The group teaches: some completions are correct and some are not."""
        return not (self.unscored or self.failed or self.all_correct)


@dataclass(frozen=True, slots=True)
class LookedHint:
    """A hint as it was made.

    Args:
        level, text, refused, flagged: as in `Hint`.
        tokens: length of the text in tokens of the policy; 0 where it is refused, as the policy may not read it at all.
    """

    level: int
    text: str
    refused: str | None
    tokens: int
    flagged: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """One visit to one problem.

    Args:
        key, question, answer: the problem's.
        round: how many visits were made before.
        groups: in the order drawn; the first is without a hint.
        hints: every hint made, accepted or refused.
        hint_costs: what asking took, by level.
    """

    key: str
    question: str
    answer: str
    round: int
    groups: tuple[LookedGroup, ...]
    hints: tuple[LookedHint, ...]
    hint_costs: Mapping[int, HintCost]

    @classmethod
    def of(cls, visit: Visit, hint_costs: Mapping[int, HintCost], count_tokens: Callable[[str], int]) -> Look:
        """What a visit under `EveryLevel` showed."""
        return cls(
            key=visit.problem.key,
            question=visit.problem.question,
            answer=visit.problem.answer,
            round=visit.number,
            groups=tuple(
                LookedGroup(g.level, tuple(v.correct for v in g.verdicts), tuple(c.num_tokens for c in g.completions))
                for g in visit.groups
            ),
            hints=tuple(
                LookedHint(h.level, h.text, h.refused, 0 if h.refused else count_tokens(h.text), h.flagged)
                for h in visit.hints
            ),
            hint_costs=hint_costs,
        )

    @property
    def has_no_solution(self) -> bool:
        """Hints were wanted, and the problem has nothing to write them from."""
        return bool(self.hints) and all(hint.refused == "no_solution" for hint in self.hints)

    @property
    def bare(self) -> LookedGroup:
        """The group without a hint."""
        return self.groups[0]

    def group(self, level: int) -> LookedGroup | None:
        """The group of a level; None where none was drawn."""
        return next((group for group in self.groups if group.level == level), None)


def read_look(values: Any) -> Look:
    """A look from the dictionary that `dataclasses.asdict` made of it, also after a way through JSON.

    Raises:
        ValueError: it is no such dictionary.
    """
    try:
        look = Look(
            **{
                **values,
                "groups": tuple(
                    LookedGroup(g["level"], tuple(g["correct"]), tuple(g["tokens"])) for g in values["groups"]
                ),
                "hints": tuple(LookedHint(**hint) for hint in values["hints"]),
                "hint_costs": {int(level): HintCost(**cost) for level, cost in values["hint_costs"].items()},
            }
        )
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ValueError("not a look") from error
    if not _is_sound(look):
        raise ValueError("not a look")
    return look


def _is_sound(look: Look) -> bool:
    """What a file gave as a look has the types of one."""
    return (
        all(isinstance(text, str) for text in (look.key, look.question, look.answer))
        and _are_counts(look.round)
        and bool(look.groups)
        and look.bare.level == NO_HINT
        and all(map(_is_sound_group, look.groups))
        and all(map(_is_sound_hint, look.hints))
        and all(_are_counts(level, cost.requests, cost.tokens) for level, cost in look.hint_costs.items())
    )


def _is_sound_group(group: LookedGroup) -> bool:
    return (
        _are_counts(group.level, *group.tokens)
        and len(group.correct) == len(group.tokens) > 0
        and all(c is None or isinstance(c, bool) for c in group.correct)
    )


def _is_sound_hint(hint: LookedHint) -> bool:
    reasons = (hint.refused, hint.flagged)
    return (
        _are_counts(hint.level, hint.tokens)
        and isinstance(hint.text, str)
        and all(reason is None or isinstance(reason, str) for reason in reasons)
    )


def _are_counts(*values: Any) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in values)
