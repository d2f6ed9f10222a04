"""Examples, the cache, and what a warmed-up policy can do."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from selfhint.core.errors import InputError
from selfhint.lab import warmup
from selfhint.lab.evaluate import level_report, success_rate
from selfhint.lab.policy import PolicySize, build_tokenizer
from selfhint.lab.task import LabTask, hint_length
from selfhint.lab.warmup import Examples, WarmUp, cache_name, cache_root, is_warm, train_policy, warm_policy

SHORT = WarmUp(steps=3, batch_size=4, rise_steps=1, size=PolicySize(hidden_size=16, intermediate_size=16, num_heads=2))


def drawn(task: LabTask, num: int, seed: int = 0) -> list[tuple[str, str]]:
    """Rendered examples, and for each character . (prompt or padding), ^ (target) or ? (a target that is a guess)."""
    tokenizer = build_tokenizer(task)
    batch = Examples(task, tokenizer, WarmUp(batch_size=num, seed=seed)).draw()
    rows = []
    for ids, target, guess in zip(batch.ids, batch.target.tolist(), batch.guess.tolist(), strict=True):
        marks = ["?" if g else "^" if t else "." for t, g in zip(target, guess, strict=True)]
        rows.append((tokenizer.decode(ids), "".join(marks)))
    return rows


def test_examples_are_the_task_s_messages():
    task = LabTask()
    seen = Counter()
    for text, marks in drawn(task, 600):
        match = re.fullmatch(r"<([PH])([a-p]+)\|(?:(\d+)\|)?(?:([123])\|)?(\d*)>#*", text)
        assert match, text
        kind, word, middle, level, end = match.groups()
        assert len(set(word)) == len(word) <= task.max_length
        digits = middle if kind == "H" else end
        assert len(digits) == len(word)
        assert all(digits[i] == task.secret[c] for i, c in enumerate(word) if c in task.known)
        if kind == "H":
            assert end == middle[: hint_length(len(word), int(level))]
            wanted = "^" * len(end)
        else:
            hint = middle or ""
            assert len(hint) in {hint_length(len(word), x) for x in range(4)}
            assert end.startswith(hint)
            wanted = "".join("?" if i >= len(hint) and c in task.unknown else "^" for i, c in enumerate(word))
        stop = text.index(">")
        assert marks == "." * (stop - len(end)) + wanted + "^" + "." * (len(text) - stop - 1)
        seen[kind, middle is not None, len(word)] += 1
    assert len(seen) == 6 + 5 + 6  # bare and hint-writing words of 1 … 6 letters, hinted ones of 2 … 6


def test_the_secret_of_unknown_letters_is_not_in_the_examples():
    task = LabTask(num_digits=4)
    spelled = []
    for text, _ in drawn(task, 4000):
        if text[1] == "P":
            word, stop = text[2 : text.index("|")], text.index(">")
            pairs = zip(word, text[stop - len(word) : stop], strict=True)
            spelled += [digit == task.secret[letter] for letter, digit in pairs if letter in task.unknown]
    z = (sum(spelled) - len(spelled) / 4) / math.sqrt(len(spelled) * 3 / 16)
    assert len(spelled) > 1000
    assert abs(z) < 4  # fixed seed


def test_a_seed_gives_the_same_examples():
    assert drawn(LabTask(), 20, seed=1) == drawn(LabTask(), 20, seed=1) != drawn(LabTask(), 20, seed=2)


def weights(task: LabTask, settings: WarmUp) -> torch.Tensor:
    model = train_policy(task, build_tokenizer(task), settings)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def test_a_seed_gives_the_same_policy_whatever_the_threads_and_leaves_the_process_alone(tiny_task):
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        torch.manual_seed(1)
        before = torch.get_rng_state()
        first = weights(tiny_task, SHORT)
        assert torch.get_num_threads() == 2
        assert torch.equal(torch.get_rng_state(), before)
        torch.set_num_threads(1)
        torch.manual_seed(2)
        assert torch.equal(weights(tiny_task, SHORT), first)
    finally:
        torch.set_num_threads(threads)
    assert not torch.equal(weights(tiny_task, replace(SHORT, seed=1)), first)


def test_progress_counts_the_steps(tiny_task):
    calls = []
    train_policy(tiny_task, build_tokenizer(tiny_task), SHORT, lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_the_cache_name_covers_task_settings_and_version(monkeypatch):
    task = LabTask()
    names = [
        cache_name(task, SHORT),
        cache_name(replace(task, num_known=7), SHORT),
        cache_name(replace(task, secret_seed=1), SHORT),
        cache_name(task, replace(SHORT, steps=4)),
        cache_name(task, replace(SHORT, size=PolicySize())),
    ]
    monkeypatch.setattr(warmup, "VERSION", warmup.VERSION + 1)
    names.append(cache_name(task, SHORT))
    assert len(set(names)) == len(names)
    assert cache_name(LabTask(), SHORT) == names[-1]


def test_the_second_call_finds_the_first_one_s_folder(tiny_task, tmp_path):
    first = warm_policy(tiny_task, tmp_path, settings=SHORT)
    calls = []
    assert warm_policy(tiny_task, tmp_path, lambda *at: calls.append(at), SHORT) == first
    assert calls == []
    assert [p.name for p in tmp_path.iterdir()] == [cache_name(tiny_task, SHORT)]


def test_the_folder_is_plain_hugging_face(tiny_task, tmp_path):
    folder = warm_policy(tiny_task, tmp_path, settings=SHORT)
    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    assert model.config.model_type == "llama"
    loaded = torch.cat([p.detach().flatten() for p in model.parameters()])
    assert torch.equal(loaded, weights(tiny_task, SHORT))
    assert tokenizer.decode(tokenizer("<Pab|").input_ids) == "<Pab|"


def test_another_process_may_finish_first(tiny_task, tmp_path, monkeypatch):
    def slow(*args):
        monkeypatch.setattr(warmup, "train_policy", train_policy)
        warm_policy(tiny_task, tmp_path, settings=SHORT)  # as the other process would
        return train_policy(*args)

    monkeypatch.setattr(warmup, "train_policy", slow)
    folder = warm_policy(tiny_task, tmp_path, settings=SHORT)
    AutoModelForCausalLM.from_pretrained(folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_a_failure_leaves_nothing_behind(tiny_task, tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        warm_policy(tiny_task, tmp_path, stop, SHORT)
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written(tiny_task, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InputError, match="set SELFHINT_CACHE to a folder you may write to"):
        warm_policy(tiny_task, blocked, settings=SHORT)


def test_where_the_cache_is(monkeypatch, tmp_path, tiny_task):
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("SELFHINT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_root() == Path("/home/someone/.cache/selfhint")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_root() == Path("/caches/selfhint")
    monkeypatch.setenv("SELFHINT_CACHE", str(tmp_path / "own"))
    assert cache_root() == tmp_path / "own"
    assert warm_policy(tiny_task, settings=SHORT).parent == tmp_path / "own"


def test_only_a_finished_policy_is_warm(monkeypatch, tmp_path):
    task, name = LabTask(), cache_name(LabTask(), WarmUp())
    monkeypatch.setenv("SELFHINT_CACHE", str(tmp_path))
    (tmp_path / f".{name}-unfinished").mkdir()
    assert not is_warm(task)
    (tmp_path / name).mkdir()
    assert is_warm(task)
    assert not is_warm(replace(task, num_known=7))


def test_a_tiny_policy_learns_what_the_warm_up_teaches(tiny_policy, tiny_task):
    model, tokenizer = tiny_policy
    unknown = [tiny_task.problem(word) for word in ("cd", "dc")] * 100
    known = [tiny_task.problem(word) for word in ("a", "b", "ab", "ba")] * 25
    assert success_rate(model, tokenizer, known, seed=1) >= 0.85
    by_level = level_report(model, tokenizer, tiny_task, unknown, seed=0)
    assert by_level[3].hints_exact >= 0.9
    for result in by_level:
        deviation = math.sqrt(result.ideal * (1 - result.ideal) / len(unknown))
        assert abs(result.true_hints - result.ideal) < 4 * deviation
        assert abs(result.own_hints - result.ideal) < 4 * deviation


@pytest.mark.slow
def test_the_default_policy_is_close_to_an_ideal_reader(tmp_path):
    task = LabTask()
    folder = warm_policy(task, tmp_path)
    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    for kind in ("hard", "mixed"):
        problems = task.problems(kind, num_train=0, num_held_out=1500).held_out
        for result in level_report(model, tokenizer, task, problems, seed=0):
            deviation = math.sqrt(result.ideal * (1 - result.ideal) / len(problems))
            assert abs(result.true_hints - result.ideal) < 4 * deviation
            assert abs(result.own_hints - result.true_hints) < 0.02
            assert result.hints_exact >= 0.98
    known = [p for p in problems if set(p.question) <= set(task.known)]
    assert len(known) > 50
    assert success_rate(model, tokenizer, known, seed=0) >= 0.95
