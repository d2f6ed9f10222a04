from __future__ import annotations

import json

import pytest

from selfhint.cli.workfile import WorkFile, finished
from support.refusals import refused

SETTINGS = {"--num": 3, "DATA": "a"}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "result.json"


def begun(out, *parts, settings=SETTINGS):
    with WorkFile(out, settings) as work:
        for part in parts:
            work.add(part)
        return work.path


def enter(work):
    with work:
        pass


def test_parts_are_there_again(out):
    begun(out, [1], {"b": "ü\ud800"})
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == [[1], {"b": "ü\ud800"}]
        work.add(3)
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == [[1], {"b": "ü\ud800"}, 3]


@pytest.mark.parametrize("cut", [1, 2, 4])
def test_a_line_that_was_cut_off_is_dropped(out, cut):
    path = begun(out, [1], [22])
    path.write_bytes(path.read_bytes()[:-cut])
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == [[1]]
        work.add([3])
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == [[1], [3]]


def test_cut_off_before_the_first_part(out):
    path = begun(out, [1])
    path.write_bytes(path.read_bytes()[:5])
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == []
        work.add([1])
    assert len(path.read_text().splitlines()) == 2


def test_nothing_is_left_where_nothing_was_done(out):
    path = begun(out)
    assert not path.exists()


def test_the_result_takes_the_place_of_the_work(out):
    with WorkFile(out, SETTINGS) as work:
        work.add(1)
        work.finish(json.dumps({"settings": SETTINGS, "x": 1}).encode())
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    assert finished(out, SETTINGS) == {"settings": SETTINGS, "x": 1}


def test_other_settings_are_refused(out):
    path = begun(out, 1)
    before = path.read_bytes()
    refused(
        lambda: enter(WorkFile(out, {**SETTINGS, "--num": 4})),
        str(path),
        "was made with --num 3, now it is 4; repeat the command as it was",
    )
    refused(lambda: enter(WorkFile(out, {**SETTINGS, "new": "b"})), "new null, now it is b")
    assert path.read_bytes() == before


def test_a_result_of_other_settings_is_refused(out):
    out.write_text(json.dumps({"settings": SETTINGS}))
    refused(lambda: finished(out, {**SETTINGS, "DATA": "b"}), "was made with DATA a, now it is b")


@pytest.mark.parametrize("content", ["", "no json", "[]", "{}", '{"settings": 1}'])
def test_something_else_in_the_result_s_place(out, content):
    out.write_text(content)
    refused(lambda: finished(out, SETTINGS), "holds something else")


@pytest.mark.parametrize("content", ["no json\n", "[]\n", "{}\n", '{"settings": 1}\n'])
def test_something_else_in_the_work_s_place(out, content):
    out.with_name("result.json.work").write_text(content)
    refused(lambda: enter(WorkFile(out, SETTINGS)), "is no work file")
    assert out.with_name("result.json.work").read_text() == content


def test_one_process_at_a_time(out):
    with WorkFile(out, SETTINGS) as work:
        work.add(1)
        refused(lambda: enter(WorkFile(out, SETTINGS)), "another process is writing it")
    with WorkFile(out, SETTINGS) as work:
        assert work.parts == [1]


def test_places_that_cannot_be_used(tmp_path):
    refused(lambda: enter(WorkFile(tmp_path / "absent" / "r.json", SETTINGS)), "cannot be written (No such file")
    refused(lambda: finished(tmp_path, SETTINGS), "is a folder")
    assert finished(tmp_path / "absent.json", SETTINGS) is None
