"""Near-duplicates among millions of problems: MinHash signatures in bands, which lie on disk.

A band's key is made of `ROWS` minima, the problem's numbers and its answer; problems that share a key are compared. Two
whose shingle sets have Jaccard similarity s share one with probability 1 − (1 − s³)³² (Leskovec, Rajaraman, Ullman:
Mining of Massive Datasets, 3.4): 0.93 for s = 0.43, which is two equally long texts at the least containment that
counts, and 0.9996 for s = 0.6. The signatures are datasketch's; its own index keeps keys in memory or on a server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from selfhint.data.overlap.near import MIN_SHINGLES_WHOLE, Compared

BANDS, ROWS = 32, 3
BATCH = 4096
"""Problems whose keys are held in memory until they are written."""
NO_KEY = 0
"""Key of a text that is too short to be nearly another."""

Keys = npt.NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class NearIndex:
    """The band keys of problems, numbered from 0 in the order added. Use as a context manager.

    Args:
        folder: where the files go, 256 bytes a problem; it must exist.
    """

    def __init__(self, folder: Path) -> None:
        from datasketch import MinHash

        self._paths = [folder / f"band_{band:02}" for band in range(BANDS)]
        self._sketch = MinHash(num_perm=BANDS * ROWS, hashfunc=int)  # shingles are hashes already
        self._stack = ExitStack()
        self._signatures: list[npt.NDArray[np.uint32] | None] = []
        self._contexts: list[int] = []

    def __enter__(self) -> Self:
        self._files = [self._stack.enter_context(path.open("wb")) for path in self._paths]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def add(self, problem: Compared) -> None:
        """Takes in the next problem."""
        shingles = problem.reading.shingles
        if len(shingles) < MIN_SHINGLES_WHOLE:
            self._signatures.append(None)
        else:
            self._sketch.clear()
            self._sketch.update_batch(shingles)
            self._signatures.append(self._sketch.hashvalues)
        self._contexts.append(_context(problem))
        if len(self._signatures) == BATCH:
            self._write()

    def _write(self) -> None:
        blank = np.zeros(BANDS * ROWS, np.uint32)
        minima = np.array([blank if s is None else s for s in self._signatures], np.uint64).reshape(-1, BANDS, ROWS)
        keys = np.repeat(np.array(self._contexts, np.uint64)[:, None], BANDS, axis=1)
        for row in range(ROWS):
            keys = (keys ^ minima[:, :, row]) * _MIX
            keys ^= keys >> _SHIFT
        keys |= np.uint64(1)
        keys[[s is None for s in self._signatures]] = NO_KEY
        for file, column in zip(self._files, keys.T, strict=True):
            file.write(column.tobytes())
        self._signatures.clear()
        self._contexts.clear()

    def bands(self) -> Iterator[Keys]:
        """The keys of all problems, a band at a time; nothing can be added afterwards."""
        if self._signatures:
            self._write()
        self._stack.close()
        for path in self._paths:
            yield np.fromfile(path, np.uint64)


def _context(problem: Compared) -> int:
    """Stands for what near-duplicates must have in common exactly."""
    text = "\0".join((problem.answer or "", *sorted(chain(*problem.reading.numbers))))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
