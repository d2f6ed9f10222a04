"""What to train with, and why. Every threshold stands here, with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selfhint.diagnosis.costs import MethodCost
from selfhint.diagnosis.intervals import Estimate
from selfhint.diagnosis.levels import Opening
from selfhint.diagnosis.signal import Signal

MIN_PROBLEMS = 20
"""With fewer judged problems a share of one half is known to no better than ± 0.2."""

MAX_UNREADABLE = 0.1
"""More groups than this that cannot be judged are a fault of the data or the verifier: training would drop them all."""

TOO_EASY = 0.8
"""From this share of all-correct groups on, at most one group in five can teach anything, hinted or not."""

DENSE = 0.2
"""Up to this share of all-wrong groups, hints can reach at most one group in five; of the others enough must teach."""

MIN_HINTED = 0.5
"""Below this share of failed groups that got an accepted hint at some level, the hints are the fault, not the data."""

MIN_OPENED = 0.1
"""Below this share of failed groups that some hint opens, nine of ten costly climbs end with nothing."""

MIN_MIXED = 0.2
"""Plain GRPO learns if at least one group in five teaches without hints."""

MAX_COST_RATIO = 5.0
"""Where every problem climbs to the top SAGE draws four groups, at first: on the lab's hard set 4.1 times GRPO's
tokens, 1.8 over the whole run, and it was the surer method (docs/results.md). Beyond five times, writing hints costs
more than a group."""

MAX_AT_LIMIT = 0.3
"""From this share of completions as long as their limit on, the limit rather than the problem may be what fails."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommendation.

    Args:
        method: name of the method to train with; None where the data or the hints have to be mended first, or where too
            little was seen.
        title: one line.
        reasons: one line each, the deciding one first.
    """

    method: str | None
    title: str
    reasons: tuple[str, ...]


def advise(
    signal: Signal,
    opened: Sequence[Opening],
    hinted: Estimate,
    costs: Mapping[str, MethodCost],
    *,
    again: float | None,
    at_limit: float | None,
    num_without_solution: int = 0,
    no_hints_because: str | None = None,
) -> Advice:
    """Reads the figures in order: golds readable, enough seen, signal without hints, hints, their worth, their price.

    Args:
        signal: groups without hints.
        opened: by level, ascending.
        hinted: share of the failed groups with an accepted hint at some level, of those with a usable solution.
        again: what as many groups without hints as there are levels would open of the failed ones.
        costs: as `method_costs` gives them.
        at_limit: share of the completions without hint that are as long as their limit.
        num_without_solution: failed groups whose problem has no usable solution.
        no_hints_because: why no problem has a usable reference solution; None where some have.
    """
    decision = _decide(signal, opened, hinted, costs, again, no_hints_because)
    if num_without_solution and no_hints_because is None:
        note = (
            f"{num_without_solution} of the groups that failed belong to problems without a usable solution; training "
            "with hints leaves those out"
        )
        decision = Advice(decision.method, decision.title, (*decision.reasons, note))
    if at_limit is not None and at_limit >= MAX_AT_LIMIT:
        note = (
            f"{_percent(at_limit)} of the completions without a hint are as long as their limit, so answers may be cut "
            "off: look again with a larger --max-tokens before you trust the rest"
        )
        decision = Advice(decision.method, decision.title, (*decision.reasons, note))
    return decision


def _decide(
    signal: Signal,
    opened: Sequence[Opening],
    hinted: Estimate,
    costs: Mapping[str, MethodCost],
    again: float | None,
    no_hints_because: str | None,
) -> Advice:
    unreadable, all_wrong, all_correct = signal.unscored, signal.all_wrong, signal.all_correct
    if (unreadable.value or 0.0) > MAX_UNREADABLE:
        return Advice(
            None,
            "wrong data: gold answers that cannot be read",
            (
                f"{_share(unreadable)} of the groups could not be judged, over {_percent(MAX_UNREADABLE)}; "
                "correct the answers or set verifier.kind to their kind",
                *_unsettled(unreadable, MAX_UNREADABLE, "too many or not"),
            ),
        )
    if signal.num_problems < MIN_PROBLEMS or all_wrong.value is None or all_correct.value is None:
        return Advice(
            None,
            "too few problems looked at to say",
            (f"{signal.num_problems} problems were judged; look at {MIN_PROBLEMS} or more with --num",),
        )
    if all_correct.value >= TOO_EASY:
        return Advice(
            None,
            "wrong data: too easy",
            (
                f"{_share(all_correct)} of the groups are all correct, {_percent(TOO_EASY)} or more; "
                "take harder problems, or leave out those that are always solved",
                *_unsettled(all_correct, TOO_EASY, "too easy or not"),
            ),
        )
    if all_wrong.value <= DENSE and (signal.mixed.value or 0.0) >= MIN_MIXED:
        return Advice(
            "grpo",
            "plain GRPO: the signal is dense",
            (
                f"{_share(all_wrong)} of the groups are all wrong, at most {_percent(DENSE)}; hints reach no others",
                f"{_share(signal.mixed)} teach without hints",
                *_unsettled(all_wrong, DENSE, "dense or not"),
                *_unsettled(signal.mixed, MIN_MIXED, "dense or not"),
            ),
        )
    starved = f"{_share(all_wrong)} of the groups are all wrong and teach nothing without hints"
    if no_hints_because is not None:
        return Advice(
            None,
            "wrong data: no reference solutions to write hints from",
            (f"{starved}, and hints cannot be made: {no_hints_because}",),
        )
    if (hinted.value or 0.0) < MIN_HINTED:
        return Advice(
            None,
            "better hints first",
            (
                starved,
                f"only {_share(hinted)} of them got a hint that was accepted, under {_percent(MIN_HINTED)}; see why "
                "with selfhint hints preview, then try the other --format, more hints.max_tokens or another source",
                *_unsettled(hinted, MIN_HINTED, "enough hints or not"),
            ),
        )
    best = opened[-1].opened_so_far
    if (best.value or 0.0) < MIN_OPENED:
        return _hints_open_nothing(signal, starved, best)
    if again is not None and (best.value or 0.0) <= again:
        return _no_better_than_drawing_again(signal, starved, best, again)
    return _sage(signal, opened, starved, costs, again)


def _hints_open_nothing(signal: Signal, starved: str, best: Estimate) -> Advice:
    closed = f"hints up to the strongest open {_share(best)} of them, under {_percent(MIN_OPENED)}"
    unsettled = _unsettled(best, MIN_OPENED, "worth hinting or not")
    if (signal.mixed.value or 0.0) >= MIN_MIXED:
        return Advice(
            "grpo",
            "plain GRPO: hints do not help here, and enough groups teach without them",
            (f"{_share(signal.mixed)} of the groups teach without hints", starved, closed, *unsettled),
        )
    return Advice(
        None,
        "wrong data: too hard even with the strongest hint",
        (starved, closed, "take easier problems or a stronger policy", *unsettled),
    )


def _no_better_than_drawing_again(signal: Signal, starved: str, best: Estimate, again: float) -> Advice:
    reason = (
        f"hints up to the strongest open {_share(best)} of them, as many groups without hints would open "
        f"{_percent(again)}: draw larger groups (group_size), or look for better hints with selfhint hints preview"
    )
    reasons = (reason, *_unsettled(best, again, "better than drawing again or not"))
    if (signal.mixed.value or 0.0) >= MIN_MIXED:
        return Advice("grpo", "plain GRPO: hints open no more than drawing again does", (starved, *reasons))
    return Advice(None, "better hints first, or larger groups", (starved, *reasons))


def _sage(
    signal: Signal, opened: Sequence[Opening], starved: str, costs: Mapping[str, MethodCost], again: float | None
) -> Advice:
    grpo, light, sage = costs["grpo"], costs["sage-light"], costs["sage"]
    ratio = sage.tokens / grpo.tokens
    by_level = ", ".join(f"level {o.level} {_percent(o.opened.value or 0.0)}" for o in opened)
    reasons = [
        starved,
        f"a hint opens {_share(opened[-1].opened_so_far)} of them ({by_level})",
        *_against_drawing_again(opened[-1].opened_so_far, again),
        f"groups that teach: {_percent(grpo.signal)} without hints, {_percent(sage.signal)} with SAGE",
    ]
    if ratio <= MAX_COST_RATIO:
        method, title = "sage", "SAGE"
        reasons.append(
            f"SAGE samples {ratio:.1f} times the tokens of plain GRPO, at most {MAX_COST_RATIO:g} times; that falls as "
            "problems get solved"
        )
    else:
        method, title = "sage-light", "SAGE-light"
        reasons.append(
            f"SAGE would sample {ratio:.1f} times the tokens of plain GRPO, over {MAX_COST_RATIO:g} times; SAGE-light "
            f"{light.tokens / grpo.tokens:.1f} times. It moves a level each visit, so plan for several epochs, and "
            "watch groups/no_signal: on the lab tasks some of its runs stopped learning where SAGE's did not"
        )
    unsettled = (
        *_unsettled(opened[-1].opened_so_far, MIN_OPENED, "worth hinting or not"),
        *_unsettled(signal.all_wrong, DENSE, "dense or not"),
    )
    return Advice(method, title, (*reasons, *unsettled))


def _against_drawing_again(best: Estimate, again: float | None) -> tuple[str, ...]:
    if again is None:
        return ()
    settled = "" if best.low is None or best.low > again else ", which the interval includes: look at more problems"
    return (f"as many groups without hints would open about {_percent(again)}{settled}",)


def _unsettled(estimate: Estimate, threshold: float, what: str) -> tuple[str, ...]:
    if estimate.low is None or estimate.high is None or not estimate.low < threshold < estimate.high:
        return ()
    return (f"the interval includes {_percent(threshold)}, so {what} is not settled: look at more problems with --num",)


def _share(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "none"
    return f"{_percent(estimate.value)} ({_percent(estimate.low)} to {_percent(estimate.high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
