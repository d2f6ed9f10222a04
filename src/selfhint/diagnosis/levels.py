"""What each hint level does: how its hints come out, and how the policy answers with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selfhint.core.gate import gate_probability
from selfhint.core.levels import NO_HINT
from selfhint.diagnosis.intervals import Estimate, share_of, success_rate
from selfhint.diagnosis.look import Look, LookedGroup

NOT_ASKED = (
    *("no_solution", "request_over_budget", "not_given"),
    *("teacher_unreachable", "teacher_refused", "teacher_limit"),
)
"""Reasons of refusals that no answer led to."""
NOT_READ = ("unparsable", "missing_level", "not_a_string", "teacher_garbage", "teacher_truncated")
"""Reasons of refusals where the answer held no text for the level."""


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """One level over all looks.

    Args:
        level: 0 is without a hint.
        requests: requests made for this level.
        tries: texts that were due for this level, one for each answer that serves it.
        read: share of the tries with a text in the asked format; None without tries.
        accepted: looks with an accepted hint.
        refused: refusals by reason, most frequent first.
        flagged: the same for accepted hints in which the guard found something.
        groups, completions, correct: judged ones.
        success: success probability p of a completion.
        success_without_hint: the same problems' p without a hint, to compare with.
        gate: u(p) at the group size; None without groups.
        mixed: share of the groups that teach. The mean of u over the problems; below u(p) where they differ.
        hint_tokens: mean length of the accepted hints.
        completion_tokens: mean length of the completions.
        at_limit: share of completions as long as their limit, so probably cut off.
    """

    level: int
    requests: int
    tries: int
    read: float | None
    accepted: int
    refused: Mapping[str, int]
    flagged: Mapping[str, int]
    groups: int
    completions: int
    correct: int
    success: Estimate
    success_without_hint: Estimate
    gate: float | None
    mixed: Estimate
    hint_tokens: float | None
    completion_tokens: float | None
    at_limit: float | None


def summarise_levels(
    looks: Sequence[Look], levels: Sequence[int], group_size: int, token_limit: int
) -> list[LevelSummary]:
    """Level 0 and the given levels.

    Args:
        group_size: G of the gate.
        token_limit: longest completion.
    """
    return [_summary(looks, level, group_size, token_limit) for level in (NO_HINT, *levels)]


def _summary(looks: Sequence[Look], level: int, group_size: int, token_limit: int) -> LevelSummary:
    hints = [hint for look in looks for hint in look.hints if hint.level == level]
    tries = [hint for hint in hints if hint.refused not in NOT_ASKED]
    accepted = [hint for hint in hints if hint.refused is None]
    drawn = [(look, group) for look in looks if (group := look.group(level)) is not None and not group.unscored]
    groups = [group for _, group in drawn]
    success = _rate(drawn)
    lengths = [tokens for group in groups for tokens in group.tokens]
    return LevelSummary(
        level=level,
        requests=sum(look.hint_costs[level].requests for look in looks if level in look.hint_costs),
        tries=len(tries),
        read=sum(hint.refused not in NOT_READ for hint in tries) / len(tries) if tries else None,
        accepted=len(accepted),
        refused=dict(Counter(hint.refused for hint in hints if hint.refused is not None).most_common()),
        flagged=dict(Counter(hint.flagged for hint in hints if hint.flagged is not None).most_common()),
        groups=len(groups),
        completions=len(lengths),
        correct=sum(group.num_correct for group in groups),
        success=success,
        success_without_hint=_rate([(look, look.bare) for look, _ in drawn]),
        gate=None if success.value is None else gate_probability(success.value, group_size),
        mixed=share_of(sum(group.mixed for group in groups), len(groups), len({look.key for look, _ in drawn})),
        hint_tokens=_mean([hint.tokens for hint in accepted]),
        completion_tokens=_mean(lengths),
        at_limit=_mean([tokens >= token_limit for tokens in lengths]),
    )


def _rate(drawn: Sequence[tuple[Look, LookedGroup]]) -> Estimate:
    """Groups of one problem, from several rounds, count as one."""
    counts: dict[str, tuple[int, int]] = {}
    for look, group in drawn:
        correct, size = counts.get(look.key, (0, 0))
        counts[look.key] = correct + group.num_correct, size + len(group.correct)
    return success_rate([*counts.values()])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Opening:
    """What a level does for groups that failed without a hint.

    Args:
        level: above 0.
        hinted: failed groups that got an accepted hint of this level.
        opened: share of all failed groups with a correct completion under this level's hint.
        opened_so_far: the same for this level or one below it, as SAGE climbs.
    """

    level: int
    hinted: int
    opened: Estimate
    opened_so_far: Estimate


def openings(looks: Sequence[Look], levels: Sequence[int]) -> list[Opening]:
    """For each of the given levels, ascending."""
    failed = [look for look in looks if look.bare.failed]
    num_problems = len({look.key for look in failed})
    result: list[Opening] = []
    open_now: set[int] = set()
    for level in levels:
        opened = {i for i, look in enumerate(failed) if (group := look.group(level)) is not None and group.num_correct}
        open_now |= opened
        result.append(
            Opening(
                level=level,
                hinted=sum(look.group(level) is not None for look in failed),
                opened=share_of(len(opened), len(failed), num_problems),
                opened_so_far=share_of(len(open_now), len(failed), num_problems),
            )
        )
    return result
