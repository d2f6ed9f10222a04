"""The groups of a run on the riddles whose completions are right by their seeds: what every engine must draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfhint.config import split_overrides
from selfhint.core.episode import run_visit
from selfhint.core.ledger import Ledger
from selfhint.core.ports import Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.engines.build import make_hints, make_scheduler
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.scripted import ScriptedEngine
from selfhint.engines.seeds import completion_seed
from selfhint.hints import insert_hint
from selfhint.runlog import group_line
from support import riddle_set

SEED = 0


def problems() -> dict[str, Problem]:
    """The riddles by key."""
    made = [Problem(r["problem"], r["solution"], r["answer"], r["prompt"]) for r in riddle_set.rows()]
    return {problem.key: problem for problem in made}


def words(method: str) -> list[str]:
    """The settings, as verl's entry point takes them."""
    return [
        f"selfhint.method={method}",
        f"selfhint.seed={SEED}",
        "selfhint.hints.format=text",
        "selfhint.hints.max_tokens=64",
    ]


def expected(steps: Sequence[Sequence[str]], method: str) -> tuple[list[dict[str, Any]], Ledger]:
    """What an episode driver that knows no engine makes of the same steps.

    Args:
        steps: the keys of each step's problems, in order.
        method: one of METHODS.

    Returns:
        The lines of groups.jsonl without epochs, and the ledger.
    """
    settings, _ = split_overrides(words(method))
    by_key, ledger, found = problems(), Ledger(), []

    def script(request: Sample, i: int) -> str:
        return riddle_set.seeded(text_of(request), completion_seed(SEED, request, i))

    engine = ScriptedEngine(script, num_tokens=lambda text: len(text.encode()) + 1)
    scheduler, hints = make_scheduler(settings, seed=SEED, steps=len(steps)), make_hints(settings)
    for step, keys in enumerate(steps, start=1):
        episodes = []
        numbers = ledger.visit_numbers(keys)
        plans = scheduler.plans(ledger, list(zip(keys, numbers, strict=True)))
        for key, number, plan in zip(keys, numbers, plans, strict=True):
            epoch = (step - 1) // (len(by_key) // riddle_set.PROBLEMS_A_STEP)
            context = VisitContext(step, number, insert_hint, lambda prompt: True, ledger.record(key).hints, epoch)
            episodes.append(run_visit(by_key[key], plan, hints, riddle_set.GROUP_SIZE, context))
        visits = drive_lockstep(episodes, engine)
        ledger.add_step(visits)
        found += [group_line(visit, step, 0) for visit in visits]
    return [without_epoch(line) for line in found], ledger


def text_of(request: Sample) -> str:
    """The prompt as the policy reads it."""
    _, tokenizer = riddle_set.policy()
    rendered: str = tokenizer.apply_chat_template(request.prompt, add_generation_prompt=True, tokenize=False)
    return rendered


def without_epoch(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of groups.jsonl that two data loaders can agree on."""
    return {key: value for key, value in line.items() if key != "epoch"}
