"""English riddles, a tiny policy that reads bytes, and scripts of what it answers. Loads no engine."""

from __future__ import annotations

import re
from collections.abc import Callable

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "ivory", "jolly", "karma", "lotus")
GROUP_SIZE, PROBLEMS_A_STEP = 4, 4
CHAT_TEMPLATE = (
    "{% for message in messages %}[{{ message['role'] }}] {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant] {% endif %}"
)
Play = Callable[[str, int], str]
"""(prompt as the policy reads it, how often it was asked before) → completion."""


def policy(chat: bool = True, context: int = 4096):
    """A freshly initialised policy, always the same, and its tokenizer: one token per byte."""
    characters = ["<pad>", "<eos>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(characters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="<eos>",
        padding_side="left",
        chat_template=CHAT_TEMPLATE if chat else None,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = LlamaConfig(
            vocab_size=len(fast),
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=context,
            pad_token_id=fast.pad_token_id,
            eos_token_id=fast.eos_token_id,
            bos_token_id=None,
        )
        return LlamaForCausalLM(config), fast


def question(number: int) -> str:
    return f"Riddle {number}: which word lies in the box?"


def solution(word: str) -> str:
    return (
        "First read the label of the box twice. Then turn the box so that the lid faces you. "
        f"After that open the lid without haste. The word inside reads {word}."
    )


def rows(num: int = 8, chat: bool = True) -> list[dict]:
    """Columns prompt, problem, solution, answer; the answer is never in a prefix of the solution."""
    return [
        {
            "prompt": [{"role": "user", "content": question(i)}] if chat else question(i),
            "problem": question(i),
            "solution": solution(WORDS[i]),
            "answer": WORDS[i],
        }
        for i in range(num)
    ]


def text_of(completion) -> str:
    return completion if isinstance(completion, str) else completion[0]["content"]


def correct(completions, answer, **kwargs):
    return [float(text_of(c) == a) for c, a in zip(completions, answer, strict=True)]


def number_of(prompt: str) -> int:
    return int(re.search(r"Riddle (\d+)", prompt)[1])


def asks_for_hint(prompt: str) -> bool:
    return "You are a tutor" in prompt


def has_hint(prompt: str) -> bool:
    return "Here is a hint" in prompt


def needs_hint(prompt: str, nth: int) -> str:
    """Fails without a hint; with one, every second completion is right. Writes good hints."""
    if asks_for_hint(prompt):
        return "Look at the label before anything else."
    return WORDS[number_of(prompt)] if has_hint(prompt) and nth % 2 else "mud"


HINT_TEXT = {1: "Look at the label before anything else.", 2: "Turn the box around and open it slowly."}
"""What `graded` writes; at level 3 the text format takes the first part of the solution."""


def level_of(prompt: str) -> int:
    if not has_hint(prompt):
        return 0
    return next((level for level, text in HINT_TEXT.items() if text in prompt), 3)


def level_asked(prompt: str) -> int:
    return 2 if "three or four short steps" in prompt else 1


def graded(prompt: str, nth: int) -> str:
    """Riddle n is failed below level n mod 4; from there on every second completion is right."""
    if asks_for_hint(prompt):
        return HINT_TEXT[level_asked(prompt)]
    number = number_of(prompt)
    return WORDS[number] if level_of(prompt) >= number % 4 and nth % 2 else "mud"


def seeded(prompt: str, seed: int) -> str:
    """As `graded`, but a completion's seed says whether it is right, so that the order of requests says nothing."""
    if asks_for_hint(prompt):
        return HINT_TEXT[level_asked(prompt)]
    number = number_of(prompt)
    return WORDS[number] if level_of(prompt) >= number % 4 and seed % 3 == 0 else "mud"
