"""Generation through TRL's own backends: token limits, the form of completions, and what vLLM is asked and gives."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from selfhint.core.ports import Sample
from selfhint.engines.trl import SelfHintTrainer
from selfhint.engines.trl.engine import Job
from selfhint.engines.trl.generation import generate
from selfhint.hints import SelfHints, TextFormat
from selfhint.schedulers import Ladder
from support import riddles
from support.riddles import GROUP_SIZE, PROBLEMS_A_STEP


class Recording(SelfHintTrainer):
    """Samples for real and keeps what was drawn."""

    def draw(self, jobs, aligned):
        drawn = super().draw(jobs, aligned)
        self.drawn = [*getattr(self, "drawn", []), *zip(jobs, drawn, strict=True)]
        return drawn

    def lengths(self, purpose):
        return [completion.num_tokens for job, completion in self.drawn if job.request.purpose == purpose]


def refuse_all(problem, text, request):
    return "answer"


def sampled(folder, hint_max_tokens, max_completion_length, **ours):
    trainer = riddles.trainer(
        folder,
        Recording,
        args={"max_completion_length": max_completion_length},
        scheduler=Ladder(),
        hints=SelfHints(TextFormat(), **ours),
        hint_max_tokens=hint_max_tokens,
    )
    trainer.train()
    return trainer


@pytest.mark.parametrize(("hint_max_tokens", "max_completion_length"), [(5, 9), (9, 5), (6, 6)])
def test_hints_and_completions_have_limits_of_their_own(tmp_path, hint_max_tokens, max_completion_length):
    trainer = sampled(tmp_path, hint_max_tokens, max_completion_length)
    assert max(trainer.lengths("hint")) == hint_max_tokens
    assert max(trainer.lengths("solve")) == max_completion_length
    assert trainer.generation_config.max_new_tokens == max_completion_length


def test_the_limit_of_completions_is_put_back_after_a_failure(tmp_path, monkeypatch):
    trainer = riddles.trainer(tmp_path)
    usual = trainer.generation_config

    def fail(*args):
        assert trainer.generation_config.max_new_tokens == 3
        raise KeyError

    monkeypatch.setattr(trainer, "_generate_single_turn", fail)
    with pytest.raises(KeyError):
        generate(trainer, ["a prompt"], num_generations=1, max_tokens=3)
    assert trainer.generation_config is usual


def test_a_refused_hint_is_asked_again_with_fresh_sampling(tmp_path):
    trainer = sampled(tmp_path, 12, 4, tries=3, guard=refuse_all)
    assert trainer.generation_config.do_sample
    tries = {}
    for line in riddles.lines(tmp_path, "hints.jsonl"):
        if line["level"] < 3:
            tries.setdefault((line["key"], line["level"]), []).append(line["text"])
    assert len(tries) == PROBLEMS_A_STEP * 2
    for texts in tries.values():
        assert len(texts) == len(set(texts)) == 3


@pytest.mark.parametrize("chat", [True, False])
def test_completions_have_the_form_that_reward_functions_get_from_trl(tmp_path, chat):
    trainer = riddles.trainer(tmp_path, chat=chat, play=lambda prompt, nth: f"mud {nth}")
    prompt = riddles.rows(1, chat)[0]["prompt"]
    completions = generate(trainer, [prompt, prompt], num_generations=1, max_tokens=100)
    assert [c.text for c in completions] == ["mud 0", "mud 1"]
    assert [c.num_tokens for c in completions] == [6, 6]
    for completion in completions:
        text = completion.text
        assert completion.raw.message == ([{"role": "assistant", "content": text}] if chat else text)
        assert completion.raw.completion_ids[-1] == trainer.processing_class.eos_token_id
        decoded = trainer.processing_class.decode(completion.raw.prompt_ids)
        assert decoded == ("[user] Riddle 0: which word lies in the box?\n[assistant] " if chat else prompt)
        assert completion.raw.logprobs is None


def test_a_prompt_is_tokenised_once_for_all_its_completions(tmp_path, monkeypatch):
    trainer = riddles.trainer(tmp_path, play=lambda prompt, nth: f"mud {nth}")
    first, second = (row["prompt"] for row in riddles.rows(2))
    usual, seen = trainer._tokenize_prompts, []

    def tokenize(prompts):
        seen.append(list(prompts))
        ids, images, _ = usual(prompts)
        return ids, images, {"token_type_ids": [[i] for i in range(len(prompts))]}

    monkeypatch.setattr(trainer, "_tokenize_prompts", tokenize)
    monkeypatch.setattr(
        trainer, "_generate_single_turn", lambda ids, images, fields, num: (fields["token_type_ids"], None)
    )
    completions = generate(trainer, [first, first, second, second, first], num_generations=1, max_tokens=100)
    assert seen == [[first, second, first]]
    assert [c.raw.completion_ids for c in completions] == [[0], [0], [1], [1], [2]]
    assert [c.raw.prompt_ids for c in completions] == [usual([p])[0][0] for p in (first, first, second, second, first)]


def test_a_template_with_a_response_schema_is_parsed_as_trl_does(tmp_path):
    trainer = riddles.trainer(tmp_path, play=lambda prompt, nth: "thinks. says")
    trainer.processing_class.response_schema = {
        "type": "object",
        "properties": {
            "role": {"const": "assistant"},
            "content": {"type": "string", "x-regex": r"thinks\. (.*?)(?:<eos>|$)"},
        },
    }
    (completion,) = generate(trainer, [riddles.rows(1)[0]["prompt"]], num_generations=1, max_tokens=100)
    assert completion.raw.message == [{"role": "assistant", "content": "says"}]
    assert completion.text == "thinks. says"


class FakeVllm:
    """vLLM as TRL's trainer sees it. Checks that neighbours are copies, as its server mode requires."""

    def __init__(self, tokenizer, limit, fail=False):
        self.max_completion_length = limit
        self.calls = []
        self.num_syncs = 0
        self._tokenizer, self._fail = tokenizer, fail
        self._asked = {}

    def sync_weights(self):
        self.num_syncs += 1

    def generate(self, prompts, images, num_generations, profiler):
        texts = self._tokenizer.batch_decode(prompts)
        limit = self.max_completion_length
        self.calls.append(SimpleNamespace(texts=texts, num_generations=num_generations, limit=limit))
        if self._fail:
            raise KeyError
        for start in range(0, len(texts), num_generations):
            assert len(set(texts[start : start + num_generations])) == 1
        completions, logprobs = [], []
        for text in texts:
            nth = self._asked[text] = self._asked.get(text, -1) + 1
            ids = [*self._tokenizer(riddles.graded(text, nth))["input_ids"], self._tokenizer.eos_token_id][:limit]
            completions.append(ids)
            logprobs.append([[-5.0 - len(self.calls) / 8 - nth / 64 - i / 1024] for i in range(len(ids))])
        return prompts, completions, logprobs, None


@pytest.fixture
def vllm_trainer(tmp_path):
    class Played(riddles.PlayedTrainer):
        _generate_single_turn = SelfHintTrainer._generate_single_turn

    trainer = riddles.trainer(
        tmp_path, Played, scheduler=Ladder(), hints=SelfHints(TextFormat()), hint_max_tokens=64, args={"max_steps": 2}
    )
    # TRL builds the vLLM client in the constructor, where vLLM would have to be installed.
    trainer.use_vllm, trainer._last_loaded_step = True, -1
    trainer.vllm_generation = FakeVllm(trainer.processing_class, trainer.max_completion_length)
    return trainer


def test_vllm_is_asked_for_whole_groups_at_once_and_for_single_hints(vllm_trainer):
    vllm_trainer.train()
    calls = vllm_trainer.vllm_generation.calls
    hints = [call for call in calls if riddles.asks_for_hint(call.texts[0])]
    solves = [call for call in calls if call not in hints]
    assert len(hints) >= 2
    assert len(solves) >= 4
    assert {(call.num_generations, call.limit) for call in hints} == {(1, 64)}
    assert {(call.num_generations, call.limit) for call in solves} == {(GROUP_SIZE, 8)}
    assert vllm_trainer.vllm_generation.max_completion_length == 8


def test_vllm_gets_the_weights_once_an_update(vllm_trainer):
    vllm_trainer.train()
    assert vllm_trainer.state.global_step == 2
    assert vllm_trainer.vllm_generation.num_syncs == 2


def test_vllms_log_probabilities_of_the_kept_completions_enter_the_update(vllm_trainer):
    vllm_trainer.train()
    for visits, output in zip(vllm_trainer.visits, vllm_trainer.outputs, strict=True):
        raw = [completion.raw for visit in visits for completion in visit.kept.completions]
        assert len(raw) == len(output["completion_ids"]) == GROUP_SIZE * PROBLEMS_A_STEP
        for i, tokens in enumerate(raw):
            mask = output["completion_mask"][i].bool()
            assert output["completion_ids"][i][mask].tolist() == tokens.completion_ids
            torch.testing.assert_close(output["sampling_per_token_logps"][i][mask], torch.tensor(tokens.logprobs))
        assert output["importance_sampling_ratio"].isfinite().all()
    assert any(visit.kept.level for visits in vllm_trainer.visits for visit in visits)


def test_vllms_limit_is_put_back_after_a_failure(vllm_trainer):
    vllm = vllm_trainer.vllm_generation = FakeVllm(vllm_trainer.processing_class, 8, fail=True)
    with pytest.raises(KeyError):
        generate(vllm_trainer, ["a prompt"], num_generations=1, max_tokens=64)
    assert (vllm.calls[0].limit, vllm.max_completion_length) == (64, 8)


def test_groups_that_do_not_fill_every_rank_are_asked_for_one_by_one(vllm_trainer):
    def num_generations(purpose, aligned):
        request = Sample("key", 0, 0, purpose, riddles.rows(1)[0]["prompt"], GROUP_SIZE)
        vllm_trainer.draw([Job(request, i) for i in range(GROUP_SIZE)], aligned)
        return vllm_trainer.vllm_generation.calls[-1].num_generations

    assert num_generations("solve", aligned=True) == GROUP_SIZE
    assert num_generations("solve", aligned=False) == 1
    assert num_generations("hint", aligned=True) == 1
