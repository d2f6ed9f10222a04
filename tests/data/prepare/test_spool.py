from __future__ import annotations

import json

from selfhint.core.problem import Problem
from selfhint.data.prepare.spool import Entry, Spool, encoded

CHAT = [{"role": "user", "content": "1+1"}]
PROBLEMS = (
    Problem("1\t+\u20281\n", None, "2", CHAT, hints={1: ("a", "b"), 3: ("\x85",)}),
    Problem("x é 题", "s\\frac", " 007", "x é 题"),
)


def test_entries_come_back_as_they_were(tmp_path):
    entries = [Entry.of(f"a\tb.jsonl, line {i}", p, own_prompt=p.prompt == CHAT) for i, p in enumerate(PROBLEMS)]
    with Spool(tmp_path / "spool") as spool:
        for entry in entries:
            spool.add(entry, entry.compared)
        assert list(spool) == entries
        assert [spool[1], spool[0]] == [entries[1], entries[0]]
        assert len(spool) == 2
        assert [entry.asked(lambda question: question) for entry in spool] == list(PROBLEMS)


def test_where_a_row_stood_does_not_rank_it(tmp_path):
    with Spool(tmp_path / "spool") as spool:
        for where, problem in (("line 1", PROBLEMS[0]), ("line 2", PROBLEMS[0]), ("line 3", PROBLEMS[1])):
            entry = Entry.of(where, problem, own_prompt=False)
            spool.add(entry, entry.compared)
        assert spool.ranks[0] == spool.ranks[1] != spool.ranks[2]
        assert spool.texts[0] == spool.texts[1] != spool.texts[2]


def test_a_row_is_one_line_for_every_reader():
    row = {"a": "x\u2028y\u2029z\x85\x0b\r\n", "b": "\ud800", "c": "é题"}
    line = encoded(row).decode()
    assert len(line.splitlines()) == 1
    assert json.loads(line) == row
    assert "é题" in line
