"""What all problems together show of each level: mean success, how much problems differ, and what a group costs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, fields

from selfhint.core.ledger import Ledger, Tally
from selfhint.core.levels import NO_HINT, NUM_LEVELS

LEVELS = range(NO_HINT, NUM_LEVELS + 1)
PRIOR_GROUPS = 2.0
"""What is assumed of a level weighs as much as so many groups that were seen."""
STRONGEST_MEAN = 0.5
"""Assumed mean success at the strongest level."""
NEXT_WEAKER = 0.5
"""Each weaker level is assumed to have this share of the success of the next stronger one."""
LIKENESS = 0.5
"""Assumed correlation between two completions of one problem at one level."""
LEAST_LIKENESS = 0.02
LEAST_MEAN = 1e-4
"""Means keep this distance from 0 and from 1, likeness its own: a Beta distribution needs both parameters above 0."""


@dataclass(frozen=True, slots=True)
class LevelView:
    """One level.

    Args:
        mean: success probability, averaged over problems.
        groups: groups behind it, discounted, those of the prior included.
        weight: completions that a problem's own record must hold to count as much as `mean` does.
        hint_tokens: sampled to write the hint of one group.
    """

    mean: float
    groups: float
    weight: float
    hint_tokens: float


@dataclass(frozen=True, slots=True)
class Population:
    """All levels as they stood before a step.

    Args:
        group_size: G of the last step with a scored group.
        tokens: sampled in one group, over all levels. (Levels are drawn for different problems: a difference between
            them would speak of the problems.)
        levels: by level.
    """

    group_size: int
    tokens: float
    levels: Mapping[int, LevelView]

    @classmethod
    def of(cls, ledger: Ledger, discount: float) -> Population | None:
        """The view from a ledger; None where no group could be scored yet.

        Args:
            discount: weight of a step against the one after it.
        """
        sums = {level: dict.fromkeys(_NAMES, 0.0) for level in LEVELS}
        group_size = 0
        for age, step in enumerate(reversed(ledger.steps)):
            for level, tally in step.items():
                group_size = group_size or tally.size // tally.groups
                for name in _NAMES:
                    sums[level][name] += discount**age * getattr(tally, name)
        drawn, tokens = (sum(seen[name] for seen in sums.values()) for name in ("drawn", "tokens"))
        if not drawn:
            return None
        return cls(group_size, tokens / drawn, _views(sums, group_size))

    def means(self) -> dict[int, float]:
        """Each level's mean."""
        return {level: view.mean for level, view in self.levels.items()}

    def draw_means(self, rng: random.Random) -> dict[int, float]:
        """A draw of each level's mean from its Beta posterior (Thompson)."""
        return {
            level: _inside(rng.betavariate(view.mean * view.groups, (1.0 - view.mean) * view.groups))
            for level, view in sorted(self.levels.items())
        }


_NAMES = tuple(field.name for field in fields(Tally))


def _inside(mean: float) -> float:
    return min(max(mean, LEAST_MEAN), 1.0 - LEAST_MEAN)


def _views(sums: Mapping[int, Mapping[str, float]], group_size: int) -> dict[int, LevelView]:
    views: dict[int, LevelView] = {}
    assumed = STRONGEST_MEAN
    for level in reversed(LEVELS):
        seen = sums[level]
        groups = seen["groups"] + PRIOR_GROUPS
        mean = _inside((seen["right"] / group_size + PRIOR_GROUPS * assumed) / groups)
        hint_tokens = seen["hint_tokens"] / seen["groups"] if seen["groups"] else 0.0
        views[level] = LevelView(mean, groups, _weight(seen, mean, group_size), hint_tokens)
        assumed = NEXT_WEAKER * mean
    return views


def _weight(seen: Mapping[str, float], mean: float, group_size: int) -> float:
    """Weight w = 1/ρ − 1 of a Beta prior, ρ the correlation within a group by the method of moments.

    For k correct of G in a beta-binomial group, E[k²] = G²m² + G m (1 − m)(1 + (G − 1) ρ). The assumed likeness counts
    as `PRIOR_GROUPS` groups.
    """
    if group_size == 1:
        return 1.0 / LIKENESS - 1.0
    one = group_size * mean * (1.0 - mean)
    excess = seen["right_squared"] - seen["groups"] * ((group_size * mean) ** 2 + one)
    likeness = (excess / (group_size - 1) + PRIOR_GROUPS * one * LIKENESS) / ((seen["groups"] + PRIOR_GROUPS) * one)
    return 1.0 / min(max(likeness, LEAST_LIKENESS), 1.0 - LEAST_LIKENESS) - 1.0
