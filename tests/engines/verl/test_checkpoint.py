"""Our state beside verl's in a checkpoint folder."""

from __future__ import annotations

import json

import pytest

from selfhint.core.ledger import Ledger
from selfhint.engines.verl.checkpoint import STATE_FILE, read_state, write_state
from support.episodes import problems
from support.refusals import refused
from support.visits import group, visit


def state():
    ledger = Ledger()
    ledger.add_step([visit(problem, group(0, "00"), group(1, "01")) for problem in problems(3)])
    return {
        "scheduler": "ladder",
        "hint_source": "self",
        "group_size": 2,
        "ledger": ledger.state_dict(),
        "hint_weight": {"shares": [0.5, 0.25]},
        "record": {"open_line": None},
    }


def test_it_comes_back(tmp_path):
    folder = tmp_path / "checkpoints" / "global_step_3"
    write_state(folder, state())
    assert read_state(folder) == json.loads(json.dumps(state()))
    ledger = Ledger()
    ledger.load_state_dict(read_state(folder)["ledger"])
    assert ledger.state_dict() == state()["ledger"]


def test_it_may_be_written_over_and_leaves_one_file(tmp_path):
    (tmp_path / "actor").mkdir()
    write_state(tmp_path, {"group_size": 2})
    write_state(tmp_path, state())
    assert read_state(tmp_path) == json.loads(json.dumps(state()))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["actor", STATE_FILE]


def test_a_checkpoint_of_plain_verl_has_none(tmp_path):
    assert read_state(tmp_path) is None
    assert read_state(tmp_path / "absent") is None


@pytest.mark.parametrize("content", [b"", b"{", b'{"ledger": {', b"\xff\xfe", b"[]", b"7", b"null", b'{"ledger": {}}'])
def test_a_damaged_one_is_refused_with_the_mend(tmp_path, content):
    (tmp_path / STATE_FILE).write_bytes(content)
    refused(lambda: read_state(tmp_path), str(tmp_path), STATE_FILE, "damaged", "trainer.resume_mode=resume_path")


def test_one_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / STATE_FILE).mkdir()
    refused(lambda: read_state(tmp_path), STATE_FILE, "damaged")
