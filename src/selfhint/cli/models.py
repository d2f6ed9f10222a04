"""A model folder or hub id: whether it is there, its tokenizer, and prompts as that tokenizer reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfhint.core.errors import InputError
from selfhint.core.prompt import Message, Prompt

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

CONFIG = "config.json"
SHOWN = 40
"""Characters of a text in an error message."""


def first_line(error: BaseException) -> str:
    """What a library's many-lined message begins with."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(" .:") if lines else type(error).__name__


def check_model(model: str) -> None:
    """Looks for a model without loading it, and asks the hub once where transformers would try for most of a minute.

    Raises:
        InputError: it is no folder with a model, and the hub does not have it or cannot be reached.
    """
    import httpx
    from huggingface_hub import get_hf_file_metadata, hf_hub_url, try_to_load_from_cache
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    mend = "give a folder with a Hugging Face model or a hub id"
    try:
        if Path(model).is_dir():
            if not (Path(model) / CONFIG).is_file():
                raise InputError(f"model={model}: no {CONFIG} in that folder; {mend}")
            return
        if Path(model).exists():
            raise InputError(f"model={model}: is a file; {mend}")
        if not isinstance(try_to_load_from_cache(model, CONFIG), str):
            get_hf_file_metadata(hf_hub_url(model, CONFIG))
    except HFValidationError:
        raise InputError(f"model={model}: no such folder; {mend}") from None
    except HfHubHTTPError as error:
        raise InputError(
            f"model={model}: no such folder, and the hub does not give it ({first_line(error)}); {mend}"
        ) from error
    except (httpx.HTTPError, OSError, ValueError) as error:
        raise InputError(
            f"model={model}: no such folder, and the hub cannot be asked ({first_line(error)}); {mend}"
        ) from error


def load_tokenizer(model: str, *, trust_remote_code: bool = False) -> PreTrainedTokenizerBase:
    """The model's tokenizer, set up for generation.

    Raises:
        InputError: the model is missing or its tokenizer cannot be read.
    """
    from transformers import AutoTokenizer

    check_model(model)
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            model, padding_side="left", truncation_side="left", trust_remote_code=trust_remote_code
        )
    except Exception as error:  # the tokenizers library raises plain Exception
        raise InputError(
            f"model={model}: its tokenizer cannot be read ({first_line(error)}); "
            "put the tokenizer's files beside the model"
        ) from error
    if tokenizer.eos_token_id is None:
        raise InputError(f"model={model}: its tokenizer names no end token; set eos_token in tokenizer_config.json")
    return tokenizer


def load_policy(model: str, *, trust_remote_code: bool = False) -> PreTrainedModel:
    """The model itself, on the GPU if there is one.

    Raises:
        InputError: it cannot be loaded.
    """
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM

    try:
        policy = AutoModelForCausalLM.from_pretrained(model, dtype="auto", trust_remote_code=trust_remote_code)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise InputError(
            f"model={model}: cannot be loaded ({first_line(error)}); give a causal language model's folder"
        ) from error
    return policy.to("cuda" if torch.cuda.is_available() else "cpu")


def context_length(model: str, *, trust_remote_code: bool = False) -> int | None:
    """Positions the model is made for; None where its configuration does not say.

    Raises:
        InputError: the configuration cannot be read.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(model, trust_remote_code=trust_remote_code)
    except (OSError, ValueError) as error:
        raise InputError(
            f"model={model}: its {CONFIG} cannot be read ({first_line(error)}); give a causal language model"
        ) from error
    if not config.architectures:
        raise InputError(f"model={model}: its {CONFIG} names no architectures; give a causal language model")
    length: int | None = getattr(config.get_text_config(), "max_position_embeddings", None)
    return length


def as_text(tokenizer: PreTrainedTokenizerBase, prompt: Prompt, template_arguments: Mapping[str, Any]) -> str:
    """What the model reads, up to where its answer begins.

    Args:
        template_arguments: handed to the chat template; not used for a plain prompt.

    Raises:
        InputError: the chat template refuses the prompt, or there is none and the prompt is chat messages.
    """
    from jinja2 import TemplateError

    if isinstance(prompt, str):
        return prompt
    if tokenizer.chat_template is None:
        raise InputError(
            f"model={tokenizer.name_or_path}: has no chat template, and the data's prompts are chat messages; take a "
            "model with one"
        )
    try:
        text: str = tokenizer.apply_chat_template(
            list(prompt), tokenize=False, add_generation_prompt=True, **template_arguments
        )
    except TemplateError as error:
        raise InputError(
            f"model={tokenizer.name_or_path}: its chat template refuses {_roles(prompt)} ({first_line(error)}); "
            "correct the template or the data's prompts"
        ) from error
    return text


def _roles(prompt: Sequence[Message]) -> str:
    roles = [message["role"] for message in prompt]
    return "a single user message" if roles == ["user"] else f"messages of {', '.join(roles)}"


def token_ids(tokenizer: PreTrainedTokenizerBase, prompt: Prompt, template_arguments: Mapping[str, Any]) -> list[int]:
    """The prompt's tokens; a chat template writes its special tokens itself, a plain prompt gets the tokenizer's.

    Raises:
        InputError: the chat template refuses the prompt, or the tokenizer has no token for a part of it.
    """
    text = as_text(tokenizer, prompt, template_arguments)
    try:
        ids: list[int] = tokenizer(text, add_special_tokens=isinstance(prompt, str), verbose=False)["input_ids"]
    except Exception as error:  # the tokenizers library raises plain Exception
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        raise InputError(
            f"model={tokenizer.name_or_path}: its tokenizer cannot read {shown!r} ({first_line(error)}); "
            "ask in the characters that the model knows"
        ) from error
    return ids
