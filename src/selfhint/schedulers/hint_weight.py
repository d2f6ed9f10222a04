"""How much hinted groups weigh in the update: less and less as the policy solves problems without hints.

HATCH (arXiv 2609.34975, eq. 7-8): β_t = clip(κ·p_t^γ, 0, 1) with p_t = EMA(ρ_none)/(EMA(ρ_none) + EMA(ρ_partial) + ε),
where ρ_none and ρ_partial are the shares of groups with no and with some but not all completions correct, among the
groups that step t drew without a hint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from selfhint.core.group import Visit
from selfhint.core.levels import NO_HINT

EPSILON = 1e-6


class HintWeight:
    """β_t from the groups drawn so far. It combines with any scheduler.

    Ours: the averages begin with the first step that draws a group without a hint, and stay where a step draws none;
    before the first one p_t is 1.

    Args:
        kappa: κ, above 0.
        decay: share of the moving averages that a step leaves, from 0 (the step alone) to below 1.
        gamma: γ, above 0.
    """

    def __init__(self, kappa: float, decay: float, gamma: float = 5.0) -> None:
        self._kappa = kappa
        self._decay = decay
        self._gamma = gamma
        self._shares: tuple[float, float] | None = None

    def after(self, visits: Sequence[Visit]) -> float:
        """Takes in one step's visits and gives β for the same step's update."""
        bare = [g for visit in visits for g in visit.groups if g.level == NO_HINT and not g.unscored]
        if bare:
            none = sum(group.failed for group in bare) / len(bare)
            partial = sum(not (group.failed or group.all_correct) for group in bare) / len(bare)
            before = self._shares or (none, partial)
            self._shares = (
                self._decay * before[0] + (1.0 - self._decay) * none,
                self._decay * before[1] + (1.0 - self._decay) * partial,
            )
        return min(max(self._kappa * math.pow(self._hopeless(), self._gamma), 0.0), 1.0)

    def _hopeless(self) -> float:
        if self._shares is None:
            return 1.0
        none, partial = self._shares
        return none / (none + partial + EPSILON)

    def state_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"shares": self._shares}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a checkpoint."""
        shares = state["shares"]
        self._shares = None if shares is None else (float(shares[0]), float(shares[1]))
