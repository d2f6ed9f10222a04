"""Looks written down: outcomes of each level's group as a word of 1 (correct), 0 (wrong) and ? (not judged)."""

from __future__ import annotations

from selfhint.diagnosis import HintCost, Look, LookedGroup, LookedHint

CORRECT = {"1": True, "0": False, "?": None}


def group(level, outcomes, tokens=10):
    return LookedGroup(level, tuple(CORRECT[o] for o in outcomes), (tokens,) * len(outcomes))


def look(key, *groups, round=0, refused=(), costs=None, tokens=10, hint_tokens=5):
    """`groups`: {level: outcomes} in one dictionary; each hinted group has an accepted hint.

    Args:
        refused: (level, reason) of further hints.
        costs: level → (requests, tokens).
    """
    (by_level,) = groups
    hints = [LookedHint(level, f"hint {level}", None, hint_tokens) for level in by_level if level]
    hints += [LookedHint(level, "bad", reason, 1) for level, reason in refused]
    return Look(
        key=key,
        question=f"question {key}",
        answer="a",
        round=round,
        groups=tuple(group(level, outcomes, tokens) for level, outcomes in by_level.items()),
        hints=tuple(hints),
        hint_costs={level: HintCost(*cost) for level, cost in (costs or {}).items()},
    )
