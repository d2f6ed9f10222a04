"""The engine of one visit over a small worker: groups by agent loops, hints by single requests, verdicts by rewards."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from selfhint.config import VerlSettings
from selfhint.core.group import Completion, Verdict
from selfhint.core.ledger import Ledger
from selfhint.core.ports import Judge, Sample
from selfhint.core.prompt import question_of
from selfhint.engines.drive import drive_async
from selfhint.engines.scripted import ScriptedEngine
from selfhint.engines.seeds import completion_seed
from selfhint.engines.verl.engine import VerlEngine, all_settled
from selfhint.schedulers import EpochLevels, Ladder, NoHints
from support.episodes import ScriptedHints, episodes_for, play, problems, refusals
from support.refusals import refused

SEED = 5
BASE = {"temperature": 0.7, "logprobs": True}
TRAJECTORY = {"step": 3}
PROMPT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "problem 1"}]
ROW = {"uid": "u", "raw_prompt": PROMPT, "agent_name": "mine", "answer": "1"}
END = 0x10FFFF


class Tokenizer:
    """A token for each character, and one for the end."""

    def decode(self, ids, skip_special_tokens=False):
        return "".join("" if i == END and skip_special_tokens else chr(i) for i in ids)


def tokens(text):
    return [*map(ord, text)]


def output(prompt, text, mask=None, **changes):
    ids = [*tokens(text), END]
    return SimpleNamespace(
        **{
            "prompt_ids": tokens("".join(f"<{m['role']}>{m['content']}" for m in prompt)),
            "response_ids": ids,
            "response_mask": mask or [1] * len(ids),
            "reward_score": None,
            "extra_fields": {},
            **changes,
        }
    )


class Worker:
    """What the engine needs of verl's agent-loop worker. Keeps the calls."""

    def __init__(self, answer=lambda prompt, params: "1", **settings):
        self.settings = VerlSettings.model_validate({"seed": SEED, **settings})
        self.tokenizer = Tokenizer()
        self.rollout_config = SimpleNamespace(prompt_length=1000)
        self.answer = answer
        self.drawn, self.asked, self.scored = [], [], []

    async def draw_unpublished(self, sampling_params, trajectory, row, session):
        self.drawn.append((sampling_params, trajectory, row, session))
        await asyncio.sleep(0.0001 * (session % 3))
        return [output(row["raw_prompt"], self.answer(row["raw_prompt"], sampling_params))]

    async def ask(self, prompt, sampling_params):
        self.asked.append((prompt, sampling_params))
        text = self.answer(prompt, sampling_params)
        return Completion(text, len(text) + 1)

    async def score(self, outputs, row):
        self.scored.append((outputs, row))
        text = self.tokenizer.decode(outputs[-1].response_ids, skip_special_tokens=True)
        outputs[-1].reward_score = float(text == row["answer"])
        outputs[-1].extra_fields["reward_extra_info"] = {"acc": outputs[-1].reward_score}


def engine_of(worker, row=ROW):
    return VerlEngine(worker, row, BASE, TRAJECTORY)


def solve(prompt=PROMPT, num=4, **changes):
    return Sample(**{"key": "k", "visit": 1, "level": 0, "purpose": "solve", "prompt": prompt, "num": num, **changes})


def sample(worker, request):
    return asyncio.run(engine_of(worker).sample(request))


# Groups


def test_a_group_is_drawn_by_the_agent_loop_with_the_requests_prompt_and_a_seed_each():
    worker = Worker(lambda prompt, params: str(params["seed"]))
    hinted = [PROMPT[0], {"role": "user", "content": "problem 1 given a hint"}]
    request = solve(hinted, level=2)
    completions = sample(worker, request)
    seeds = [completion_seed(SEED, request, i) for i in range(4)]
    assert [c.text for c in completions] == [str(seed) for seed in seeds]
    assert [c.num_tokens for c in completions] == [len(str(seed)) + 1 for seed in seeds]
    for i, (params, trajectory, row, session) in enumerate(worker.drawn):
        assert params == {**BASE, "seed": seeds[i]}
        assert trajectory is TRAJECTORY
        assert row == {**ROW, "raw_prompt": hinted}
        assert session == i
    assert ROW["raw_prompt"] is PROMPT, "the row keeps the solver's prompt"
    assert BASE == {"temperature": 0.7, "logprobs": True}


def test_without_a_seed_of_the_run_requests_have_none():
    worker = Worker(seed=None)
    sample(worker, solve())
    sample(worker, Sample("k", 0, 1, "hint", PROMPT, 1))
    assert [params for params, *_ in worker.drawn] == [BASE] * 4
    assert "seed" not in worker.asked[0][1]


def test_only_the_policys_own_tokens_of_all_turns_are_its_completion():
    class Turns(Worker):
        async def draw_unpublished(self, sampling_params, trajectory, row, session):
            first = output(row["raw_prompt"], "call tool", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
            longer = [*row["raw_prompt"], {"role": "tool", "content": "42"}]
            return [first, output(longer, "done", [1, 1, 1, 1, 1])]

    worker = Turns()
    (completion,) = sample(worker, solve(num=1))
    assert (completion.text, completion.num_tokens) == ("calldone", 9)
    assert len(completion.raw) == 2


# What was asked


class Deaf(Worker):
    """Its agent loop makes up its own prompt."""

    def __init__(self, sent, **settings):
        super().__init__(**settings)
        self.sent = sent

    async def draw_unpublished(self, sampling_params, trajectory, row, session):
        return [output(self.sent, "1")]


@pytest.mark.parametrize(
    "sent",
    [[{"role": "user", "content": "problem"}], [PROMPT[0]], [], [{"role": "user", "content": "problem 1 given"}]],
)
def test_a_prompt_that_lacks_the_hint_is_refused(sent):
    hinted = [PROMPT[0], {"role": "user", "content": "problem 1 given a hint"}]
    refused(
        lambda: sample(Deaf(sent), solve(hinted)),
        "agent loop mine",
        "'problem 1 given a hint'",
        "raw_prompt",
        "data.max_prompt_length",
        "selfhint.method=grpo",
    )


def test_a_row_that_verl_cuts_is_trained_on_as_it_is():
    cut = Deaf([{"role": "user", "content": "lem 1"}])
    cut.rollout_config.prompt_length = len("<user>lem 1")
    assert len(sample(cut, solve())) == 4
    cut.rollout_config.prompt_length += 1
    refused(lambda: sample(cut, solve()), "data.max_prompt_length")


def test_the_mend_that_it_names_works():
    assert len(sample(Deaf([], method="grpo"), solve())) == 4


@pytest.mark.parametrize("sent", ["problem  1\n", "problem１", "\tproblem\u00a01"])
def test_white_space_and_unicode_forms_that_tokenizers_change_are_no_difference(sent):
    assert len(sample(Deaf([{"role": "user", "content": sent}]), solve())) == 4


def test_a_system_message_may_be_the_loops_own():
    assert len(sample(Deaf([{"role": "system", "content": "Call tools."}, PROMPT[1]]), solve())) == 4


# Hints


def test_a_hint_is_one_request_with_its_own_budget():
    worker = Worker(lambda prompt, params: f"hint {params['seed']}", hints={"max_tokens": 77})
    request = Sample("k", 1, 2, "hint", "write", 2, attempt=1)
    completions = sample(worker, request)
    seeds = [completion_seed(SEED, request, i) for i in range(2)]
    assert [c.text for c in completions] == [f"hint {seed}" for seed in seeds]
    assert worker.asked == [
        ("write", {"temperature": 0.7, "logprobs": False, "max_tokens": 77, "seed": seed}) for seed in seeds
    ]
    assert worker.drawn == []


# Verdicts


def test_verdicts_come_from_the_reward_loop_in_order():
    worker = Worker()
    texts = ["1", "2", "1", "11"]
    completions = tuple(Completion(text, 1, [output(PROMPT, text)]) for text in texts)
    verdicts = asyncio.run(engine_of(worker).judge(Judge(problems(2)[1], 0, PROMPT, completions)))
    assert verdicts == [Verdict.of(text == "1") for text in texts]
    assert [row for _, row in worker.scored] == [ROW] * 4


def test_the_last_output_carries_the_reward_and_the_settings_say_which():
    class Partial(Worker):
        async def score(self, outputs, row):
            outputs[-1].reward_score = 0.25
            outputs[-1].extra_fields["reward_extra_info"] = {"score": 0.25, "share": 0.5, "style": 1.0}

    outputs = [output(PROMPT, "a"), output(PROMPT, "b")]
    judge = Judge(problems(2)[1], 0, PROMPT, (Completion("ab", 2, outputs),))
    worker = Partial(correct="share", correct_at_least=0.5)
    assert asyncio.run(engine_of(worker).judge(judge)) == [Verdict(correct=True, reward=0.5)]
    refused(lambda: asyncio.run(engine_of(Partial()).judge(judge)), "score, share, style", "selfhint.correct=")


def test_a_reward_loop_that_returns_nothing_beside_the_score():
    class Bare(Worker):
        async def score(self, outputs, row):
            outputs[-1].reward_score = 1.0

    for fields in ({}, {"reward_extra_info": None}):
        completion = Completion("1", 1, [output(PROMPT, "1", extra_fields=fields)])
        judge = Judge(problems(2)[1], 0, PROMPT, (completion,))
        assert asyncio.run(engine_of(Bare()).judge(judge)) == [Verdict.of(True)]


# Errors


def test_an_error_is_raised_after_all_have_ended():
    ended = []

    async def work(i):
        await asyncio.sleep(0.01 * i)
        ended.append(i)
        if i in (0, 2):
            raise OSError(f"number {i}")
        return i

    with pytest.raises(OSError, match="number 0"):
        asyncio.run(all_settled([work(i) for i in range(4)]))
    assert ended == [0, 1, 2, 3]
    assert asyncio.run(all_settled([work(i) for i in (3, 1)])) == [3, 1]
    assert asyncio.run(all_settled([])) == []


@pytest.mark.parametrize("where", ["draw_unpublished", "score"])
def test_a_failing_draw_or_score_ends_the_visit_when_its_siblings_are_done(where):
    class Failing(Worker):
        ended = 0

    async def fail(self, *arguments):
        self.ended += 1
        mine = self.ended
        await asyncio.sleep(0 if mine == 1 else 0.01)
        self.ended += 100
        raise OSError("lost")

    setattr(Failing, where, fail)
    worker = Failing()
    (episode,) = episodes_for(problems(1), Ledger(), Ladder(), 4)
    row = {**ROW, "raw_prompt": problems(1)[0].prompt}
    with pytest.raises(OSError, match="lost"):
        asyncio.run(drive_async(episode, engine_of(worker, row)))
    assert worker.ended == 404
    assert episode.gi_frame is None


# Whole visits


def answer(prompt, params):
    """Right with a chance that a hint raises; the same request always gets the same answer."""
    rng = random.Random(params["seed"])
    if isinstance(prompt, str):
        return f"hint {rng.randrange(1000)}"
    number = question_of(prompt).split()[1]
    return number if rng.random() < (0.3 if " given hint " in question_of(prompt) else 0.05) else "wrong"


def bare(visit):
    """A visit without what engines keep for themselves. verl counts the end token."""
    groups = tuple(
        replace(g, completions=tuple(Completion(c.text, c.num_tokens) for c in g.completions)) for g in visit.groups
    )
    return replace(visit, groups=groups)


@pytest.mark.parametrize("scheduler", [NoHints, Ladder, EpochLevels])
def test_visits_and_ledger_are_those_of_the_scripted_engine(scheduler):
    batch = problems(8)
    hints = ScriptedHints(refuse=refusals(batch[:2], levels=(1,)) | {(batch[3].key, 2, 0)})
    scripted = ScriptedEngine(
        lambda request, i: answer(request.prompt, {"seed": completion_seed(SEED, request, i)}),
        num_tokens=lambda text: len(text) + 1,
    )
    worker, ledgers = Worker(answer), (Ledger(), Ledger())

    async def visit_all(step):
        episodes = episodes_for(batch, ledgers[1], scheduler(), 4, step, hints)
        engines = [engine_of(worker, {**ROW, "raw_prompt": p.prompt, "answer": p.answer}) for p in batch]
        return await asyncio.gather(*[drive_async(e, engine) for e, engine in zip(episodes, engines, strict=True)])

    for step in range(4):
        episodes = episodes_for(batch, ledgers[0], scheduler(), 4, step, hints)
        expected = [play(episode, scripted)[0] for episode in episodes]
        found = [bare(visit) for visit in asyncio.run(visit_all(step))]
        assert found == expected
        ledgers[0].add_step(expected)
        ledgers[1].add_step(found)
    assert ledgers[0].state_dict() == ledgers[1].state_dict()
    levels = {group.level for visit in found for group in visit.groups}
    assert levels == {0} if scheduler is NoHints else levels - {0}
