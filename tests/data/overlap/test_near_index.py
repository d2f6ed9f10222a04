from __future__ import annotations

import numpy as np

from data.overlap.test_near import ANSWER, NEAR, OTHERS, STORY, compared
from selfhint.data.overlap import near_index
from selfhint.data.overlap.near_index import BANDS, NO_KEY, NearIndex


def bands(tmp_path, problems):
    with NearIndex(tmp_path) as index:
        for problem in problems:
            index.add(problem)
        return np.array(list(index.bands()))


def shared(keys, one, other):
    return int((keys[:, one] == keys[:, other]).sum())


def test_near_duplicates_share_a_key_and_others_do_not(tmp_path):
    problems = [compared(text) for text in (STORY, *NEAR.values(), *OTHERS.values())]
    keys = bands(tmp_path, problems)
    assert keys.shape == (BANDS, len(problems))
    numbered_alike = [i for i, problem in enumerate(problems) if i and is_context_equal(problem, problems[0])]
    assert {1, 2, 4} <= set(numbered_alike)
    assert all(shared(keys, 0, i) for i in (1, 2, 4))
    assert not any(shared(keys, 0, i) for i in range(1, len(problems)) if i not in numbered_alike)


def is_context_equal(one, other):
    return sorted(sum(one.reading.numbers, ())) == sorted(sum(other.reading.numbers, ()))


def test_another_answer_shares_none(tmp_path):
    keys = bands(tmp_path, [compared(STORY), compared(STORY), compared(STORY, ANSWER + "0")])
    assert (shared(keys, 0, 1), shared(keys, 0, 2)) == (BANDS, 0)


def test_too_short_texts_have_no_key(tmp_path):
    keys = bands(tmp_path, [compared("What is 2?"), compared(STORY)])
    assert (keys[:, 0] == NO_KEY).all()
    assert (keys[:, 1] != NO_KEY).all()


def test_batches_make_no_difference(tmp_path, monkeypatch):
    problems = [compared(text) for text in (STORY, *OTHERS.values())]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    together = bands(tmp_path / "a", problems)
    monkeypatch.setattr(near_index, "BATCH", 2)
    assert (bands(tmp_path / "b", problems) == together).all()
