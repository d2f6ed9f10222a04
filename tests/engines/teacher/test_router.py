"""Only requests to the teacher go to the teacher, in lock-step and asynchronously."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("openai", reason="the teacher's client is an extra")

from selfhint.config import TeacherSettings
from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger
from selfhint.core.ports import Sample
from selfhint.engines.drive import drive_all_async, drive_lockstep
from selfhint.engines.scripted import ScriptedAsyncEngine
from selfhint.engines.teacher import Teacher, TeacherAsyncRouter, TeacherBatchRouter
from selfhint.hints import TeacherHints, TextFormat
from selfhint.schedulers import SCHEDULERS
from support.episodes import episodes_for, outcome_engine, problems
from support.fake_teacher import answer, error, served

OPENS_AT_TWO = {0: "0000", 1: "0000", 2: "0110", 3: "0110"}


@pytest.fixture
def make(tmp_path):
    made = []

    def make(url):
        settings = TeacherSettings(model="m", base_url=url, retries=0)
        made.append(Teacher(settings, 50, tmp_path / "cache.jsonl"))
        return made[-1]

    yield make
    for teacher in made:
        teacher.close()


def episodes():
    hints = TeacherHints(TextFormat(), tries=2)
    return episodes_for(problems(3), Ledger(), SCHEDULERS["ladder"](), 4, hints=hints)


def request(prompt):
    return Sample("k", 0, 1, "teach", prompt, 1)


def strategy(asked, i):
    return answer("Begin at the end." if "one or two sentences" in asked["messages"][0]["content"] else "In steps.")


async def at_once(request):
    pass


def run_lockstep(teacher):
    return drive_lockstep(episodes(), TeacherBatchRouter(outcome_engine(OPENS_AT_TWO), teacher))


def run_async(teacher):
    engine = ScriptedAsyncEngine(outcome_engine(OPENS_AT_TWO), at_once)
    return asyncio.run(drive_all_async(episodes(), TeacherAsyncRouter(engine, teacher)))


@pytest.mark.parametrize("run", [run_lockstep, run_async])
def test_hints_come_from_the_teacher_and_groups_from_the_engine(make, run):
    with served(strategy) as server:
        visits = run(make(server.url))
    for visit in visits:
        assert [hint.text for hint in visit.hints] == ["Begin at the end.", "In steps."]
        assert [group.level for group in visit.groups] == [0, 1, 2]
        assert visit.hint_tokens == 0
    assert len(server.asked) == 6
    assert len(visits) == 3


@pytest.mark.parametrize("run", [run_lockstep, run_async])
def test_visits_go_on_without_a_teacher(make, run):
    with served(lambda request, i: error(503)) as server:
        visits = run(make(server.url))
    for visit in visits:
        assert visit.refused == {"teacher_unreachable": 2}
        assert [group.level for group in visit.groups] == [0, 3]  # level 3 is the solution's beginning, not asked for


def test_a_wrong_key_stops_every_visit(make):
    with served(lambda request, i: error(401)) as server, pytest.raises(InputError, match="status 401"):
        run_lockstep(make(server.url))


def test_a_wrong_key_stops_every_asynchronous_visit(make):
    with served(lambda request, i: error(401)) as server, pytest.raises(ExceptionGroup) as caught:
        run_async(make(server.url))
    assert caught.group_contains(InputError, match="status 401")


def test_processes_that_do_not_ask_get_what_the_first_one_got(make):
    news = []

    def from_first(answers):
        if answers is not None:
            news.append(answers)
        return news[-1]

    with served(strategy) as server:
        first = TeacherBatchRouter(outcome_engine({}), make(server.url), from_first)
        other = TeacherBatchRouter(outcome_engine({}), None, from_first)
        assert first.sample([request("a prompt")]) == other.sample([request("a prompt")])
        assert len(server.asked) == 1
    news.clear()
    with served(lambda request, i: error(401)) as server:
        failing = make(server.url)
        first = TeacherBatchRouter(outcome_engine({}), failing, from_first)
        for router in (first, other):
            with pytest.raises(InputError, match="status 401"):
                router.sample([request("another prompt")])
