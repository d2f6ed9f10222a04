"""What a step would sample under each method, with the policy as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selfhint.core.levels import NO_HINT
from selfhint.diagnosis.look import Look, LookedGroup

RAISE_AT_MOST = 0.1
"""SAGE-light raises a problem's level up to this success rate (schedulers.epoch)."""


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
    at the lowest level whose success rate is above the one that raises, else at the strongest; before that, in a
    problem's first visits, it costs what plain GRPO does.

    Args:
        shared_requests: one answer holds the hints of all levels, so that SAGE-light's one level costs what the levels
            up to it cost here; otherwise it costs its own request.

    Raises:
        ValueError: there are no looks.
    """
    if not looks:
        raise ValueError("costs need at least one look")
    return {
        "grpo": _mean_cost([_Path([look.bare], 0) for look in looks]),
        "sage-light": _mean_cost([_settled(look, shared_requests) for look in looks]),
        "sage": _mean_cost([_climbed(look) for look in looks]),
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


def _settled(look: Look, shared_requests: bool) -> _Path:
    hinted = look.groups[1:] if look.bare.failed else ()
    raised = (g for g in hinted if not g.unscored and g.num_correct > RAISE_AT_MOST * len(g.correct))
    group = next(raised, look.groups[-1] if hinted else look.bare)
    if shared_requests:
        return _Path([group], _tokens_up_to(look, group.level))
    return _Path([group], look.hint_costs[group.level].tokens if group.level in look.hint_costs else 0)


def _tokens_up_to(look: Look, highest: int) -> int:
    return sum(cost.tokens for level, cost in look.hint_costs.items() if level <= highest)


def _mean_cost(paths: Sequence[_Path]) -> MethodCost:
    num = len(paths)
    hint_tokens = sum(path.hint_tokens for path in paths)
    sampled = sum(sum(group.tokens) for path in paths for group in path.groups)
    return MethodCost(
        completions=sum(len(group.tokens) for path in paths for group in path.groups) / num,
        tokens=(sampled + hint_tokens) / num,
        hint_tokens=hint_tokens / num,
        signal=sum(path.groups[-1].mixed for path in paths) / num,
    )
