"""Data elsewhere: found and fetched by `datasets`, read by us as what they are."""

from __future__ import annotations

import os
import re
from pathlib import Path

from selfhint.core.errors import InputError
from selfhint.data.formats import DataFile, format_of

HUB_NAME = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?::(?P<config>[\w.-]+))?(?:@(?P<split>[\w.-]+))?")
"""`ORG/NAME`, with a configuration and a split where they are given."""
SPLIT = "train"
_ADDRESS = re.compile(r"[a-z][a-z0-9+]*://")


def is_remote(name: str) -> bool:
    """It is an address, for example of https, s3 or hf."""
    return _ADDRESS.match(name) is not None


def remote_file(address: str) -> DataFile:
    """Fetches one file into the cache of `datasets`.

    Raises:
        InputError: its format is unknown, or it cannot be fetched.
    """
    form = format_of(address.partition("?")[0])
    if form is None:
        raise InputError(f"{address}: its name does not end like a data file's; name a .jsonl, .parquet, ... file")
    return DataFile(address, _fetched(address), form)


def hub_files(name: str) -> tuple[DataFile, ...]:
    """Fetches the files of a split of a hub data set.

    The files themselves are read, not the tables that `datasets` makes of them: its JSON and CSV readers guess types.

    Args:
        name: matches `HUB_NAME`.

    Raises:
        InputError: there is no such set, configuration or split, it cannot be fetched, or its files are of no known
            format.
    """
    import datasets

    parts = HUB_NAME.fullmatch(name)
    assert parts is not None
    try:
        builder = datasets.load_dataset_builder(parts["name"], parts["config"])
    except Exception as error:  # the hub's, the network's, and those of every kind of builder
        raise InputError(
            f"{name}: no such file here, and not readable on the hub ({_first_line(error)}); correct the name, or set "
            "HF_TOKEN for a private set"
        ) from error
    splits = builder.config.data_files or {}
    split = parts["split"] or SPLIT
    if split not in splits:
        found = ", ".join(map(str, splits)) or "none"
        raise InputError(f"{name}: no split {split!r} (found: {found}); name one as {parts['name']}@SPLIT")
    addresses = [str(address) for address in splits[split]]
    strange = [address for address in addresses if format_of(address) is None]
    if strange:
        raise InputError(f"{name}: {strange[0]} is of no known format; convert it to .jsonl or .parquet")
    return tuple(DataFile(address, _fetched(address), str(format_of(address))) for address in addresses)


def _fetched(address: str) -> Path:
    import datasets

    try:
        return Path(os.fspath(datasets.DownloadManager().download(address)))
    except Exception as error:  # of fsspec, of the network, and of each storage's own library
        raise InputError(
            f"{address}: cannot be fetched ({_first_line(error)}); check the address, the network and your rights"
        ) from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
