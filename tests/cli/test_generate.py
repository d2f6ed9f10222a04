"""`selfhint generate` asks as training asks at level 0, and never with a hint."""

from __future__ import annotations

import io
import json
import shutil
import sys

import pytest
from transformers import AutoTokenizer, LlamaForCausalLM

from cli.conftest import problem_rows
from selfhint.cli import models
from selfhint.cli.generate import asked, generate
from selfhint.core.errors import InputError
from selfhint.hints import HINT_BLOCK, SOLVER_TEMPLATE

HINT_WORDS = HINT_BLOCK.partition("{hint}")[0].strip()


@pytest.fixture
def read(monkeypatch):
    """Every prompt that a model continued, as token ids without padding."""
    prompts: list[list[int]] = []
    usual = LlamaForCausalLM.generate

    def watched(self, inputs=None, **options):
        ids = options["input_ids"] if inputs is None else inputs
        for row, mask in zip(ids, options["attention_mask"], strict=True):
            prompts.append(row[mask.bool()].tolist())
        return usual(self, inputs, **options)

    monkeypatch.setattr(LlamaForCausalLM, "generate", watched)
    return prompts


QUESTIONS = [row["problem"] for row in problem_rows()]


@pytest.mark.parametrize("kind", ["chat", "base", "own prompt", "template arguments"])
def test_the_prompt_is_the_one_of_training_without_a_hint(
    selfhint_command, recipe, chat_model, base_model, tmp_path, read, kind
):
    words = {
        "chat": [],
        "base": [f"model={base_model}"],
        "own prompt": ["prompt=Which word? {problem} {Think}"],
        "template arguments": ["trl.chat_template_kwargs={tone: calm}", f"model={tmp_path / 'model'}"],
    }[kind]
    if kind == "template arguments":
        shutil.copytree(chat_model, tmp_path / "model")
        template = tmp_path / "model" / "chat_template.jinja"
        template.write_text("({{ tone }}) " + template.read_text())
    assert selfhint_command("train", recipe, *words).code == 0
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "run" / "final")
    trained = [list(prompt) for prompt in read]
    read.clear()

    assert selfhint_command("generate", tmp_path / "run" / "final", *QUESTIONS, "--max-tokens", "2").code == 0
    assert len(read) == len(QUESTIONS)
    for prompt, question in zip(read, QUESTIONS, strict=True):
        assert prompt in trained
        text = tokenizer.decode(prompt)
        assert question in text
        assert HINT_WORDS not in text
    hinted = [text for text in map(tokenizer.decode, trained) if HINT_WORDS in text]
    assert hinted, "training had hints that could have been seen"
    bare = {tokenizer.decode(prompt) for prompt in read}
    assert any(text.replace(text[text.index("\n\n" + HINT_WORDS) :], "") in t for text in hinted for t in bare)


def test_a_model_that_was_not_trained_here_gets_the_usual_prompt(chat_model):
    tokenizer = models.load_tokenizer(str(chat_model))
    prompt = asked("What?", tokenizer)
    assert models.as_text(tokenizer, prompt, {}) == (
        f"[user] {SOLVER_TEMPLATE.replace('{problem}', 'What?')}<eos>[assistant] "
    )


def test_one_answer_a_problem_from_words_or_lines(selfhint_command, lab, tmp_path, monkeypatch):
    assert selfhint_command("train", *lab, f"out={tmp_path}", "steps=1").code == 0
    words = selfhint_command("generate", tmp_path / "final", "ab", "c", "--max-tokens", "5")
    assert (words.code, words.err) == (0, "")
    monkeypatch.setattr(sys, "stdin", io.StringIO("ab\n\nc\n"))
    lines = selfhint_command("generate", tmp_path / "final", "--max-tokens", "5")
    assert lines == words
    assert len(words.out.splitlines()) == 2


def test_a_problem_in_letters_that_the_model_does_not_know(refused, lab_policy):
    refused("generate", lab_policy, "What?", says=("its tokenizer cannot read", "characters that the model knows"))


def test_nothing_to_solve(selfhint_command, chat_model, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    outcome = selfhint_command("generate", chat_model)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "no problem given" in outcome.err


def test_sampling_follows_the_seed(chat_model):
    def answers(seed, temperature=1.0):
        return list(generate(str(chat_model), ["a", "b"], max_tokens=8, temperature=temperature, seed=seed))

    assert answers(1) == answers(1) != answers(2)
    assert answers(1, temperature=0.0) == answers(2, temperature=0.0)


def test_a_problem_over_the_context_is_refused(chat_model):
    with pytest.raises(InputError, match="over the model's context of 2048; shorten it"):
        list(generate(str(chat_model), ["long " * 500], max_tokens=1, temperature=0.0, seed=0))


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"solver_prompt": 3}', '{"solver_prompt": "no place"}'])
def test_a_damaged_note_of_how_the_model_was_asked(chat_model, tmp_path, content):
    folder = tmp_path / "model"
    shutil.copytree(chat_model, folder)
    (folder / "selfhint.json").write_text(content)
    with pytest.raises(InputError, match=r"selfhint\.json"):
        list(generate(str(folder), ["a"], max_tokens=1, temperature=0.0, seed=0))


def test_every_end_token_of_the_model_ends_an_answer(chat_model, tmp_path, monkeypatch):
    folder = tmp_path / "model"
    shutil.copytree(chat_model, folder)
    config = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps({**config, "eos_token_id": [5, 7]}))
    settings = []
    usual = LlamaForCausalLM.generate

    def watched(self, *inputs, generation_config, **options):
        settings.append(generation_config)
        return usual(self, *inputs, generation_config=generation_config, **options)

    monkeypatch.setattr(LlamaForCausalLM, "generate", watched)
    list(generate(str(folder), ["a"], max_tokens=1, temperature=0.0, seed=0))
    tokenizer = models.load_tokenizer(str(folder))
    assert settings[0].repetition_penalty == 1.0  # as in training, whatever the model's own settings say
    assert set(settings[0].eos_token_id) == {tokenizer.eos_token_id, 5, 7}
    assert settings[0].pad_token_id == tokenizer.pad_token_id
