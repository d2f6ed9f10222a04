"""`selfhint hints preview`: the hints that the policy would write, what the guard says of them, and what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from selfhint.cli.look_options import LookOptions
from selfhint.cli.look_tables import interval, level_names, number, percent, print_table, probability, quantity_table
from selfhint.cli.looking import Looked, hinted_sample, look
from selfhint.diagnosis import LevelSummary, Look, LookedHint, summarise_levels
from selfhint.hints import REASONS, SOURCE_REASONS

EXAMPLES = 2
"""Accepted and refused hints shown of each level."""
SHOWN = 400
"""Characters shown of a hint."""
SHOWN_PROBLEM = 80


def preview(options: LookOptions, console: Console) -> None:
    """Looks, prints the table and examples, and writes everything to `options.out`.

    Raises:
        InputError, RunError, Stopped: as `look`.
    """
    looked = look(options, hinted_sample, _summary, console, only_failed=False)
    levels = _levels(looked)
    print_table(console, _table(looked, levels))
    for line in _notes(looked, levels):
        console.print(line)
    for line in _examples(looked.looks, options.levels):
        console.print(line)


def _levels(looked: Looked) -> list[LevelSummary]:
    recipe = looked.options.recipe
    return summarise_levels(looked.looks, looked.options.levels, recipe.group_size, recipe.max_completion_tokens)


def _summary(looked: Looked) -> Mapping[str, Any]:
    return {"levels": [asdict(level) for level in _levels(looked)]}


def _table(looked: Looked, levels: Sequence[LevelSummary]) -> Any:
    group_size = looked.options.recipe.group_size
    reasons = dict.fromkeys(reason for level in levels for reason in level.refused)
    flags = dict.fromkeys(reason for level in levels for reason in level.flagged)

    def hints(values: Sequence[str]) -> list[str]:
        return ["", *values[1:]]

    rows: list[tuple[str, Sequence[str]]] = [
        ("requests for hints", hints([number(x.requests) for x in levels])),
        ("texts due", hints([number(x.tries) for x in levels])),
        ("texts read", hints([percent(x.read) for x in levels])),
        *((f"refused: {reason}", hints([number(x.refused.get(reason, 0)) for x in levels])) for reason in reasons),
        *(
            (f"used although flagged: {reason}", hints([number(x.flagged.get(reason, 0)) for x in levels]))
            for reason in flags
        ),
        ("problems with a hint", hints([number(x.accepted) for x in levels])),
        ("tokens of a hint", hints([number(x.hint_tokens) for x in levels])),
        ("completions judged", [number(x.completions) for x in levels]),
        ("correct", [number(x.correct) for x in levels]),
        ("success rate p", [probability(x.success.value) for x in levels]),
        ("  95 % interval", [interval(x.success) for x in levels]),
        ("  same problems, no hint", hints([probability(x.success_without_hint.value) for x in levels])),
        (f"gate u(p) at G = {group_size}", [probability(x.gate) for x in levels]),
        ("groups that teach", [percent(x.mixed.value) for x in levels]),
        ("  95 % interval", [interval(x.mixed) for x in levels]),
        ("tokens of a completion", [number(x.completion_tokens) for x in levels]),
        ("  as long as the limit", [percent(x.at_limit) for x in levels]),
    ]
    return quantity_table("Hints by level", level_names([x.level for x in levels]), rows)


def _notes(looked: Looked, levels: Sequence[LevelSummary]) -> Iterator[str]:
    visits = looked.looks
    written = sum(cost.tokens for one in visits for cost in one.hint_costs.values())
    yield (
        f"{len(visits)} problems, G = {looked.options.recipe.group_size}; {written:,} tokens sampled to write hints, "
        f"{written / len(visits):,.0f} a problem."
    )
    if looked.shared_requests:
        yield "One answer serves all levels, so a request counts for the level that it was made for."
    unscored = sum(one.bare.unscored for one in visits)
    if unscored:
        yield f"{unscored} problems could not be judged (the gold answer is unreadable); they got no hints."
    for reason in dict.fromkeys(reason for level in levels for reason in {**level.refused, **level.flagged}):
        yield f"  {reason}: {(REASONS | SOURCE_REASONS).get(reason, reason)}"


def _examples(looks: Sequence[Look], levels: Sequence[int]) -> Iterator[str]:
    for level in levels:
        hints = [(one, hint) for one in looks for hint in one.hints if hint.level == level]
        accepted = [(one, hint) for one, hint in hints if hint.refused is None]
        by_reason = {hint.refused: (one, hint) for one, hint in reversed(hints) if hint.refused is not None}
        for one, hint in [*accepted[:EXAMPLES], *list(by_reason.values())[:EXAMPLES]]:
            yield ""
            yield _head(one, hint)
            yield f"  {_short(hint.text, SHOWN) or '(nothing)'}"


def _head(one: Look, hint: LookedHint) -> str:
    outcome = "accepted" if hint.refused is None else f"refused: {hint.refused}"
    if hint.flagged is not None:
        outcome = f"accepted although flagged: {hint.flagged}"
    group = one.group(hint.level) if hint.refused is None else None
    success = "" if group is None else f", {group.num_correct} of {len(group.correct)} correct with it"
    return f'Level {hint.level}, {outcome}{success} - "{_short(one.question, SHOWN_PROBLEM)}"'


def _short(text: str, length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 3]}..."
