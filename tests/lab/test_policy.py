"""Tokenizer and model."""

from __future__ import annotations

import pytest
import torch
from transformers import AutoTokenizer

from selfhint.core.prompt import append_to_prompt
from selfhint.lab.format import LabFormat
from selfhint.lab.policy import PolicySize, build_model, build_tokenizer
from selfhint.lab.task import HINT_BLOCK, LabTask

TASK = LabTask()


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer(TASK)


def render(tokenizer, prompt) -> str:
    return tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)


def test_rendered_prompts(tokenizer):
    problem = TASK.problem("aib")
    assert render(tokenizer, problem.prompt) == "<Paib|"
    assert render(tokenizer, append_to_prompt(problem.prompt, HINT_BLOCK.format(hint="53"))) == "<Paib|53|"
    assert render(tokenizer, LabFormat().request(problem, 3)) == f"<Haib|{problem.answer}|3|"


def test_an_answer_is_rendered_with_its_end(tokenizer):
    turns = [*TASK.problem("aib").prompt, {"role": "assistant", "content": "531"}]
    assert tokenizer.apply_chat_template(turns, tokenize=False) == "<Paib|531>"


def test_there_is_no_system_role(tokenizer):
    with pytest.raises(Exception, match="roles user and assistant only"):
        render(tokenizer, [{"role": "system", "content": "a"}])


def test_one_token_for_each_character_and_back(tokenizer):
    text = "<Habcdefghijklmnop|01234567|3|0123>#"
    ids = tokenizer(text).input_ids
    assert len(ids) == len(text)
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode(ids, skip_special_tokens=True) == text.strip("<>#").replace(">", "")
    assert (ids[0], ids[-2], ids[-1]) == (tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id)


def test_foreign_characters_are_an_error(tokenizer):
    with pytest.raises(Exception, match="UNK"):
        tokenizer("Pq")


def test_levels_can_be_written_with_few_digits():
    tokenizer = build_tokenizer(LabTask(num_digits=2))
    assert tokenizer.decode(tokenizer("<Hi|1|3|").input_ids) == "<Hi|1|3|"


def test_saved_tokenizer_is_the_same(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    prompt = TASK.problem("aib").prompt
    assert render(loaded, prompt) == render(tokenizer, prompt)
    assert loaded("<Paib|53|").input_ids == tokenizer("<Paib|53|").input_ids
    assert loaded.padding_side == "left"


def test_size(tokenizer):
    model = build_model(tokenizer, PolicySize())
    assert 1e5 < sum(p.numel() for p in model.parameters()) < 1.2e5
    ids = (model.config.pad_token_id, model.config.bos_token_id, model.config.eos_token_id)
    assert ids == (tokenizer.pad_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id)


def test_left_padding_changes_nothing(tokenizer):
    torch.manual_seed(0)
    model = build_model(tokenizer, PolicySize()).eval()
    texts = ["<Pa|", "<Pabcij|531|", "<Habcijk|531024|3|"]
    together = tokenizer(texts, return_tensors="pt", padding=True)
    assert together.input_ids[0, 0] == tokenizer.pad_token_id
    written = model.generate(**together, do_sample=False, max_new_tokens=6)[:, together.input_ids.shape[1] :]
    with torch.no_grad():
        logits = model(**together).logits[:, -1]
    for i, text in enumerate(texts):
        alone = tokenizer([text], return_tensors="pt")
        with torch.no_grad():
            torch.testing.assert_close(logits[i], model(**alone).logits[0, -1], rtol=1e-4, atol=1e-5)
        out = model.generate(**alone, do_sample=False, max_new_tokens=6)[0, alone.input_ids.shape[1] :]
        assert tokenizer.decode(out) == tokenizer.decode(written[i, : len(out)])
