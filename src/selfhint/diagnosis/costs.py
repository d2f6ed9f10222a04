"""What a step would sample under each method, with the policy as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selfhint.core.levels import NO_HINT
from selfhint.diagnosis.look import Look, LookedGroup

RAISE_AT_MOST = 0.1
"""SAGE-light raises a problem's level up to this success rate (schedulers.epoch)."""
LOWER_ABOVE = 0.35
"""It lowers it above this one."""


@dataclass(frozen=True, slots=True)
class MethodCost:
    """Expected sampling for one visit to one problem. A step of B problems takes B times as much.

    Args:
        completions: drawn, those that are discarded included.
        tokens: sampled, those of the hints included.
        hint_tokens: the part that writes hints.
        signal: share of visits whose kept group teaches.
    """

    completions: float
    tokens: float
    hint_tokens: float
    signal: float


def method_costs(looks: Sequence[Look], *, shared_requests: bool) -> dict[str, MethodCost]:
    """For plain GRPO, SAGE-light and SAGE, over looks in which failed groups were drawn at every level.

    SAGE climbs until a group has a correct completion. SAGE-light is taken as it stands once each problem has settled:
    at the lowest level whose success rate is above the one that raises, else at the strongest. Where that rate is above
    the one that lowers, every other visit is drawn a level below. Before that, in a problem's first visits, it costs
    what plain GRPO does.

    Args:
        shared_requests: one answer holds the hints of all levels, so that SAGE-light's one level costs what the levels
            up to it cost here; otherwise it costs its own request.

    Raises:
        ValueError: there are no looks.
    """
    if not looks:
        raise ValueError("costs need at least one look")
    return {
        "grpo": _mean_cost([[_Path([look.bare], 0)] for look in looks]),
        "sage-light": _mean_cost([_settled(look, shared_requests) for look in looks]),
        "sage": _mean_cost([[_climbed(look)] for look in looks]),
    }


@dataclass(frozen=True, slots=True)
class _Path:
    """The groups a method would draw in a visit, the last one to keep, and the tokens of the hints it asks for."""

    groups: Sequence[LookedGroup]
    hint_tokens: int


def _climbed(look: Look) -> _Path:
    groups = list(_until_opened(look.groups))
    # A climb to the end also asked for the hints of higher levels that were refused.
    highest = max(look.hint_costs, default=NO_HINT) if groups[-1].failed else groups[-1].level
    return _Path(groups, _tokens_up_to(look, highest))


def _until_opened(groups: Sequence[LookedGroup]) -> Iterator[LookedGroup]:
    for group in groups:
        yield group
        if not group.failed:
            return


def _settled(look: Look, shared_requests: bool) -> list[_Path]:
    """The visits that take turns once the level has settled."""
    if not look.bare.failed:
        return [_Path([look.bare], 0)]
    at = next((i for i, group in enumerate(look.groups) if i and _rate(group) > RAISE_AT_MOST), len(look.groups) - 1)
    taken = look.groups[at - 1 : at + 1] if at and _rate(look.groups[at]) > LOWER_ABOVE else look.groups[at : at + 1]
    # Without a usable hint it stands at the weakest level that it asks for, in vain at every visit.
    levels = [group.level or (min(look.hint_costs, default=NO_HINT) if len(look.groups) == 1 else 0) for group in taken]
    return [_Path([g], _hint_tokens(look, lvl, shared_requests)) for g, lvl in zip(taken, levels, strict=True)]


def _rate(group: LookedGroup) -> float:
    return 0.0 if group.unscored else group.num_correct / len(group.correct)


def _hint_tokens(look: Look, level: int, shared_requests: bool) -> int:
    if shared_requests:
        return _tokens_up_to(look, level)
    return look.hint_costs[level].tokens if level in look.hint_costs else 0


def _tokens_up_to(look: Look, highest: int) -> int:
    return sum(cost.tokens for level, cost in look.hint_costs.items() if level <= highest)


def _mean_cost(turns: Sequence[Sequence[_Path]]) -> MethodCost:
    """Over problems; paths that take turns for one problem share its weight."""
    weighted = [(path, 1.0 / (len(paths) * len(turns))) for paths in turns for path in paths]
    hint_tokens = sum(weight * path.hint_tokens for path, weight in weighted)
    sampled = sum(weight * sum(group.tokens) for path, weight in weighted for group in path.groups)
    return MethodCost(
        completions=sum(weight * len(group.tokens) for path, weight in weighted for group in path.groups),
        tokens=sampled + hint_tokens,
        hint_tokens=hint_tokens,
        signal=sum(weight * path.groups[-1].mixed for path, weight in weighted),
    )
