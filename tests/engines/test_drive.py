"""Both drivers tell the same story, whatever the order of the replies."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.ledger import Ledger
from selfhint.core.ports import Judge, Sample
from selfhint.engines.drive import drive_all_async, drive_async, drive_lockstep
from selfhint.engines.scripted import ScriptedAsyncEngine, ScriptedEngine
from selfhint.schedulers import EpochLevels, Ladder, NoHints
from support.episodes import RIGHT_BY_LEVEL, ScriptedHints, episodes_for, problems, script_of

GROUP_SIZE = 4


class Counting(ScriptedEngine):
    def __init__(self, script):
        super().__init__(script)
        self.calls = []

    def sample(self, requests):
        assert len({r.purpose for r in requests}) == 1
        self.calls.append((requests[0].purpose, [r.level for r in requests]))
        return super().sample(requests)

    def judge(self, requests):
        self.calls.append(("judge", len(requests)))
        return super().judge(requests)


async def run_async(episodes, script, seed):
    """Releases one waiting request at a time, in random order."""
    rng = random.Random(seed)
    waiting = []

    async def wait(request):
        turn = asyncio.Event()
        waiting.append(turn)
        await turn.wait()

    async def release():
        while True:
            for _ in range(len(episodes) * 2):
                await asyncio.sleep(0)
            if waiting:
                waiting.pop(rng.randrange(len(waiting))).set()

    releasing = asyncio.create_task(release())
    try:
        return await drive_all_async(episodes, ScriptedAsyncEngine(ScriptedEngine(script), wait))
    finally:
        releasing.cancel()


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), order=st.integers(0, 10**6), scheduler=st.sampled_from([NoHints, Ladder, EpochLevels])
)
def test_any_reply_order_gives_the_groups_and_ledger_of_lockstep(seed, order, scheduler):
    batch = problems(7)
    lockstep_ledger, async_ledger = Ledger(), Ledger()
    for step in range(3):
        script = script_of(seed)
        lockstep = drive_lockstep(
            episodes_for(batch, lockstep_ledger, scheduler(), GROUP_SIZE, step), ScriptedEngine(script)
        )
        concurrent = asyncio.run(
            run_async(episodes_for(batch, async_ledger, scheduler(), GROUP_SIZE, step), script, order + step)
        )
        assert concurrent == lockstep
        lockstep_ledger.add_step(lockstep)
        async_ledger.add_step(concurrent)
    assert async_ledger.state_dict() == lockstep_ledger.state_dict()


def test_one_rung_is_one_generation_call_and_only_failing_problems_climb():
    batch = problems(6)
    right = {batch[0].key: 0, batch[1].key: 1, batch[2].key: 2, batch[3].key: 3}

    def script(request, i):
        if request.purpose == "hint":
            return f"hint {request.level}"
        return (
            next(p.answer for p in batch if p.key == request.key) if right.get(request.key, 9) <= request.level else "?"
        )

    engine = Counting(script)
    visits = drive_lockstep(episodes_for(batch, Ledger(), Ladder(), GROUP_SIZE), engine)

    assert engine.calls == [
        ("solve", [0] * 6),
        ("judge", 6),
        ("hint", [1] * 5),
        ("solve", [1] * 5),
        ("judge", 5),
        ("hint", [2] * 4),
        ("solve", [2] * 4),
        ("judge", 4),
        ("hint", [3] * 3),
        ("solve", [3] * 3),
        ("judge", 3),
    ]
    assert [v.kept.level for v in visits] == [0, 1, 2, 3, 3, 3]
    assert [v.kept.num_correct for v in visits] == [4, 4, 4, 4, 0, 0]
    # G · (B + Σ failing per level)
    assert sum(g.size for v in visits for g in v.groups) == GROUP_SIZE * (6 + 5 + 4 + 3)


def test_problems_whose_hints_need_a_retry_share_the_rung_of_the_others():
    batch = problems(4)
    engine = Counting(script_of(1, right_by_level=dict.fromkeys(RIGHT_BY_LEVEL, 0.0)))
    hints = ScriptedHints(refuse={(batch[0].key, 1, 0), (batch[1].key, 1, 0), (batch[1].key, 1, 1)})
    visits = drive_lockstep(episodes_for(batch, Ledger(), Ladder(), GROUP_SIZE, hints=hints), engine)
    assert [levels for purpose, levels in engine.calls if purpose == "solve"] == [[level] * 4 for level in range(4)]
    assert [dict(v.refused) for v in visits] == [{"scripted": 1}, {"scripted": 2}, {}, {}]


def test_a_failing_engine_closes_every_episode():
    class Broken(ScriptedEngine):
        def judge(self, requests):
            raise OSError("engine lost")

    episodes = episodes_for(problems(3), Ledger(), Ladder(), GROUP_SIZE)
    with pytest.raises(OSError, match="engine lost"):
        drive_lockstep(episodes, Broken(script_of(0)))
    assert all(episode.gi_frame is None for episode in episodes)


def test_async_driver_sends_each_request_once():
    seen = []

    class Recording(ScriptedAsyncEngine):
        async def sample(self, request):
            seen.append(request)
            return await super().sample(request)

        async def judge(self, request):
            seen.append(request)
            return await super().judge(request)

    async def at_once(request):
        return None

    (episode,) = episodes_for(problems(1), Ledger(), Ladder(), GROUP_SIZE)
    visit = asyncio.run(drive_async(episode, Recording(ScriptedEngine(script_of(3)), at_once)))
    samples = [r for r in seen if isinstance(r, Sample) and r.purpose == "solve"]
    assert [r.level for r in samples] == [g.level for g in visit.groups]
    assert sum(isinstance(r, Judge) for r in seen) == len(visit.groups)
