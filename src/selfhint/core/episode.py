"""One problem's visit, from its first group to the one that enters the update.

SAGE, SAGE-light and plain GRPO are this story told with different plans.
"""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.group import Group, Hint, Visit
from selfhint.core.levels import NO_HINT
from selfhint.core.plan import Plan
from selfhint.core.ports import HintSource, Judge, Reply, Request, Sample, VisitContext
from selfhint.core.problem import Problem

Episode = Generator[Request, Reply, Visit]


def run_visit(
    problem: Problem,
    plan: Plan,
    hints: HintSource,
    group_size: int,
    context: VisitContext,
) -> Episode:
    """Draws groups for one problem, level after level of the plan, until one is kept.

    Only the last group drawn is kept (METHOD: Algorithm 1 of arXiv 2602.03143). A level without a usable hint is not
    drawn; where that leaves nothing, level 0 is. A group that could not be scored ends the visit unhinted.

    Args:
        problem: x, τ* and the gold answer.
        plan: the levels, and when to stop.
        hints: writes a hint for a level.
        group_size: G.
        context: what the hint source may know.

    Yields:
        `Sample` and `Judge` requests.

    Returns:
        The visit with every group drawn and every hint made.
    """
    session = hints.session(problem, context)
    drawn: list[Group] = []
    missing: list[int] = []
    for level in plan.levels:
        hint: Hint | None = None
        if level > NO_HINT:
            hint = yield from session.hint(level)
            if hint is None:
                missing.append(level)
                continue
        group = yield from _draw_group(problem, level, hint, group_size, context)
        drawn.append(group)
        if group.unscored or not plan.goes_on(group):
            break
    if not drawn:
        drawn.append((yield from _draw_group(problem, NO_HINT, None, group_size, context)))
    return Visit(
        problem=problem,
        number=context.visit,
        scheduled_level=plan.levels[0],
        groups=tuple(drawn),
        missing=tuple(missing),
        why=plan.why,
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
