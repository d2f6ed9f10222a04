"""A file is there whole or not at all."""

from __future__ import annotations

import os

import pytest

from selfhint.engines.durable import write_durably


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path):
    write_durably(tmp_path / "state", b"one")
    write_durably(tmp_path / "state", b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert (tmp_path / "state").read_bytes() == b"two"


def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/state")
    write_durably(tmp_path / "link", b"one")
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["state"]
    assert (tmp_path / "folder" / "state").read_bytes() == b"one"


def test_a_pipe_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is no file"):
        write_durably(tmp_path / "pipe", b"one")
    assert [path.is_fifo() for path in tmp_path.iterdir()] == [True]
