"""Episodes over problems, hints and completions that follow from a seed."""

from __future__ import annotations

import hashlib
import random

from selfhint.core.episode import run_visit
from selfhint.core.group import Hint, HintTrail
from selfhint.core.ports import Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import append_to_prompt
from selfhint.engines.scripted import ScriptedEngine

RIGHT_BY_LEVEL = {0: 0.05, 1: 0.1, 2: 0.25, 3: 0.5}
CORRECT = {"1": True, "0": False, "?": None}


def problems(num: int) -> list[Problem]:
    return [
        Problem(f"problem {i}", f"because of {i}", str(i), [{"role": "user", "content": f"problem {i}"}])
        for i in range(num)
    ]


def script_of(seed, right_by_level=RIGHT_BY_LEVEL):
    """Texts by (seed, key, visit, level, purpose, attempt, i); right with a chance that depends on the level."""

    def script(request: Sample, i: int) -> str:
        identity = (seed, request.key, request.visit, request.level, request.purpose, request.attempt, i)
        rng = random.Random(hashlib.sha256(repr(identity).encode()).digest())
        if request.purpose == "hint":
            return f"hint {rng.randrange(1000)}"
        number = request.prompt[-1]["content"].split()[1]
        return number if rng.random() < right_by_level[request.level] else "wrong"

    return script


def outcome_engine(by_level):
    """Draws fixed outcomes, right (1), wrong (0) or not to be judged (?), at each level: {0: "0000", 1: "01?0"}.

    Drawing at a level that is not in the table is a KeyError. Every completion is one token long, every hint six.
    """

    def script(request: Sample, i: int) -> str:
        return "a hint" if request.purpose == "hint" else by_level[request.level][i]

    return ScriptedEngine(script, is_correct=lambda problem, text: CORRECT[text])


class ScriptedHints:
    """Asks the policy once a try; refuses the (key, level, try) combinations it was told to."""

    name = "scripted"

    def __init__(self, refuse=frozenset(), tries=3):
        self.refuse = refuse
        self.tries = tries

    def session(self, problem, context):
        return _Session(self, problem, context)


class _Session:
    def __init__(self, source, problem, context):
        self.trail = HintTrail()
        self._source, self._problem, self._context = source, problem, context

    def hint(self, level):
        for attempt in range(self._source.tries):
            key = self._problem.key
            request = Sample(key, self._context.visit, level, "hint", f"write {key}", 1, attempt)
            (completion,) = yield request
            self.trail.num_tokens += completion.num_tokens
            refused = "scripted" if (key, level, attempt) in self._source.refuse else None
            made = Hint(
                f"{key}-{self._context.visit}-{level}-{attempt}", key, level, completion.text, "scripted", refused
            )
            self.trail.hints.append(made)
            if refused is None:
                return made
        return None


def refusals(batch, levels=(1, 2, 3), tries=3):
    """What to refuse so that these problems have no hint at these levels."""
    return {(problem.key, level, attempt) for problem in batch for level in levels for attempt in range(tries)}


def hinted(prompt, text):
    return append_to_prompt(prompt, f" given {text}")


def episodes_for(batch, ledger, scheduler, group_size, step=0, hints=None):
    """An episode for each problem; copies of a problem count as its next visits, as in an engine."""
    source = hints or ScriptedHints()
    keys = [problem.key for problem in batch]
    numbers = ledger.visit_numbers(keys)
    plans = scheduler.plans(ledger, list(zip(keys, numbers, strict=True)))
    return [
        run_visit(problem, plan, source, group_size, VisitContext(step, number, hinted, lambda prompt: True))
        for problem, plan, number in zip(batch, plans, numbers, strict=True)
    ]


def play(episode, engine):
    """Runs one episode to its end. Returns the visit and every request in order."""
    requests, reply = [], None
    while True:
        try:
            request = episode.send(reply)
        except StopIteration as end:
            return end.value, requests
        requests.append(request)
        reply = engine.sample_one(request) if isinstance(request, Sample) else engine.judge_one(request)
