from __future__ import annotations

import json
import os

import pytest

from selfhint.core.errors import InputError
from selfhint.data import find_source
from support.data_files import values_of


def write(path, *values):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps({"x": value}) + "\n" for value in values))
    return path


@pytest.fixture
def shards(tmp_path):
    for i in (1, 0, 2):
        write(tmp_path / "set" / f"train-{i}.jsonl", f"{i}a", f"{i}b")
    (tmp_path / "set" / "README.md").touch()
    (tmp_path / "set" / "_SUCCESS").touch()
    (tmp_path / "set" / ".train-3.jsonl").touch()
    return tmp_path / "set"


ALL = ["0a", "0b", "1a", "1b", "2a", "2b"]


def test_a_folder_of_shards(shards):
    assert values_of(shards, "x") == ALL
    source = find_source(shards)
    assert (source.name, source.unit, len(source.files)) == (str(shards), "line", 3)
    assert source.notice == f"Not read in {shards}: README.md"


def test_what_is_not_read_of_a_folder_is_named(shards):
    for name in ("3.jsonl.bz2", "4.jsonl.part", "5.txt", "6", "7"):
        (shards / name).touch()
    (shards / "x.jsonl").mkdir()
    assert find_source(shards).notice == f"Not read in {shards}: {', '.join(sorted(FILES))} and 2 more"


FILES = ("3.jsonl.bz2", "4.jsonl.part", "5.txt", "6", "7")


@pytest.mark.parametrize("data", ["", "/*.jsonl", "/train-3.jsonl"])
def test_a_shard_that_is_a_dead_link_is_an_error(data, shards):
    (shards / "train-3.jsonl").symlink_to("gone.jsonl")
    with pytest.raises(InputError, match=r"train-3\.jsonl: is a link to a file that is not there"):
        find_source(f"{shards}{data}")


@pytest.mark.parametrize("data", ["", "/*.jsonl", "/train-3.jsonl"])
def test_a_pipe_is_refused(data, shards):
    os.mkfifo(shards / "train-3.jsonl")
    with pytest.raises(InputError, match=r"train-3\.jsonl: is no regular file"):
        find_source(f"{shards}{data}")


@pytest.mark.parametrize(
    ("name", "content"),
    [("state.json", '{"_data_files": ["x"]}'), ("state.json", '{"_data_files": [{"filename": 1}]}')]
    + [("dataset_dict.json", content) for content in ('{"splits": []}', '{"splits": [1]}', "[]", "[" * 100_000)],
)
def test_a_damaged_folder_of_datasets(name, content, tmp_path):
    for each in ("state.json", "dataset_info.json", name):
        (tmp_path / each).write_text(content)
    with pytest.raises(InputError, match=rf"{name}: is not what datasets\.save_to_disk writes"):
        find_source(tmp_path)


def test_a_pattern(shards):
    assert values_of(f"{shards}/*-[12].jsonl", "x") == ALL[2:]
    assert values_of(f"{shards.parent}/**/*.jsonl", "x") == ALL


def test_a_file_whose_name_looks_like_a_pattern(tmp_path):
    assert values_of(write(tmp_path / "d[1].jsonl", "a"), "x") == ["a"]


@pytest.mark.parametrize("name", ["test-0.jsonl", "sums_validation.jsonl"])
def test_held_out_files_beside_others_are_not_read_by_accident(name, shards):
    write(shards / name, "secret")
    with pytest.raises(InputError, match=rf"{name} looks like held-out data.*set/train\*"):
        find_source(shards)
    assert values_of(f"{shards}/train*", "x") == ALL


def test_a_folder_of_test_files_alone_is_what_was_asked_for(tmp_path):
    write(tmp_path / "set" / "test.jsonl", "a")
    assert values_of(tmp_path / "set", "x") == ["a"]


def test_a_folder_of_two_formats(shards):
    (shards / "train-3.csv").write_text("x\na\n")
    with pytest.raises(InputError, match=r"holds csv and jsonl files; name one kind with a pattern like \*\.csv"):
        find_source(shards)


def test_splits_that_datasets_saved(tmp_path):
    from datasets import Dataset, DatasetDict

    folder = tmp_path / "saved"
    splits = {name: Dataset.from_dict({"x": [name, "2024-01-01"]}) for name in ("train", "test")}
    DatasetDict(splits).save_to_disk(folder)
    assert values_of(f"{folder}@test", "x") == ["test", "2024-01-01"]
    with pytest.raises(
        InputError, match=f"holds the splits train, test; name one of them, for example {folder}@train$"
    ):
        find_source(folder)
    with pytest.raises(InputError, match="no split 'dev'"):
        find_source(f"{folder}@dev")
    (folder / "train" / "state.json").write_text("{}")
    with pytest.raises(InputError, match=r"train/state\.json: is not what datasets\.save_to_disk writes"):
        find_source(f"{folder}@train")
    (folder / "test" / "data-00000-of-00001.arrow").unlink()
    with pytest.raises(InputError, match=r"data-00000-of-00001\.arrow: is missing"):
        find_source(f"{folder}@test")


@pytest.mark.parametrize("suffix", [".JSONL", ".jsonl"])
def test_suffix_in_any_case(suffix, tmp_path):
    assert values_of(write(tmp_path / f"d{suffix}", "1"), "x") == ["1"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("absent.jsonl", "no such file"),
        ("absent*.jsonl", "no file's name is like it"),
        (".", r"is a folder without any \.jsonl, .* file"),
        ("data.xlsx", r"suffix \.xlsx is not supported; convert the data to \.jsonl"),
        ("data.xlsx.gz", r"suffix \.xlsx\.gz is not supported"),
        ("data.parquet.gz", r"suffix \.parquet\.gz is not supported"),
        ("data", "name without a suffix is not supported"),
    ],
)
def test_what_cannot_be_read(name, says, tmp_path):
    for made in ("data.xlsx", "data.xlsx.gz", "data.parquet.gz", "data"):
        (tmp_path / made).touch()
    with pytest.raises(InputError, match=says) as caught:
        find_source(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path))


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = write(tmp_path / "d.jsonl", "1")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(InputError, match="cannot be read \\(Permission denied\\)"):
        values_of(path, "x")
