"""The folder of a result: built beside its place, and put there when it is complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from selfhint.core.errors import InputError
from selfhint.data.prepare.manifest import MANIFEST, OUTPUTS, read_manifest


def real(path: Path) -> Path:
    """A path without links and `..`, so that what is looked at and what is replaced are one place."""
    return Path(os.path.realpath(path))


def check_free(out: Path, inputs: Iterable[Path], *, overwrite: bool) -> None:
    """Whether a result may take this place. What was there goes then, so it must be nothing but a result.

    Args:
        out: a `real` path.
        inputs: files that the new result is made from.

    Raises:
        InputError: something is there that is no result, that holds more than one, that the new one is made from, or
            that is not to be overwritten.
    """
    if not os.path.lexists(out):
        return
    manifest = read_manifest(out)
    if manifest is None:
        raise InputError(f"{out}: is there and was not made by data prepare; choose another folder")
    if not overwrite:
        raise InputError(
            f"{out}: was made from other data, with other settings or by other versions, was changed since, or was "
            "made while this command ran; add --overwrite or choose another folder"
        )
    inside = next((path for path in inputs if real(path).is_relative_to(out)), None)
    if inside is not None:
        raise InputError(f"{out}: holds {inside}, which the new result is made from; choose another folder")
    own = {MANIFEST, *(output["file"] for output in manifest[OUTPUTS])}
    try:
        foreign = sorted(set(os.listdir(out)) - own)
    except OSError as error:
        raise InputError(f"{out}: cannot be read ({error.strerror or error}); choose another folder") from error
    if foreign:
        raise InputError(
            f"{out}: {foreign[0]} in it was not made by data prepare and would be deleted; move it elsewhere, or "
            "choose another folder"
        )


@contextmanager
def built(out: Path, check: Callable[[], None]) -> Iterator[Path]:
    """An empty folder that takes the place of `out` when the block ends well, and else leaves no trace.

    Args:
        out: a `real` path.
        check: called again just before, since others may have written there meanwhile; raises where `out` may not be
            replaced.

    Raises:
        InputError: it cannot be written.
    """
    partial = out.with_name(f"{out.name}.{os.getpid()}.partial")
    earlier = out.with_name(f"{out.name}.{os.getpid()}.earlier")
    made = [parent for parent in out.parents if not os.path.lexists(parent)]
    try:
        partial.mkdir(parents=True)
        yield partial
        for path in (*partial.iterdir(), partial):
            _flush(path)
        is_there = os.path.lexists(out)
        check()
        if is_there:  # one that comes this very moment lets the last renaming fail
            os.rename(out, earlier)
        os.rename(partial, out)
        _flush(out.parent)
    except OSError as error:
        raise InputError(
            f"{out}: cannot be written ({error.strerror or error}); choose another folder or make room"
        ) from error
    finally:
        if os.path.lexists(earlier) and not os.path.lexists(out):
            os.rename(earlier, out)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(earlier, ignore_errors=True)
        if not os.path.lexists(out):
            with suppress(OSError):  # one that somebody else uses by now is not empty, and stays
                for parent in made:
                    parent.rmdir()


def _flush(path: Path) -> None:
    """Asks the system to write it through, so that a power cut leaves the whole result or none."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
