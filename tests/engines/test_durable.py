"""A file is there whole or not at all."""

from __future__ import annotations

from selfhint.engines.durable import write_durably


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path):
    write_durably(tmp_path / "state", b"one")
    write_durably(tmp_path / "state", b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert (tmp_path / "state").read_bytes() == b"two"
