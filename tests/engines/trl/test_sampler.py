"""The order of problems: stock TRL's in every epoch, also after a resume."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trl import GRPOTrainer
from trl.trainer.utils import RepeatSampler

from selfhint.engines.trl.sampler import EpochRepeatSampler
from support import riddles
from support.riddles import PlayedTrainer


@settings(deadline=None, max_examples=40)
@given(
    num=st.integers(1, 12),
    mini=st.integers(1, 3),
    batch=st.integers(1, 4),
    repeat=st.integers(1, 3),
    seed=st.integers(0, 2**31),
    epochs=st.integers(1, 4),
)
def test_each_epoch_is_stocks_whether_or_not_the_earlier_ones_were_iterated(num, mini, batch, repeat, seed, epochs):
    arguments = {"mini_repeat_count": mini, "batch_size": batch, "repeat_count": repeat, "seed": seed}
    stock = RepeatSampler(range(num), **arguments)
    orders = [list(stock) for _ in range(epochs)]

    current = 0
    ours = EpochRepeatSampler(range(num), **arguments, epoch=lambda: current)
    for current in range(epochs):
        assert list(ours) == orders[current]
    resumed = EpochRepeatSampler(range(num), **arguments, epoch=lambda: epochs - 1)
    assert list(resumed) == orders[-1]
    assert len(resumed) == len(stock)


def test_without_shuffling_every_epoch_is_in_the_data_sets_order():
    sampler = EpochRepeatSampler(range(4), mini_repeat_count=2, batch_size=2, shuffle=False, seed=1, epoch=lambda: 3)
    assert list(sampler) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_without_a_seed_it_still_shuffles():
    sampler = EpochRepeatSampler(range(6), mini_repeat_count=1, epoch=lambda: 0)
    assert sorted(sampler) == list(range(6))


@pytest.mark.parametrize("shuffle", [True, False])
def test_training_visits_problems_in_stocks_order_also_after_a_resume(tmp_path, shuffle):
    def order(cls, folder, updates, resume=None):
        seen = []

        def note(prompts, completions, answer, **kwargs):
            seen.extend(riddles.number_of(riddles.text_of(p)) for p in prompts[:: riddles.GROUP_SIZE])
            return riddles.correct(completions, answer)

        # Two steps an epoch: five steps reach into the third epoch.
        trainer = riddles.trainer(
            folder,
            cls,
            reward_funcs=[note],
            args={
                "max_steps": updates,
                "shuffle_dataset": shuffle,
                "save_strategy": "steps",
                "save_steps": 1,
            },
        )
        trainer.train(**({"resume_from_checkpoint": True} if resume else {}))
        return seen

    stock = order(GRPOTrainer, tmp_path / "stock", 5)
    assert len(stock) == 20
    assert (stock[:8] == stock[8:16]) == (not shuffle)
    assert order(PlayedTrainer, tmp_path / "ours", 5) == stock
    assert order(PlayedTrainer, tmp_path / "resumed", 3) == stock[:12]
    assert order(PlayedTrainer, tmp_path / "resumed", 5, resume=True) == stock[12:]
