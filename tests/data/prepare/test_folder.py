from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.data.prepare.folder import built


def free():
    pass


def test_a_folder_takes_its_place_when_it_is_complete(tmp_path):
    out = tmp_path / "new" / "out"
    with built(out, free) as folder:
        (folder / "a").write_text("1")
        assert not out.exists()
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert (out / "a").read_text() == "1"


def fail(out, error):
    with built(out, free) as folder:
        (folder / "a").touch()
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_fails_leaves_what_was_there(tmp_path, error):
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").touch()
    with pytest.raises((KeyboardInterrupt, InputError)):
        fail(out, error)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (out / "old").exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match=r"file/out: cannot be written \(Not a directory\)"),
        built(tmp_path / "file" / "out", free),
    ):
        pass


def test_a_name_that_is_too_long_is_refused(tmp_path):
    with (
        pytest.raises(InputError, match="cannot be written \\(File name too long\\)"),
        built(tmp_path / ("x" * 250), free),
    ):
        pass


def test_folders_above_go_with_a_result_that_fails(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a" / "b" / "out", KeyboardInterrupt())
    assert not list(tmp_path.iterdir())
