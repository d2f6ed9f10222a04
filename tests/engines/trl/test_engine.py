"""Requests are cut into equal shares by rank; every rank sees the same replies, and nothing is scored twice."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import Judge, Sample
from selfhint.engines.trl import engine as engine_module
from selfhint.engines.trl.engine import Tokens, TrlEngine, padded_share
from selfhint.engines.trl.rows import RowColumns
from support import riddles

ROWS = riddles.rows()
PROBLEMS = [RowColumns().problem_of(row) for row in ROWS]


@given(st.integers(1, 40), st.integers(0, 6), st.integers(1, 7))
def test_shares_are_equal_and_together_hold_every_job_in_order(num_jobs, num_spare, num_ranks):
    jobs, spare = [("job", i) for i in range(num_jobs)], [("spare", i) for i in range(num_spare)]
    shares = [padded_share(jobs, spare, num_ranks, rank) for rank in range(num_ranks)]
    assert len({len(share) for share in shares}) == 1
    together = [item for share in shares for item in share]
    assert together[:num_jobs] == jobs
    padding = together[num_jobs:]
    assert len(padding) < num_ranks
    assert padding == [*spare, *[jobs[-1]] * num_ranks][: len(padding)]


class Ranks:
    """Runs one function on several ranks at once, each in a thread of its own, with collectives between them."""

    def __init__(self, num):
        self.num = num
        self._barrier = threading.Barrier(num, timeout=20)
        self._slots = [None] * num
        self._here = threading.local()

    def gather(self, values):
        self._slots[self._here.rank] = list(values)
        self._barrier.wait()
        together = [value for slot in self._slots for value in slot]
        self._barrier.wait()
        return together

    def run(self, function):
        results, errors = [None] * self.num, []

        def work(rank):
            self._here.rank = rank
            try:
                results[rank] = function(rank)
            except BaseException as error:
                errors.append(error)
                self._barrier.abort()

        threads = [threading.Thread(target=work, args=(rank,)) for rank in range(self.num)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        return results


class RankTrainer:
    """What the engine needs of a trainer on one rank. A completion says which draw it is."""

    def __init__(self, ranks, rank):
        self.accelerator = SimpleNamespace(num_processes=ranks.num, process_index=rank)
        self.columns = RowColumns()
        self._pending_extra_logs = defaultdict(list)
        self._ranks = ranks
        self.draws, self.scored = [], []

    def draw(self, jobs, aligned):
        self.draws.append((len(jobs), aligned))
        rank = self.accelerator.process_index
        return [
            Completion(
                text=f"{job.request.key} {job.request.purpose} {job.index}",
                num_tokens=1 + job.index,
                raw=Tokens([1], [2], None, f"draw {len(self.draws)}.{i} of rank {rank}"),
            )
            for i, job in enumerate(jobs)
        ]

    def score(self, rows, prompts, completions, completion_ids):
        assert len(rows) == len(prompts) == len(completions) == len(completion_ids)
        self.scored.extend(completions)
        self._pending_extra_logs["said"].extend(completions)
        return torch.tensor(
            self._ranks.gather(
                [[float(len(c)), float(r["answer"] in c)] for r, c in zip(rows, completions, strict=True)]
            )
        )

    def verdict_of(self, scores):
        return Verdict(correct=True, reward=scores.rewards[0], raw=scores)


def run(monkeypatch, num_ranks, group_sizes, purpose="solve", rounds=1):
    """(replies, verdicts, effort, trainer) of every rank for one request per group size, judged after each round."""
    ranks = Ranks(num_ranks)
    monkeypatch.setattr(engine_module, "gather_object", ranks.gather)
    requests = [Sample(PROBLEMS[i].key, 0, 0, purpose, "prompt", n) for i, n in enumerate(group_sizes)]

    def work(rank):
        trainer = RankTrainer(ranks, rank)
        engine = TrlEngine(trainer, {(p.key, 0): row for p, row in zip(PROBLEMS, ROWS, strict=True)}, trainer.score)
        for _ in range(rounds):
            replies = engine.sample(requests)
            verdicts = None
            if purpose == "solve":
                judges = [Judge(PROBLEMS[i], 0, "prompt", tuple(reply)) for i, reply in enumerate(replies)]
                verdicts = engine.judge(judges)
        return replies, verdicts, engine.effort, trainer

    return ranks.run(work)


SHAPES = [(1, [3]), (2, [3, 2]), (3, [4, 4, 4]), (3, [1]), (2, [4, 3]), (4, [2, 3, 4])]


@pytest.mark.parametrize(("num_ranks", "group_sizes"), SHAPES)
def test_every_rank_sees_every_completion_and_its_own_verdict(monkeypatch, num_ranks, group_sizes):
    for replies, verdicts, _, _ in run(monkeypatch, num_ranks, group_sizes):
        assert [[c.text for c in reply] for reply in replies] == [
            [f"{PROBLEMS[g].key} solve {i}" for i in range(size)] for g, size in enumerate(group_sizes)
        ]
        for reply, judged in zip(replies, verdicts, strict=True):
            for completion, verdict in zip(reply, judged, strict=True):
                assert verdict.raw.logged == {"said": completion.raw.message}
                assert verdict.raw.rewards[0] == len(completion.raw.message)


@pytest.mark.parametrize(("num_ranks", "group_sizes"), SHAPES)
def test_every_completion_is_drawn_and_scored_once_and_padding_is_counted_apart(monkeypatch, num_ranks, group_sizes):
    results = run(monkeypatch, num_ranks, group_sizes)
    wanted, padding = sum(group_sizes), -sum(group_sizes) % num_ranks
    for _, _, effort, _ in results:
        assert effort.padding_rows == padding
        assert (effort.padding_tokens > 0) == (padding > 0)
    scored = Counter(message for *_, trainer in results for message in trainer.scored)
    assert sum(scored.values()) == wanted + padding
    assert set(scored.values()) == {1}, "a spare completion fills the tail, so nothing is scored twice"
    shares = {trainer.draws[0][0] for *_, trainer in results}
    assert shares == {(wanted + padding) // num_ranks}


@pytest.mark.parametrize(("num_ranks", "group_sizes"), SHAPES)
def test_whole_groups_without_padding_are_called_aligned(monkeypatch, num_ranks, group_sizes):
    for *_, trainer in run(monkeypatch, num_ranks, group_sizes):
        assert trainer.draws[0][1] == (sum(group_sizes) % num_ranks == 0)


def test_padding_of_hint_requests_is_counted_and_never_scored(monkeypatch):
    for replies, _, effort, trainer in run(monkeypatch, 3, [1, 1], purpose="hint"):
        assert [len(reply) for reply in replies] == [1, 1]
        assert (effort.padding_rows, trainer.scored) == (1, [])
        assert effort.hint > 0
        assert effort.solve == effort.verify == 0


def test_effort_adds_up_over_the_rungs_of_a_step(monkeypatch):
    once = run(monkeypatch, 2, [3])[0][2]
    twice = run(monkeypatch, 2, [3], rounds=2)[0][2]
    assert (twice.padding_rows, twice.padding_tokens) == (2 * once.padding_rows, 2 * once.padding_tokens)
    assert twice.solve > 0
    assert twice.verify > 0
    assert twice.hint == 0


def test_what_a_reward_function_logged_before_stays_out_of_the_verdicts(monkeypatch):
    ranks = Ranks(1)
    monkeypatch.setattr(engine_module, "gather_object", ranks.gather)

    def work(rank):
        trainer = RankTrainer(ranks, rank)
        trainer._pending_extra_logs["said"].extend(["left over"] * 5)
        engine = TrlEngine(trainer, {(PROBLEMS[0].key, 0): ROWS[0]}, trainer.score)
        (reply,) = engine.sample([Sample(PROBLEMS[0].key, 0, 0, "solve", "prompt", 2)])
        (verdicts,) = engine.judge([Judge(PROBLEMS[0], 0, "prompt", tuple(reply))])
        assert not trainer._pending_extra_logs
        return [v.raw.logged["said"] == c.raw.message for v, c in zip(verdicts, reply, strict=True)]

    assert ranks.run(work) == [[True, True]]
