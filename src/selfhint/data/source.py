"""What `data=` names, as files on this machine."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats import FORMATS, SUFFIXES, DataFile, format_of
from selfhint.data.formats.compressed import ENDINGS
from selfhint.data.formats.generated import PREFIX as GENERATED
from selfhint.data.remote import HUB_NAME, hub_files, is_remote, remote_file

HELD_OUT = re.compile(r"(?<![a-z])(test|testing|val|valid|validation|dev|eval)(?![a-z])")
"""What the names of files say that are not to be trained on."""


MOST_SHOWN = 5
"""Names that a message lists."""


@dataclass(frozen=True, slots=True)
class Source:
    """Files of one format, read one after the other.

    Args:
        name: what the user wrote.
        files: never empty.
        passed_over: what else lies in a folder of shards and is not read, but for names that begin with a point or an
            underscore, which file systems and writers of shards keep for themselves.
    """

    name: str
    files: tuple[DataFile, ...]
    passed_over: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What row numbers count."""
        return FORMATS[self.files[0].format].unit

    @property
    def is_generated(self) -> bool:
        """A generator makes the rows; there is no file to mend."""
        return self.files[0].format == "reasoning_gym"

    @property
    def notice(self) -> str | None:
        """What is not read, as a sentence without its point; None: all is."""
        if not self.passed_over:
            return None
        more = f" and {len(self.passed_over) - MOST_SHOWN} more" if len(self.passed_over) > MOST_SHOWN else ""
        return f"Not read in {self.name}: {', '.join(self.passed_over[:MOST_SHOWN])}{more}"


def find_source(data: str | Path) -> Source:
    """Finds what `data` names; remote files are fetched into the Hugging Face cache.

    Args:
        data: a file, a folder of shards, a glob, a folder of `datasets.save_to_disk` (`FOLDER@SPLIT` where it has
            splits), a hub name `ORG/NAME[:CONFIG][@SPLIT]`, a remote path, or `reasoning_gym:TASK[,option=value…]`.

    Raises:
        InputError: there is no such thing, it is of no known format, or more than one thing can be meant.
    """
    name = str(data)
    try:
        if name.startswith(GENERATED):
            return Source(name, (DataFile(name, Path(), "reasoning_gym"),))
        if os.path.isdir(name):
            return _folder(name)
        if os.path.lexists(name):
            return Source(name, (_file(name),))
        if is_remote(name):
            return Source(name, (remote_file(name),))
        if glob.has_magic(name):
            return Source(name, _globbed(name))
        folder, at, split = name.rpartition("@")
        if at and os.path.isdir(folder):
            return Source(name, _split(folder, split))
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror or error}); check the file and its rights") from None
    if HUB_NAME.fullmatch(name) and format_of(name) is None:
        return Source(name, _of_one_format(name, hub_files(name)))
    raise InputError(
        f"{name}: no such file; set data to a {_suffixes()} file, a folder of them, or a hub name like org/name"
    )


def _suffixes() -> str:
    *others, last = SUFFIXES
    return f"{', '.join(others)} or {last}"


def _file(name: str) -> DataFile:
    form = format_of(name)
    if form is None:
        suffix = "".join(Path(name).suffixes[-2:] if name.lower().endswith(ENDINGS) else Path(name).suffixes[-1:])
        found = f"suffix {suffix}" if suffix else "name without a suffix"
        raise InputError(f"{name}: {found} is not supported; convert the data to {_suffixes()}")
    _check_readable(name)
    return DataFile(name, Path(name), form)


def _check_readable(name: str) -> None:
    if os.path.isfile(name):
        return
    if os.path.exists(name):  # a pipe would be read more than once, and may never end
        raise InputError(f"{name}: is no regular file; write the data to one")
    if os.path.islink(name):
        raise InputError(f"{name}: is a link to a file that is not there; copy the file, or remove the link")
    raise InputError(f"{name}: is missing; copy it again")


def _globbed(pattern: str) -> tuple[DataFile, ...]:
    names = [name for name in sorted(glob.glob(pattern, recursive=True)) if not os.path.isdir(name)]
    if not names:
        raise InputError(f"{pattern}: no such file, and no file's name is like it; correct the pattern")
    return _of_one_format(pattern, [_file(name) for name in names])


def _of_one_format(name: str, files: Sequence[DataFile]) -> tuple[DataFile, ...]:
    formats = sorted({file.format for file in files})
    if len(formats) > 1:
        raise InputError(
            f"{name}: holds {' and '.join(formats)} files; name one kind with a pattern like *.{formats[0]}"
        )
    return tuple(files)


def _folder(folder: str) -> Source:
    if os.path.exists(os.path.join(folder, "dataset_dict.json")):
        splits = _kept(folder, "dataset_dict.json", lambda kept: list(kept["splits"]))
        raise InputError(
            f"{folder}: holds the splits {', '.join(splits)}; name one of them, for example {folder}@{splits[0]}"
        )
    if all(os.path.exists(os.path.join(folder, name)) for name in ("state.json", "dataset_info.json")):
        return Source(folder, _saved(folder))
    paths = {name: os.path.join(folder, name) for name in sorted(os.listdir(folder)) if not name.startswith((".", "_"))}
    chosen = {name: path for name, path in paths.items() if format_of(name) is not None and not os.path.isdir(path)}
    shards = [_file(path) for path in chosen.values()]
    if not shards:
        raise InputError(
            f"{folder}: is a folder without any {_suffixes()} file; name a file, or a pattern like **/*.jsonl"
        )
    held_out = [shard for shard in shards if HELD_OUT.search(Path(shard.name).name.lower())]
    if held_out and len(held_out) < len(shards):
        raise InputError(
            f"{folder}: {Path(held_out[0].name).name} looks like held-out data beside the rest; name the files to read "
            f"with a pattern like {folder.rstrip('/')}/train*"
        )
    return Source(folder, _of_one_format(folder, shards), tuple(name for name in paths if name not in chosen))


def _split(folder: str, split: str) -> tuple[DataFile, ...]:
    inside = os.path.join(folder, split)
    if not os.path.exists(os.path.join(inside, "state.json")):
        raise InputError(f"{folder}@{split}: the folder has no split {split!r} that datasets.save_to_disk wrote")
    return _saved(inside)


def _saved(folder: str) -> tuple[DataFile, ...]:
    """The files of a folder that `datasets.save_to_disk` wrote, in their order."""
    names = _kept(folder, "state.json", lambda state: [file["filename"] for file in state["_data_files"]])
    return tuple(_file(os.path.join(folder, name)) for name in names)


def _kept(folder: str, name: str, texts: Callable[[Any], list[Any]]) -> list[str]:
    """Some texts of a file that `datasets` keeps beside the data, at least one.

    Args:
        texts: finds them in its JSON.
    """
    try:
        found = texts(json.loads(Path(folder, name).read_bytes()))
    except (ValueError, LookupError, TypeError, RecursionError):
        found = []
    if not found or not all(isinstance(text, str) for text in found):
        raise InputError(f"{folder}/{name}: is not what datasets.save_to_disk writes; copy the folder again")
    return found
