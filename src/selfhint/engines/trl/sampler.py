"""TRL's data order as a function of (seed, epoch), so that a resumed run sees what an uninterrupted one sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from trl.trainer.utils import RepeatSampler


class EpochRepeatSampler(RepeatSampler):  # type: ignore[misc]
    """A RepeatSampler that shuffles epoch e as an uninterrupted stock run does.

    TRL's own takes one permutation after another from a generator that starts anew in a resumed run, which then repeats
    the order of epoch 0. This one seeds the generator and passes over the permutations of earlier epochs.

    Args:
        epoch: gives the current epoch, counted from 0, when an epoch's iteration starts.
    """

    def __init__(self, *args: Any, epoch: Callable[[], int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        if self.shuffle and self.seed is not None:
            self.generator.manual_seed(self.seed)
            for _ in range(self._epoch()):
                torch.randperm(self.num_samples, generator=self.generator)
        yield from super().__iter__()
