"""Supervised warm-up of the lab's policy, once for each task and cached: what reinforcement learning starts from.

The policy learns three things: to spell words (known letters with their digit, unknown ones with a guess), to go on
from a hint, and to write hints, that is to copy the first digits of a given solution. The digits of unknown letters are
drawn anew for each example, so it never sees such a letter tied to its secret digit.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.lab.policy import BOS, EOS, PAD, PolicySize, build_model, build_tokenizer
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
        unknown_share: share of the hinted words that have unknown letters as far as there are any; in the others, known
            letters make half of the hint superfluous, and reading it is learned late.
        seed: of the initial weights and the examples.
        size: architecture.
    """

    steps: int = 1500
    batch_size: int = 64
    learning_rate: float = 4e-3
    rise_steps: int = 100
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    bare_share: float = 0.15
    hinted_share: float = 0.45
    unknown_share: float = 0.7
    seed: int = 0
    size: PolicySize = field(default_factory=PolicySize)


def cache_root() -> Path:
    """Where warmed-up policies are kept: $SELFHINT_CACHE, else $XDG_CACHE_HOME/selfhint, else ~/.cache/selfhint."""
    own = os.environ.get("SELFHINT_CACHE")
    if own:
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "selfhint"


def cache_name(task: LabTask, settings: WarmUp) -> str:
    """Folder name of a policy: a hash of everything that this package puts into its weights."""
    content = {"version": VERSION, "task": asdict(task), "secret": task.secret, "settings": asdict(settings)}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return f"lab-policy-{digest[:16]}"


def is_warm(task: LabTask) -> bool:
    """The policy of this task is in the default cache already."""
    return (cache_root() / cache_name(task, WarmUp())).is_dir()


def warm_policy(
    task: LabTask,
    cache_dir: Path | None = None,
    progress: Progress | None = None,
    settings: WarmUp = WarmUp(),
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
    """Trains a policy from random weights on the CPU.

    It runs in one thread, so that the result does not depend on how many there are: on one kind of CPU it follows from
    the task and the settings. The number of threads and torch's global random state are left as they were.
    """
    num_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            model = build_model(tokenizer, settings.size)
        _train(model, Examples(task, tokenizer, settings), settings, progress)
    finally:
        torch.set_num_threads(num_threads)
    return model.eval()


def _train(model: LlamaForCausalLM, examples: Examples, settings: WarmUp, progress: Progress | None) -> None:
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )
    model.train()
    for step in range(settings.steps):
        rise = min(1.0, (step + 1) / settings.rise_steps)
        fall = 0.5 + 0.5 * math.cos(math.pi * step / settings.steps)
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * rise * fall
        optimizer.zero_grad()
        _loss(model, examples.draw(), examples.digit_ids).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.max_grad_norm)
        optimizer.step()
        if progress is not None:
            progress(step + 1, settings.steps)


def _loss(model: LlamaForCausalLM, batch: Batch, digit_ids: Tensor) -> Tensor:
    """Cross-entropy of the completions' tokens.

    For guessed digits it is the mean over all digits: the expectation over a digit drawn anew, without its noise.
    """
    target = batch.target[:, 1:]
    hidden = model.model(input_ids=batch.ids, use_cache=False).last_hidden_state[:, :-1]
    logp = model.lm_head(hidden[target]).log_softmax(dim=-1)
    given = logp.gather(1, batch.ids[:, 1:][target][:, None])[:, 0]
    return -torch.where(batch.guess[:, 1:][target], logp[:, digit_ids].mean(dim=1), given).mean()


@dataclass(frozen=True, slots=True)
class Batch:
    """Rendered prompts with completions.

    Args:
        ids: token ids [N, T], padded on the right, where causal attention never looks.
        target: the completions' tokens, mask [N, T].
        guess: those of them that are guesses (digits of unknown letters, neither hinted nor copied), mask [N, T].
    """

    ids: Tensor
    target: Tensor
    guess: Tensor


class Examples:
    """Draws batches as tensors, without a Python loop over rows. The same seed draws the same batches."""

    def __init__(self, task: LabTask, tokenizer: PreTrainedTokenizerFast, settings: WarmUp) -> None:
        def ids(characters: Iterable[str]) -> Tensor:
            return torch.tensor(tokenizer.convert_tokens_to_ids(list(characters)))

        self._task = task
        self._settings = settings
        self._rng = torch.Generator().manual_seed(settings.seed)
        self._pad, self._bos, self._eos, self._separator, self._solve, self._write = ids(
            (PAD, BOS, EOS, SEPARATOR, SOLVE, WRITE_HINT)
        )
        self.digit_ids = ids(task.digits)
        self._letter_ids = ids(task.letters)
        self._level_ids = ids(str(level) for level in range(NUM_LEVELS + 1))
        self._known_digits = torch.tensor([int(task.secret[letter]) for letter in task.known], dtype=torch.long)
        self._hint_lengths = torch.tensor(
            [[hint_length(max(1, length), level) for level in range(NUM_LEVELS + 1)] for length in self._lengths]
        )

    @property
    def _lengths(self) -> range:
        return range(self._task.max_length + 1)

    def draw(self) -> Batch:
        """The next batch."""
        settings, task = self._settings, self._task
        num = settings.batch_size
        kind = self._uniform(num, 1)
        bare = kind < settings.bare_share
        write = kind >= settings.bare_share + settings.hinted_share
        length = self._integers(1, task.max_length, num, 1)
        level = self._integers(NO_HINT + 1, NUM_LEVELS, num, 1)
        num_given = self._hint_lengths[length, level].masked_fill(bare, 0)

        letter = self._words(unknown_first=~bare & ~write & (self._uniform(num, 1) < settings.unknown_share))
        known = letter < task.num_known
        digit = self._integers(0, task.num_digits - 1, *letter.shape)
        digit[known] = self._known_digits[letter[known]]

        column = torch.arange(task.max_length)
        in_word, in_hint = column < length, column < num_given
        always = torch.ones(num, 1, dtype=torch.bool)
        digits = self.digit_ids[digit]
        prompt = [  # tokens, and in which rows and columns they are
            (self._bos.expand(num, 1), always),
            (torch.where(write, self._write, self._solve), always),
            (self._letter_ids[letter], in_word),
            (self._separator.expand(num, 1), always),
            (digits, torch.where(write, in_word, in_hint)),
            (self._separator.expand(num, 1), write | (num_given > 0)),
            (self._level_ids[level], write),
            (self._separator.expand(num, 1), write),
        ]
        completion = [
            (digits, torch.where(write, in_hint, in_word)),
            (self._eos.expand(num, 1), always),
        ]
        ids = torch.cat([tokens for tokens, _ in prompt + completion], dim=1)
        present = torch.cat([where for _, where in prompt + completion], dim=1)
        target, guess = torch.zeros_like(present), torch.zeros_like(present)
        width = task.max_length + 1
        target[:, -width:] = present[:, -width:]
        guess[:, -width:-1] = target[:, -width:-1] & ~known & ~in_hint & ~write
        ids.masked_fill_(~present, int(self._pad))
        # absent columns go to the right end of each row, the others keep their order
        order = (~present).to(torch.uint8).argsort(dim=1, stable=True)[:, : int(present.sum(dim=1).max())]
        return Batch(ids.gather(1, order), target.gather(1, order), guess.gather(1, order))

    def _words(self, unknown_first: Tensor) -> Tensor:
        """Distinct letters [N, max_length] in random order; in the rows of the mask unknown ones before known ones."""
        score = self._uniform(len(unknown_first), len(self._task.letters))
        score[:, : self._task.num_known] += unknown_first
        return score.argsort(dim=1)[:, : self._task.max_length]

    def _uniform(self, *shape: int) -> Tensor:
        return torch.rand(shape, generator=self._rng)

    def _integers(self, low: int, high: int, *shape: int) -> Tensor:
        """Uniform integers; both ends can be drawn."""
        return torch.randint(low, high + 1, shape, generator=self._rng)
