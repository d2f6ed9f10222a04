"""One process at a time on a file."""

from __future__ import annotations

import errno
import fcntl
import os

import pytest

from selfhint.lock import take


def test_one_at_a_time_until_it_is_closed(tmp_path):
    path = tmp_path / "file"
    with open(path, "ab") as first:
        assert take(first)
        with open(path, "ab") as second:
            assert not take(second)
    with open(path, "ab") as third:
        assert take(third, wait=True)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK])
def test_a_file_system_without_locks_gives_the_file_to_each(tmp_path, monkeypatch, number):
    def refuse(file, how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with open(tmp_path / "file", "ab") as file:
        assert take(file)


def test_other_faults_are_not_hidden(tmp_path, monkeypatch):
    def refuse(file, how):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with open(tmp_path / "file", "ab") as file, pytest.raises(OSError, match="Input/output"):
        take(file)
