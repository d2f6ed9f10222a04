"""The engine over a model in this process: what it draws follows from seeds, its limits and ends are training's."""

from __future__ import annotations

from collections import Counter

import pytest
import torch
from transformers import LlamaForCausalLM

from selfhint.core.group import Completion
from selfhint.core.ports import Judge, Sample
from selfhint.core.problem import Problem
from selfhint.engines.local import LocalEngine, SeededChoice, end_tokens, generation_settings
from selfhint.verify import make_verifier
from support.riddle_set import policy

LIMITS = {"solve": 12, "hint": 5}


@pytest.fixture(scope="module")
def tiny():
    torch.set_num_threads(1)
    return policy()


def engine(tiny, **changes):
    model, tokenizer = tiny
    settings = {"token_ids": lambda prompt: tokenizer(prompt)["input_ids"], "max_tokens": LIMITS, "seed": 3}
    return LocalEngine(model, tokenizer, make_verifier("exact"), **{**settings, **changes})


def request(prompt="What is it?", key="k", num=3, purpose="solve", level=0, attempt=0):
    return Sample(key=key, visit=0, level=level, purpose=purpose, prompt=prompt, num=num, attempt=attempt)


REQUESTS = [request(f"Riddle {'x' * (7 * i)}?", key=f"k{i}", num=i + 1) for i in range(4)]


def test_completions_do_not_depend_on_the_rest_of_the_batch(tiny):
    together = engine(tiny).sample(REQUESTS)
    assert [len(group) for group in together] == [1, 2, 3, 4]
    assert engine(tiny).sample(REQUESTS[::-1]) == together[::-1]
    assert [engine(tiny).sample([one])[0] for one in REQUESTS] == together
    assert engine(tiny, max_rows=3).sample(REQUESTS) == together
    assert engine(tiny, max_batch_tokens=1).sample(REQUESTS) == together


def test_completions_follow_the_seed_and_the_identity(tiny):
    def drawn(seed=3, **identity):
        return engine(tiny, seed=seed).sample([request(**identity)])[0]

    first = drawn()
    assert drawn() == first
    assert len({c.text for c in first}) == 3
    for other in (drawn(seed=4), drawn(key="l"), drawn(level=1), drawn(attempt=1)):
        assert not {c.text for c in other} & {c.text for c in first}


def test_torch_s_own_random_state_is_neither_used_nor_changed(tiny):
    torch.manual_seed(1)
    state = torch.random.get_rng_state()
    first = engine(tiny).sample(REQUESTS)
    assert torch.equal(torch.random.get_rng_state(), state)
    torch.manual_seed(2)
    assert engine(tiny).sample(REQUESTS) == first


def test_each_purpose_has_its_limit(tiny):
    (solved,) = engine(tiny).sample([request(num=8)])
    (hints,) = engine(tiny).sample([request(num=8, purpose="hint")])
    assert max(c.num_tokens for c in solved) == 12
    assert max(c.num_tokens for c in hints) == 5


def test_a_longer_limit_goes_on_from_the_same_beginning(tiny):
    (short,) = engine(tiny, max_tokens={"solve": 4}).sample([request(num=6)])
    (long,) = engine(tiny, max_tokens={"solve": 40}).sample([request(num=6)])
    for one, other in zip(short, long, strict=True):
        assert other.text.startswith(one.text.rstrip("�"))
    assert any(other.num_tokens > one.num_tokens for one, other in zip(short, long, strict=True))


def test_batches_hold_to_rows_and_tokens(tiny, monkeypatch):
    shapes = []
    usual = LlamaForCausalLM.generate

    def watched(self, ids, **options):
        shapes.append(tuple(ids.shape))
        return usual(self, ids, **options)

    monkeypatch.setattr(LlamaForCausalLM, "generate", watched)
    engine(tiny, max_rows=4).sample([request(num=10)])
    assert [rows for rows, _ in shapes] == [4, 4, 2]
    shapes.clear()
    engine(tiny, max_batch_tokens=100).sample(REQUESTS)
    assert sum(rows for rows, _ in shapes) == 10
    assert all(rows * (width + 12) <= 100 for rows, width in shapes)
    assert len(shapes) < 10
    assert shapes == sorted(shapes, key=lambda shape: -shape[1])


def test_progress_is_told_after_each_batch(tiny):
    told = []
    drawn = engine(tiny, max_rows=4, on_batch=lambda *counts: told.append(counts)).sample([request(num=10)])
    assert [rows for rows, _ in told] == [4, 4, 2]
    assert sum(tokens for _, tokens in told) == sum(c.num_tokens for c in drawn[0])


def test_frequencies_are_the_model_s_probabilities_at_the_temperature():
    logits = torch.log(torch.tensor([0.5, 0.0, 0.2, 0.3]))
    for temperature in (1.0, 0.5):
        choice = SeededChoice(range(4000), 1, temperature, torch.device("cpu"))
        chosen = choice(None, logits.repeat(4000, 1)).argmax(dim=-1).tolist()
        expected = (logits / temperature).softmax(-1).tolist()
        counts = Counter(chosen)
        assert counts[1] == 0
        assert [counts[i] / 4000 for i in range(4)] == pytest.approx(expected, abs=0.03)


def test_temperature_0_takes_the_likeliest_token(tiny):
    model, tokenizer = tiny
    (drawn,) = engine(tiny, temperature=0.0).sample([request(num=2)])
    ids = torch.tensor([tokenizer("What is it?")["input_ids"]])
    with torch.no_grad():
        assert drawn[0] == drawn[1]
        first = model(ids).logits[0, -1].argmax()
    assert drawn[0].text.startswith(tokenizer.decode([first]).rstrip("�"))


def test_temperature_near_0_agrees_with_it(tiny):
    assert engine(tiny, temperature=1e-6).sample(REQUESTS) == engine(tiny, temperature=0.0).sample(REQUESTS)


def test_every_end_token_ends_a_completion_and_is_counted(tiny, monkeypatch):
    model, tokenizer = tiny
    outputs = []
    usual = LlamaForCausalLM.generate

    def watched(self, ids, **options):
        outputs.append(usual(self, ids, **options)[:, ids.shape[1] :])
        return torch.cat([ids, outputs[-1]], dim=1)

    monkeypatch.setattr(LlamaForCausalLM, "generate", watched)
    engine(tiny).sample([request(num=8)])
    end = outputs.pop()[0, 2].item()
    monkeypatch.setattr(model.generation_config, "eos_token_id", [end, 7])
    assert end_tokens(model, tokenizer) == sorted({tokenizer.eos_token_id, 7, end})
    (ended,) = engine(tiny).sample([request(num=8)])
    assert ended[0].num_tokens <= 3
    for completion, ids in zip(ended, outputs[0].tolist(), strict=True):
        ends = [i + 1 for i, token in enumerate(ids) if token in (tokenizer.eos_token_id, 7, end)]
        assert completion.num_tokens == min([*ends, len(ids)])
        assert completion.text == tokenizer.decode(ids[: completion.num_tokens], skip_special_tokens=True)


def test_the_model_s_own_habits_of_sampling_do_not_count(tiny, monkeypatch):
    """Released models ship top_p, temperature and a penalty for repetition; a training samples without them."""
    usual = engine(tiny).sample(REQUESTS)
    for name, value in {
        "top_k": 1,
        "top_p": 0.1,
        "temperature": 0.01,
        "repetition_penalty": 5.0,
        "do_sample": True,
    }.items():
        monkeypatch.setattr(tiny[0].generation_config, name, value)
    assert engine(tiny).sample(REQUESTS) == usual
    assert generation_settings(*tiny, 4).repetition_penalty == 1.0


def test_a_tokenizer_without_a_pad_token(tiny):
    model, tokenizer = policy()
    tokenizer.pad_token = None
    assert engine((model, tokenizer)).sample(REQUESTS) == engine(tiny).sample(REQUESTS)


def test_verdicts_are_the_verifier_s(tiny):
    problems = [Problem(f"p{i}", None, str(i), f"p{i}") for i in range(2)]
    completions = tuple(Completion(text, 1) for text in ("0", "1", "x"))
    verdicts = engine(tiny).judge([Judge(p, 0, p.prompt, completions) for p in problems])
    assert [[v.correct for v in group] for group in verdicts] == [[True, False, False], [False, True, False]]


def test_no_requests(tiny):
    assert engine(tiny).sample([]) == []
