"""The table on a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from selfhint.report import comparison_table, summarise
from support.runs import ONE_STEP, write_run


def printed(folders, width=80):
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    console.print(comparison_table([summarise(folder) for folder in folders]))
    return console.file.getvalue().splitlines()


def test_a_line_for_each_quantity_in_80_columns(starved, fading):
    lines = [" ".join(line.split()) for line in printed([starved, fading])]
    assert "grpo sage" in lines
    assert "problems never solved, even with hints 2 0" in lines
    assert "held-out success, last 0.000 (4) 1.000 (4)" in lines
    assert "tokens when it reached 0.95 – 48" in lines


def test_lines_keep_to_the_width_whatever_the_names(tmp_path):
    names = ["a" * 70, "b", "c" * 100]
    lines = printed([write_run(tmp_path / name, ONE_STEP) for name in names])
    assert max(map(len, lines)) <= 80
    assert sum(line.count("a" * 3) for line in lines) > 1, "a long name is folded, not cut"
    assert "…" not in "".join(lines)


def test_a_name_is_no_markup(tmp_path):
    (header,) = [line.split() for line in printed([write_run(tmp_path / "[bold]run", ONE_STEP)]) if "run" in line]
    assert header == ["[bold]run"]
