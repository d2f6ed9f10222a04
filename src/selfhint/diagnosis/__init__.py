"""What a policy does on a sample of problems, with and without hints, and what follows from it. Loads no framework.

`look.py` holds what was seen, `intervals.py` how sure it is, `levels.py` what each hint level does, `costs.py` what the
methods would spend, `advice.py` the recommendation with its thresholds.
"""

from __future__ import annotations

from selfhint.diagnosis.advice import Advice, advise
from selfhint.diagnosis.again import opened_by_drawing_again
from selfhint.diagnosis.costs import MethodCost, method_costs
from selfhint.diagnosis.intervals import Estimate, share_of, success_rate, wilson
from selfhint.diagnosis.levels import LevelSummary, Opening, openings, summarise_levels
from selfhint.diagnosis.look import EveryLevel, HintCost, Look, LookedGroup, LookedHint, counting, read_look
from selfhint.diagnosis.signal import Signal, signal_of

__all__ = [
    "Advice",
    "Estimate",
    "EveryLevel",
    "HintCost",
    "LevelSummary",
    "Look",
    "LookedGroup",
    "LookedHint",
    "MethodCost",
    "Opening",
    "Signal",
    "advise",
    "counting",
    "method_costs",
    "opened_by_drawing_again",
    "openings",
    "read_look",
    "share_of",
    "signal_of",
    "success_rate",
    "summarise_levels",
    "wilson",
]
