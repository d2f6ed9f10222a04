"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def place_of_file(path: Path) -> Path:
    """Where a file of this name lies: a symbolic link stays, and what it names is written.

    Raises:
        IsADirectoryError: a folder is there.
        FileExistsError: a device, a pipe or a socket is there: a new file would take its place, not go into it.
        OSError: it cannot be looked at.
    """
    try:
        mode = os.stat(path).st_mode  # of the name as it stands: the link to an open pipe cannot be followed by hand
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise FileExistsError(errno.EEXIST, "is no file", str(path))
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def write_durably(path: Path, content: bytes) -> None:
    """Writes a file that is there whole or not at all, also after a power cut.

    Raises:
        OSError: it cannot be written, or is no file (`place_of_file`).
    """
    path = place_of_file(path)
    partial = path.with_name(path.name + ".partial")
    with open(partial, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
