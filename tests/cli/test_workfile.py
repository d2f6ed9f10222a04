from __future__ import annotations

import json
import os

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


def test_what_is_no_file_is_not_replaced_and_not_waited_for(out):
    os.mkfifo(out)
    refused(lambda: finished(out, SETTINGS), "result.json: is no file; choose another --out")
    refused(lambda: WorkFile(out, SETTINGS), "result.json: is no file; choose another --out")
    out.unlink()
    os.mkfifo(out.with_name("result.json.work"))
    refused(lambda: enter(WorkFile(out, SETTINGS)), "result.json.work: is no file")
    assert out.with_name("result.json.work").is_fifo()


def test_a_link_is_written_through_and_the_work_lies_beside_the_result(tmp_path, out):
    (tmp_path / "link").symlink_to(out.name)
    with WorkFile(tmp_path / "link", SETTINGS) as work:
        work.add(1)
        assert work.path == out.resolve().with_name("result.json.work")
        work.finish(json.dumps({"settings": SETTINGS}).encode())
    assert (tmp_path / "link").is_symlink()
    assert finished(tmp_path / "link", SETTINGS) == finished(out, SETTINGS) == {"settings": SETTINGS}
    (tmp_path / "far").symlink_to("absent/result.json")
    refused(lambda: enter(WorkFile(tmp_path / "far", SETTINGS)), "far: cannot be written (No such file")


DEEP = "[" * 5000 + "]" * 5000


def test_files_that_are_nested_too_deeply(out):
    path = begun(out, [1])
    path.write_text(path.read_text() + DEEP + "\n")
    refused(lambda: enter(WorkFile(out, SETTINGS)), f"{path}: line 3 is nested too deeply; restore or remove the file")
    out.write_text(f'{{"settings": {DEEP}}}')
    refused(lambda: finished(out, SETTINGS), f"{out}: is nested too deeply; restore or remove it")


def test_a_damaged_line_is_named(out):
    path = begun(out, [1], [2])
    content = path.read_text().replace("[1]", "[1")
    path.write_text(content)
    refused(lambda: enter(WorkFile(out, SETTINGS)), f"{path}: line 2 is no JSON; restore or remove the file")
    assert path.read_text() == content
