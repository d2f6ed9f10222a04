"""The file that `--out` names, looked at before any work."""

from __future__ import annotations

from pathlib import Path

from selfhint.core.errors import InputError
from selfhint.engines.durable import place_of_file


def out_file(out: Path) -> Path:
    """Where the result will lie: `out`, or what it names as a symbolic link.

    Raises:
        InputError: a folder is there, or something else that a file must not take the place of.
    """
    try:
        return place_of_file(out)
    except IsADirectoryError:
        raise InputError(f"--out {out}: is a folder; name a file in it") from None
    except FileExistsError:
        raise InputError(f"--out {out}: is no file; choose another --out") from None
    except OSError as error:
        raise cannot_write(out, error) from error


def cannot_write(out: Path, error: OSError) -> InputError:
    """The error for a result that its place does not take."""
    return InputError(f"--out {out}: cannot be written ({error.strerror or error}); choose another file")
