"""One problem's visit, from its first group to the one that enters the update.

SAGE, SAGE-light and plain GRPO are this story told with different schedulers.
"""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.group import Group, Hint, Visit
from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import HintSource, Judge, Reply, Request, Sample, Scheduler, VisitContext
from selfhint.core.problem import Problem

Episode = Generator[Request, Reply, Visit]


def run_visit(
    problem: Problem,
    record: ProblemRecord,
    scheduler: Scheduler,
    hints: HintSource,
    group_size: int,
    context: VisitContext,
) -> Episode:
    """Draws groups for one problem until the scheduler keeps one.

    Only the last group drawn is kept (METHOD: Algorithm 1 of arXiv 2602.03143). A level without a usable hint is not
    drawn; the scheduler names the level to try instead. A group that could not be scored ends the visit unhinted.

    Args:
        problem: x, τ* and the gold answer.
        record: the problem's history as it stood before the step.
        scheduler: decides the levels.
        hints: writes a hint for a level.
        group_size: G.
        context: what the hint source may know.

    Yields:
        `Sample` and `Judge` requests.

    Returns:
        The visit with every group drawn and every hint made.
    """
    session = hints.session(problem, context)
    scheduled = scheduler.start(record)
    drawn: list[Group] = []
    level: int | None = scheduled
    while level is not None:
        hint: Hint | None = None
        if level > NO_HINT:
            hint = yield from session.hint(level)
            if hint is None:
                level = scheduler.without_hint(level)
                continue
        group = yield from _draw_group(problem, level, hint, group_size, context)
        drawn.append(group)
        level = None if group.unscored else scheduler.after_group(group)
    if not drawn:
        raise RuntimeError(f"scheduler {scheduler.name} ended the visit of {problem.key} without a group")
    return Visit(
        problem=problem,
        number=context.visit,
        scheduled_level=scheduled,
        groups=tuple(drawn),
        hints=tuple(session.trail.hints),
        hint_tokens=session.trail.num_tokens,
        step=context.step,
        epoch=context.epoch,
    )


def _draw_group(
    problem: Problem, level: int, hint: Hint | None, group_size: int, context: VisitContext
) -> Generator[Request, Reply, Group]:
    prompt = problem.prompt if hint is None else context.hinted(problem.prompt, hint.text)
    completions = tuple(
        (
            yield Sample(
                key=problem.key, visit=context.visit, level=level, purpose="solve", prompt=prompt, num=group_size
            )
        )
    )
    verdicts = tuple((yield Judge(problem=problem, visit=context.visit, prompt=prompt, completions=completions)))
    if not len(completions) == len(verdicts) == group_size:
        raise RuntimeError(
            f"problem {problem.key}: wanted {group_size} completions, "
            f"got {len(completions)} with {len(verdicts)} verdicts"
        )
    return Group(level=level, hint=hint, prompt=prompt, completions=completions, verdicts=verdicts)
