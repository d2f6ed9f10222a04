"""The current policy writes the hints (METHOD: "self, online"; Algorithm 1 of arXiv 2602.03143)."""

from __future__ import annotations

from selfhint.core.ports import Purpose
from selfhint.hints.asking import AskingHints


class SelfHints(AskingHints):
    """Asks the policy that is being trained, at every visit or as `refresh` says."""

    name = "self"
    purpose: Purpose = "hint"
    keeps_to_budget = True
