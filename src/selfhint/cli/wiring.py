"""From a recipe to the objects that make a run. The only place that knows every package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from selfhint.cli import models
from selfhint.config import LAB_DATA, LAB_MODEL, Recipe
from selfhint.core.errors import InputError
from selfhint.core.ports import HintSource, Verifier
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.data import Columns, LoadedData, load_problems, read_hints_file, with_hints
from selfhint.engines.build import make_format, make_hints
from selfhint.hints import HINT_BLOCK, SOLVER_TEMPLATE, HintFormat, solver_prompt
from selfhint.lab.task import HINT_BLOCK as LAB_HINT_BLOCK
from selfhint.lab.task import SOLVER_TEMPLATE as LAB_SOLVER_TEMPLATE
from selfhint.lab.task import LabTask, with_true_hints
from selfhint.verify import make_verifier
from selfhint.verify.kinds.reasoning_gym import is_entry

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class Problems:
    """What a run trains on.

    Args:
        train: never empty.
        held_out: measured without hints; empty where there is nothing to measure on.
        report: what became of the data's rows, for the terminal.
    """

    train: tuple[Problem, ...]
    held_out: tuple[Problem, ...]
    report: str


def uses_lab(recipe: Recipe) -> bool:
    """The data are the built-in task's."""
    return recipe.data in LAB_DATA


def lab_task(recipe: Recipe) -> LabTask:
    """The built-in task in the recipe's size."""
    lab = recipe.lab
    return LabTask(
        num_known=lab.num_known,
        num_unknown=lab.num_unknown,
        num_digits=lab.num_digits,
        hard_length=lab.hard_length,
        max_length=lab.max_length,
    )


def model_folder(recipe: Recipe) -> str:
    """The model's folder or hub id; the lab's policy is made and cached on first use."""
    if recipe.model != LAB_MODEL:
        return recipe.model
    from selfhint.lab.warmup import warm_policy

    return str(warm_policy(lab_task(recipe)))


def tokenizer_of(recipe: Recipe) -> PreTrainedTokenizerBase:
    """The model's tokenizer. The lab's needs no warm policy.

    Raises:
        InputError: the model is missing or its tokenizer cannot be read.
    """
    if recipe.model == LAB_MODEL:
        from selfhint.lab.policy import build_tokenizer

        return build_tokenizer(lab_task(recipe))
    return models.load_tokenizer(recipe.model, trust_remote_code=_trusts(recipe))


def _trusts(recipe: Recipe) -> bool:
    return recipe.trl.get("trust_remote_code") is True


def template_arguments_of(recipe: Recipe) -> dict[str, Any]:
    """What TRL hands to the chat template besides the messages.

    Raises:
        InputError: it is no mapping.
    """
    given = recipe.trl.get("chat_template_kwargs") or {}
    if not isinstance(given, dict):
        raise InputError(f"trl.chat_template_kwargs: {given!r} is no mapping; write keys and values")
    return given


def problems_of(recipe: Recipe, tokenizer: PreTrainedTokenizerBase) -> Problems:
    """The recipe's problems, with the hints of `hints.file` where there is one.

    Raises:
        InputError: the data or the file cannot be used.
    """
    problems = _problems_without_file(recipe, tokenizer)
    if recipe.hints.file is None or recipe.hint_source != "given":
        return problems
    train, sentence = with_hints(problems.train, read_hints_file(recipe.hints.file))
    return Problems(train, problems.held_out, f"{problems.report} {sentence}")


def _problems_without_file(recipe: Recipe, tokenizer: PreTrainedTokenizerBase) -> Problems:
    def count_tokens(prompt: Prompt) -> int:
        return len(models.token_ids(tokenizer, prompt, template_arguments_of(recipe)))

    if uses_lab(recipe):
        if tokenizer.chat_template is None:
            raise InputError(
                f"data={recipe.data}: the lab's problems are chat messages; take a model with a chat template"
            )
        lab = recipe.lab
        made = lab_task(recipe).problems(
            "hard" if recipe.data == "lab:hard" else "mixed",
            seed=lab.seed,
            num_train=lab.train_size,
            num_held_out=lab.heldout_size,
        )
        longest = max(count_tokens(problem.prompt) for problem in made.train)
        if longest > recipe.max_prompt_tokens:
            raise InputError(
                f"data={recipe.data}: a problem has {longest} tokens; set max_prompt_tokens={recipe.max_prompt_tokens} "
                "higher, so that a hint fits too"
            )
        given = recipe.hint_source == "given" and recipe.hints.file is None
        train = tuple(with_true_hints(problem) for problem in made.train) if given else made.train
        return Problems(train, made.held_out, f"{recipe.data}: {len(train)} problems")
    chat = tokenizer.chat_template is not None

    def load(data: str, columns: Columns, need_solution: bool) -> LoadedData:
        loaded = load_problems(
            data,
            columns,
            make_prompt=lambda question: solver_prompt(question, chat=chat, template=solver_template_of(recipe)),
            need_solution=need_solution,
            max_prompt_tokens=recipe.max_prompt_tokens,
            count_tokens=count_tokens,
        )
        check_verifier(recipe, data, (problem.answer for problem in loaded.problems))
        return loaded

    loaded = load(recipe.data, columns_of(recipe), needs_solution(recipe))
    if recipe.heldout.data is None:
        return Problems(loaded.problems, (), loaded.report())
    held_out = load(recipe.heldout.data, _columns_without_solution(recipe), False)
    _check_apart(recipe, loaded.problems, held_out.problems)
    return Problems(loaded.problems, held_out.problems, f"{loaded.report()} Held out: {held_out.report()}")


def _columns_without_solution(recipe: Recipe) -> Columns:
    """Held-out problems are judged, not hinted: they need no column of solutions or hints."""
    named = named_columns(recipe)
    kept = tuple(role for role in named.named if role in ("problem", "answer"))
    return Columns(**{role: getattr(named, role) for role in kept}, named=kept)


def _check_apart(recipe: Recipe, train: Sequence[Problem], held_out: Sequence[Problem]) -> None:
    """What is trained on says nothing about what was learned.

    Raises:
        InputError: a held-out problem is in the training data.
    """
    trained = {problem.key for problem in train}
    if both := [problem for problem in held_out if problem.key in trained]:
        raise InputError(
            f"heldout.data={recipe.heldout.data}: {len(both)} of its {len(held_out)} problems are trained on too, "
            f"{both[0].question[:60]!r} first; take them out of one of the two (`selfhint data prepare --validation` "
            "splits a file)"
        )


def judges_entries(recipe: Recipe) -> bool:
    """Whether the verifier may know entries of reasoning-gym: theirs, or a function of the user's."""
    return recipe.verifier.kind == "reasoning_gym" or ":" in recipe.verifier.kind


def check_verifier(recipe: Recipe, data: str, answers: Iterable[str]) -> None:
    """Answers of `data` that only reasoning-gym's verifiers can judge need them.

    Raises:
        InputError: the recipe's verifier would judge all their completions wrong.
    """
    if not judges_entries(recipe) and any(map(is_entry, answers)):
        raise InputError(
            f"{data}: its answers are entries of reasoning-gym, which verifier.kind={recipe.verifier.kind} "
            "cannot judge; set verifier.kind=reasoning_gym"
        )


def columns_of(recipe: Recipe) -> Columns:
    """The data's columns that the run reads."""
    columns = named_columns(recipe)
    return columns if recipe.hint_source == "given" else replace(columns, hints=None)


def named_columns(recipe: Recipe) -> Columns:
    """The columns that the recipe names, and the usual names for the rest."""
    named = recipe.columns.model_dump(exclude_none=True)
    return Columns(**named, named=tuple(named))


def needs_solution(recipe: Recipe) -> bool:
    """Hints are made from worked solutions."""
    return recipe.hint_source not in ("none", "given")


def check_enough(recipe: Recipe, problems: Sequence[Problem]) -> None:
    """A step needs `batch_problems` different problems.

    Raises:
        InputError: there are fewer.
    """
    if len(problems) < recipe.batch_problems:
        raise InputError(
            f"{recipe.data}: {len(problems)} usable problems are fewer than batch_problems={recipe.batch_problems}; "
            "lower batch_problems or bring more data"
        )


def context_length_of(recipe: Recipe) -> int | None:
    """Positions that the recipe's policy is made for; None where its configuration does not say.

    Raises:
        InputError: the configuration cannot be read.
    """
    if recipe.model == LAB_MODEL:
        from selfhint.lab.policy import CONTEXT_LENGTH

        return CONTEXT_LENGTH
    return models.context_length(recipe.model, trust_remote_code=_trusts(recipe))


def longest_request_of(recipe: Recipe) -> int:
    """Most tokens of a request for hints: those of a prompt, or what the context leaves beside the answer."""
    return max(recipe.max_prompt_tokens, (context_length_of(recipe) or 0) - recipe.hints.max_tokens)


def check_context(recipe: Recipe) -> None:
    """Whatever a recipe lets the policy read and write must fit into what it was made to read.

    Raises:
        InputError: it does not.
    """
    length = context_length_of(recipe)
    asked = {"max_completion_tokens": recipe.max_completion_tokens}
    if recipe.hint_source in ("self", "offline"):
        asked["hints.max_tokens"] = recipe.hints.max_tokens
    for key, tokens in asked.items():
        if length is not None and recipe.max_prompt_tokens + tokens > length:
            raise InputError(
                f"model={recipe.model}: max_prompt_tokens={recipe.max_prompt_tokens} and {key}={tokens} are over its "
                f"context of {length} tokens; lower one of them"
            )


def hints_of(recipe: Recipe) -> HintSource:
    """The recipe's hint source."""
    return make_hints(recipe, format_of(recipe))


def format_of(recipe: Recipe) -> HintFormat:
    """How the recipe asks a model for hints."""
    if not uses_lab(recipe):
        return make_format(recipe)
    from selfhint.lab.format import LabFormat

    return LabFormat()


def shows_given(recipe: Recipe) -> bool:
    """Its hints lie beside the problems when training begins."""
    return recipe.hint_source in ("given", "offline")


def hint_block_of(recipe: Recipe) -> str:
    """How a hint stands in the prompt."""
    return recipe.hints.block or (LAB_HINT_BLOCK if uses_lab(recipe) else HINT_BLOCK)


def solver_template_of(recipe: Recipe) -> str:
    """What the solver is asked, with `{problem}` for the problem's text."""
    return recipe.prompt or (LAB_SOLVER_TEMPLATE if uses_lab(recipe) else SOLVER_TEMPLATE)


def verifier_of(recipe: Recipe) -> Verifier:
    """The recipe's verifier. Close it when the run is over."""
    return make_verifier(**recipe.verifier.model_dump(exclude_none=True))
