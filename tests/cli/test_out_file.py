"""Which places a result may take: a file's or a free one, never a folder's, a pipe's or a link's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from selfhint.cli.out_file import out_file
from support.refusals import refused


def test_a_free_name_and_a_file_are_taken_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert out_file(Path("new.json")) == Path("new.json")
    Path("old.json").touch()
    assert out_file(Path("old.json")) == Path("old.json")


@pytest.mark.parametrize("name", [".", "", "/", ".."])
def test_folders_without_a_name_of_their_own_are_folders(name):
    refused(lambda: out_file(Path(name)), "is a folder; name a file in it")


def test_a_pipe_is_refused_also_behind_a_link(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        refused(lambda path=path: out_file(path), f"--out {path}: is no file; choose another --out")


def test_a_link_names_its_target_whether_or_not_that_is_there(tmp_path):
    (tmp_path / "link").symlink_to("target")
    assert out_file(tmp_path / "link") == (tmp_path / "target").resolve()
    (tmp_path / "target").touch()
    assert out_file(tmp_path / "link") == (tmp_path / "target").resolve()


def test_places_that_cannot_be_looked_at(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for path, why in (
        (tmp_path / "file" / "out", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "loop", "Too many levels of symbolic links"),
    ):
        refused(lambda path=path: out_file(path), f"--out {path}: cannot be written ({why}); choose another file")
