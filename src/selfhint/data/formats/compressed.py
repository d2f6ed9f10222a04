"""Files of bytes, compressed or not; what a file is says its beginning, not its name."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from selfhint.core.errors import InputError

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
ENDINGS = (".gz", ".zst")
"""What the names of compressed files end with."""


def binary_lines(path: Path, name: str | None = None) -> Iterator[bytes]:
    """The lines of a file with their ends.

    Args:
        name: what messages call the file; None: its path.

    Raises:
        InputError: the compressed file is cut or damaged.
        OSError: it cannot be read.
    """
    from pyarrow import ArrowException

    with path.open("rb") as file:
        start = file.read(4)
        file.seek(0)
        try:
            yield from _expanded(file, start)
        except (EOFError, zlib.error, gzip.BadGzipFile, ArrowException) as error:
            raise _damaged(name or str(path), error) from error
        except OSError as error:
            if error.errno is not None or not start.startswith(ZSTD):  # Arrow's own errors have no number
                raise
            raise _damaged(name or str(path), error) from error


def _expanded(file: BinaryIO, start: bytes) -> BinaryIO:
    if start.startswith(GZIP):
        return cast(BinaryIO, gzip.open(file, "rb"))
    if start == ZSTD:
        import pyarrow

        return cast(BinaryIO, io.BufferedReader(pyarrow.CompressedInputStream(file, "zstd")))
    return file


def _damaged(name: str, error: Exception) -> InputError:
    message = " ".join(str(error).split())
    return InputError(f"{name}: the compressed file is cut or damaged ({message}); copy or write it again")
