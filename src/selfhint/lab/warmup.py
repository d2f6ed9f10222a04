"""Supervised warm-up of the lab's policy, once for each task and cached: what reinforcement learning starts from.

The policy learns three things: to spell words (known letters with their digit, unknown ones with a digit drawn anew each
time, so that its guesses are uniform), to go on from a hint, and to write hints, that is to copy the first digits of a
given solution. It never sees the digit of an unknown letter tied to that letter.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.lab.policy import BOS, EOS, PolicySize, build_model, build_tokenizer
from selfhint.lab.task import SEPARATOR, SOLVE, WRITE_HINT, LabTask, hint_length

VERSION = 1
"""Part of the cache key. Raise it when anything changes the result that is not a field of the settings."""

Progress = Callable[[int, int], None]
"""Called with the steps done and the steps in all."""


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Settings of the warm-up.

    Args:
        steps, batch_size: AdamW updates and examples in each.
        learning_rate: peak of a linear rise over `rise_steps` and a cosine down to zero.
        max_grad_norm: gradients are clipped to this norm.
        bare_share, hinted_share: shares of words to spell without and with a hint; the rest are hints to write.
        seed: of the initial weights and the examples.
        size: architecture.
    """

    steps: int = 1500
    batch_size: int = 128
    learning_rate: float = 4e-3
    rise_steps: int = 100
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    bare_share: float = 0.35
    hinted_share: float = 0.35
    unknown_share: float = 0.7
    seed: int = 0
    size: PolicySize = PolicySize()


def cache_root() -> Path:
    """Where warmed-up policies are kept: $SELFHINT_CACHE, else $XDG_CACHE_HOME/selfhint, else ~/.cache/selfhint."""
    own = os.environ.get("SELFHINT_CACHE")
    if own:
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "selfhint"


def cache_name(task: LabTask, settings: WarmUp) -> str:
    """Folder name of a policy: a hash of everything that its weights depend on but the number of threads."""
    content = {"version": VERSION, "task": asdict(task), "secret": task.secret, "settings": asdict(settings)}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return f"lab-policy-{digest[:16]}"


def warm_policy(
    task: LabTask,
    cache_dir: Path | None = None,
    progress: Progress | None = None,
    settings: WarmUp = WarmUp(),  # noqa: B008 - frozen
) -> Path:
    """The folder of a warmed-up policy, model and tokenizer as plain Hugging Face files; made if it is not there yet.

    The folder appears complete or not at all, also when several processes make it at once.

    Raises:
        InputError: the cache folder cannot be written.
    """
    root = cache_root() if cache_dir is None else cache_dir
    folder = root / cache_name(task, settings)
    if folder.is_dir():
        return folder
    try:
        root.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=root))
    except OSError as error:
        raise InputError(
            f"lab policy: cannot write to {root} ({error.strerror}); set SELFHINT_CACHE to a folder you may write to"
        ) from error
    try:
        tokenizer = build_tokenizer(task)
        model = train_policy(task, tokenizer, settings, progress)
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
        try:
            os.replace(unfinished, folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first, with the same content
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def train_policy(
    task: LabTask, tokenizer: PreTrainedTokenizerFast, settings: WarmUp, progress: Progress | None = None
) -> LlamaForCausalLM:
    """Trains a policy from random weights on the CPU; torch's global random state is left as it was.

    The result depends on the task, the settings and the number of threads only.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        model = build_model(tokenizer, settings.size)
    examples = Examples(task, tokenizer, settings)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )
    model.train()
    for step in range(settings.steps):
        rise = min(1.0, (step + 1) / settings.rise_steps)
        fall = 0.5 + 0.5 * math.cos(math.pi * step / settings.steps)
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * rise * fall
        ids_NT, target_NT, guess_NT = examples.draw()
        hidden_NTC = model.model(input_ids=ids_NT, use_cache=False).last_hidden_state[:, :-1]
        wanted = target_NT[:, 1:]
        logp = model.lm_head(hidden_NTC[wanted]).log_softmax(-1)
        ids, guess = ids_NT[:, 1:][wanted], guess_NT[:, 1:][wanted]
        loss_sure = -logp.gather(1, ids[:, None])[:, 0]
        loss_guess = -logp[:, examples._digits].mean(1)
        loss = torch.where(guess, loss_guess, loss_sure).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.max_grad_norm)
        optimizer.step()
        if progress is not None:
            progress(step + 1, settings.steps)
    return model.eval()


class Examples:
    """Draws batches of rendered prompts with completions, as tensors and without a Python loop over rows."""

    def __init__(self, task: LabTask, tokenizer: PreTrainedTokenizerFast, settings: WarmUp) -> None:
        self._task = task
        self._settings = settings
        self._rng = torch.Generator().manual_seed(settings.seed)
        self._pad = int(tokenizer.pad_token_id)
        names = (BOS, EOS, SEPARATOR, SOLVE, WRITE_HINT)
        self._bos, self._eos, self._separator, self._solve, self._write = tokenizer.convert_tokens_to_ids(names)
        self._letters = torch.tensor(tokenizer.convert_tokens_to_ids(list(task.letters)))
        self._digits = torch.tensor(tokenizer.convert_tokens_to_ids(list(task.digits)))
        self._levels = torch.tensor(tokenizer.convert_tokens_to_ids([str(i) for i in range(NUM_LEVELS + 1)]))
        self._known_digits = torch.tensor([int(task.secret[letter]) for letter in task.known], dtype=torch.long)
        lengths = range(task.max_length + 1)
        self._hint_lengths = torch.tensor(
            [[hint_length(max(length, 1), level) for level in range(NUM_LEVELS + 1)] for length in lengths]
        )

    def draw(self) -> tuple[Tensor, Tensor, Tensor]:
        """A batch.

        Returns:
            Token ids [N, T], padded on the right (causal attention never looks there), and a mask [N, T] of the
            completions' tokens.
        """
        task, num, rng = self._task, self._settings.batch_size, self._rng
        kind = torch.rand(num, generator=rng)
        bare = kind < self._settings.bare_share
        write = kind >= self._settings.bare_share + self._settings.hinted_share
        length = torch.randint(1, task.max_length + 1, (num, 1), generator=rng)
        level = torch.randint(NO_HINT + 1, NUM_LEVELS + 1, (num, 1), generator=rng)
        given = self._hint_lengths[length, level]
        given[bare] = 0

        score = torch.rand(num, len(task.letters), generator=rng)
        score[:, : task.num_known] += (torch.rand(num, 1, generator=rng) < self._settings.unknown_share).float() * (~bare & ~write)[:, None]
        letter = score.argsort(dim=1)[:, : task.max_length]
        digit = torch.randint(0, task.num_digits, letter.shape, generator=rng)
        known = letter < task.num_known
        digit[known] = self._known_digits[letter[known]]

        column = torch.arange(task.max_length)
        in_word, in_hint = column < length, column < given
        writes = write[:, None]
        word, digits = self._letters[letter], self._digits[digit]

        def one(token: int | Tensor) -> Tensor:
            return torch.full((num, 1), token) if isinstance(token, int) else token

        # (tokens, where they are present); prompt first, completion last
        prompt = [
            (one(self._bos), one(True)),
            (torch.where(writes, self._write, self._solve), one(True)),
            (word, in_word),
            (one(self._separator), one(True)),
            (digits, torch.where(writes, in_word, in_hint)),
            (one(self._separator), one(True)),
            (self._levels[level], writes),
            (one(self._separator), writes),
        ]
        completion = [(digits, torch.where(writes, in_hint, in_word)), (one(self._eos), one(True))]
        prompt_width = sum(tokens.shape[1] for tokens, _ in prompt)
        tokens = torch.cat([tokens for tokens, _ in prompt + completion], dim=1)
        present = torch.cat([where for _, where in prompt + completion], dim=1)
        target = present & (torch.arange(tokens.shape[1]) >= prompt_width)
        guess = torch.cat([torch.zeros(num, prompt_width, dtype=torch.bool), ~known & ~in_hint & ~writes, torch.zeros(num,1,dtype=torch.bool)], dim=1)
        width = int(present.sum(dim=1).max())
        order = present.logical_not().to(torch.uint8).argsort(dim=1, stable=True)[:, :width]
        return tokens.masked_fill(~present, self._pad).gather(1, order), target.gather(1, order), guess.gather(1, order)
