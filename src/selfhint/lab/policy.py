"""The lab's policy: a Llama of about 0.1 M parameters that reads and writes single characters.

A user message is rendered as `<` + content + `|`, an assistant message as content + `>`. A solver's prompt is therefore
`<Pword|`, with a hint `<Pword|hint|`, and a request for a hint `<Hword|digits|level|`.
"""

from __future__ import annotations

import string
from dataclasses import dataclass

from tokenizers import Regex, Tokenizer
from tokenizers.decoders import Fuse
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from selfhint.core.levels import NUM_LEVELS
from selfhint.lab.task import SEPARATOR, SOLVE, WRITE_HINT, LabTask

BOS, EOS, PAD = "<", ">", "#"
CONTEXT_LENGTH = 128
"""Positions the model is configured for; the longest rendered problem of 26 letters fits."""

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'user' %}{{ '" + BOS + "' + message['content'] + '" + SEPARATOR + "' }}"
    "{% elif message['role'] == 'assistant' %}{{ message['content'] + '" + EOS + "' }}"
    "{% else %}{{ raise_exception('the lab policy knows the roles user and assistant only') }}"
    "{% endif %}{% endfor %}"
)


@dataclass(frozen=True, slots=True)
class PolicySize:
    """Architecture of the policy.

    `initializer_range` is the standard deviation of the first weights: at this width it learns several times faster
    than with the usual 0.02.
    """

    hidden_size: int = 64
    intermediate_size: int = 192
    num_layers: int = 2
    num_heads: int = 4
    initializer_range: float = 0.06


def build_tokenizer(task: LabTask) -> PreTrainedTokenizerFast:
    """One token per character. A character that the task does not use is an error of the tokenizer, not a token."""
    digits = string.digits[: max(task.num_digits, NUM_LEVELS + 1)]
    characters = [PAD, BOS, EOS, SEPARATOR, SOLVE, WRITE_HINT, *digits, *task.letters]
    tokenizer = Tokenizer(WordLevel({character: i for i, character in enumerate(characters)}))
    tokenizer.pre_tokenizer = Split(Regex("."), "isolated")
    tokenizer.decoder = Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        bos_token=BOS,
        eos_token=EOS,
        padding_side="left",
        model_max_length=CONTEXT_LENGTH,
        clean_up_tokenization_spaces=False,
        chat_template=CHAT_TEMPLATE,
    )


def build_model(tokenizer: PreTrainedTokenizerFast, size: PolicySize) -> LlamaForCausalLM:
    """A freshly initialised policy, from torch's global random state."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=size.hidden_size,
        intermediate_size=size.intermediate_size,
        num_hidden_layers=size.num_layers,
        num_attention_heads=size.num_heads,
        max_position_embeddings=CONTEXT_LENGTH,
        tie_word_embeddings=True,
        initializer_range=size.initializer_range,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return LlamaForCausalLM(config)
