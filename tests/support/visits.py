"""Groups and visits written down instead of drawn."""

from __future__ import annotations

from selfhint.core.group import Completion, Group, Hint, Verdict, Visit
from support.episodes import CORRECT


def group(level, outcomes, tokens=1, key="k", hint=None):
    """A group with one completion for each outcome: right (1), wrong (0) or not judged (?)."""
    return Group(
        level=level,
        hint=hint or (Hint(f"{key}-0-{level}-0", key, level, "a hint", "scripted") if level else None),
        prompt="a prompt",
        completions=tuple(Completion(outcome, tokens) for outcome in outcomes),
        verdicts=tuple(Verdict.of(CORRECT[outcome]) for outcome in outcomes),
    )


def visit(problem, *groups, scheduled=None, number=0, missing=(), hints=(), hint_tokens=0, step=0, epoch=0):
    """A visit that was scheduled at the level of its first group unless said otherwise."""
    return Visit(
        problem=problem,
        number=number,
        scheduled_level=groups[0].level if scheduled is None else scheduled,
        groups=groups,
        missing=missing,
        hints=hints,
        hint_tokens=hint_tokens,
        step=step,
        epoch=epoch,
    )
