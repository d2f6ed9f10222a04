"""Data elsewhere, with the hub's part of `datasets` played; fetching itself is real, over fsspec's own memory."""

from __future__ import annotations

from types import SimpleNamespace

import datasets
import fsspec
import pytest

from selfhint.core.errors import InputError
from selfhint.data import find_source
from support.data_files import values_of, zstd


@pytest.fixture
def remote(tmp_path, monkeypatch):
    """Puts files to addresses."""
    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", str(tmp_path / "cache"))
    store = fsspec.filesystem("memory")
    store.store.clear()

    def put(name, content):
        with store.open(name, "wb") as file:
            file.write(content)
        return f"memory://{name}"

    yield put
    store.store.clear()


def test_an_address(remote):
    address = remote("bucket/d.jsonl.zst", zstd(b'{"x": "007"}\n{"x": "2024-01-01"}\n'))
    assert values_of(address, "x") == ["007", "2024-01-01"]
    assert find_source(address).files[0].name == address


def test_an_address_with_nothing_there(remote):
    with pytest.raises(InputError, match=r"memory://bucket/none\.jsonl: cannot be fetched") as caught:
        find_source("memory://bucket/none.jsonl")
    assert "\n" not in str(caught.value)


def test_an_address_of_no_known_format():
    with pytest.raises(InputError, match="its name does not end like a data file's"):
        find_source("https://example.org/page")


@pytest.fixture
def hub(remote, monkeypatch):
    """A set with two configurations; the calls that `datasets` gets."""
    calls = []
    train = [remote(f"hub/main/train-{i}.jsonl", b'{"x": "%d", "y": "1e5"}\n' % i) for i in range(2)]
    files = {"train": train, "test": [remote("hub/main/test.jsonl", b'{"x": "t"}\n')], "odd": ["hub/main/a.tar"]}

    def load_dataset_builder(name, config):
        calls.append((name, config))
        if name != "org/set":
            raise FileNotFoundError(f"Couldn't find any data file at {name}.\nsecond line")
        return SimpleNamespace(config=SimpleNamespace(data_files=files))

    monkeypatch.setattr(datasets, "load_dataset_builder", load_dataset_builder)
    return calls


def test_a_hub_name(hub):
    assert values_of("org/set", "x") == ["0", "1"]
    assert values_of("org/set:main@test", "x") == ["t"]
    assert values_of("org/set", "y") == ["1e5", "1e5"]
    assert hub[:2] == [("org/set", None), ("org/set", "main")]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("org/none", r"org/none: no such file here, and not readable on the hub \(FileNotFoundError: Couldn't find"),
        ("org/set@dev", r"org/set@dev: no split 'dev' \(found: train, test, odd\); name one as org/set@SPLIT"),
        ("org/set@odd", r"a\.tar is of no known format"),
    ],
)
def test_hub_names_that_cannot_be_read(hub, name, says):
    with pytest.raises(InputError, match=says) as caught:
        find_source(name)
    assert "\n" not in str(caught.value)


def test_a_missing_local_file_is_not_looked_for_on_the_hub(hub):
    with pytest.raises(InputError, match="no such file"):
        find_source("data/train.jsonl")
    assert hub == []
