"""SelfHintTrainer as a user with a TRL script of their own meets it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter

import pandas as pd
import pytest
import torch
from datasets import Dataset, IterableDataset
from peft import LoraConfig
from transformers import ProcessorMixin, TrainerCallback
from trl import GRPOTrainer

from selfhint.core.problem import content_key
from selfhint.engines.trl import SelfHintTrainer
from selfhint.hints import GivenHints, JsonFormat, NoHintSource, PrefixHints, SelfHints, TeacherHints, TextFormat
from selfhint.schedulers import EpochLevels, Fixed, Ladder, NoHints
from support import riddles, tiny
from support.refusals import refused
from support.riddles import GROUP_SIZE, PROBLEMS_A_STEP, WORDS, lines, number_of, text_of

EPOCH = {"max_steps": 2}
KEYS = {content_key(row["problem"], row["answer"]): i for i, row in enumerate(riddles.rows(len(WORDS)))}


def train(folder, cls=riddles.PlayedTrainer, **changes):
    values = {"scheduler": Ladder(), "hints": SelfHints(TextFormat()), "play": riddles.graded, **changes}
    trainer = riddles.trainer(folder, cls, **values)
    trainer.train()
    return trainer


def never_right(prompt, nth):
    return riddles.HINT_TEXT[riddles.level_asked(prompt)] if riddles.asks_for_hint(prompt) else "mud"


def data(*rows, **columns):
    """A data set of these rows; `columns` are added, or taken away where they are None."""
    made = [{k: v for k, v in {**row, **columns}.items() if k not in columns or v is not None} for row in rows]
    return Dataset.from_list(made)


def mixed_in_format(completions, **kwargs):
    """A format reward that differs within every group, whether or not the completions are correct."""
    return [float(i % 2) for i in range(len(completions))]


def wants_a_gold(completions, gold, **kwargs):
    return [float(text == wanted) for text, wanted in zip(completions, gold, strict=True)]


def always_formatted(completions, **kwargs):
    return [1.0 for _ in completions]


# What is refused before anything is generated


class TextProcessor(ProcessorMixin):
    """A processor, as vision models have one, around the tokenizer."""

    attributes = ("tokenizer",)
    tokenizer_class = "AutoTokenizer"


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"tools": [len]}, ("tools", "leave tools out")),
        ({"environment_factory": dict}, ("environments", "leave environment_factory out")),
        ({"rollout_func": len}, ("an own rollout_func", "train with GRPOTrainer")),
        ({"data": IterableDataset.from_generator(lambda: iter(riddles.rows()))}, ("IterableDataset", "map-style")),
        ({"data": data(*riddles.rows(), image="a.png")}, ("images", "remove the column")),
        ({"data": data(*riddles.rows(), answer=None)}, ("'answer'", "columns={'answer'", "only the gold answer")),
        ({"data": data(*riddles.rows(), solution=None)}, ("'solution'", "columns={'solution'")),
        ({"columns": {"answer": "gold"}}, ("'gold'", "found: prompt, problem, solution, answer")),
        ({"columns": {"problem": "question"}}, ("'question'", "found: prompt, problem, solution, answer")),
        ({"columns": {"solution": "answer"}}, ("both 'answer'", "worked solution")),
        ({"columns": {"gold": "answer"}}, ("gold", "problem, solution, answer and hints")),
        ({"hint_block": "\n\nA hint:"}, ("hint block", "{hint}")),
        ({"scheduler": None, "hints": PrefixHints()}, ("hints", "scheduler")),
        ({"hints": GivenHints()}, ("columns={'hints'",)),
        ({"hints": GivenHints(), "columns": {"hints": "tips"}}, ("'tips'", "columns={'hints'")),
        ({"hints": TeacherHints()}, ("teacher=Teacher(",)),
        ({"reward_funcs": wants_a_gold}, ("wants_a_gold needs 'gold'", "found: prompt, problem, solution, answer")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_what_is_not_supported_is_one_line_before_anything_runs(tmp_path, changes, fragments):
    refused(lambda: riddles.trainer(tmp_path / "run", **{"scheduler": Ladder(), **changes}), *fragments)
    assert not (tmp_path / "run").exists()


def test_what_a_reward_function_asks_for_is_there(tmp_path):
    def all_of_it(prompts, completions, completion_ids, answer, *, trainer_state, log_extra, log_metric, other=None):
        return [0.0 for _ in completions]

    riddles.trainer(tmp_path, reward_funcs=[all_of_it, len, riddles.correct], correct="correct")


def test_columns_that_hints_need_may_not_be_removed(tmp_path):
    args = {"remove_unused_columns": True}
    refused(lambda: riddles.trainer(tmp_path, scheduler=Ladder(), args=args), "remove_unused_columns", "False")
    riddles.trainer(tmp_path, args=args)


@pytest.mark.parametrize(
    ("rewards", "correct"), [(2, None), (2, "accuracy"), (2, mixed_in_format), (1, "accuracy"), (1, always_formatted)]
)
def test_which_reward_means_correct_must_be_clear(tmp_path, rewards, correct):
    functions = [riddles.correct, always_formatted][:rewards]
    known = "one of correct, always_formatted" if rewards == 2 else "one of correct)"
    refused(lambda: riddles.trainer(tmp_path, reward_funcs=functions, correct=correct), f"correct={correct!r}", known)


def test_a_processor_is_refused(tmp_path):
    processor = TextProcessor(tokenizer=riddles.policy()[1])
    refused(lambda: riddles.trainer(tmp_path, processing_class=processor), "tokenizer", "not a processor")


def test_what_is_not_supported_is_refused_by_position_too(tmp_path):
    model, tokenizer = riddles.policy()
    given = [model, [riddles.correct], tiny.arguments(tmp_path), data(*riddles.rows()), None, tokenizer]
    refused(lambda: SelfHintTrainer(*given, None, None, (None, None), None, None, [len]), "leave tools out")


def test_two_reward_functions_of_one_name_need_the_function_itself(tmp_path):
    def make(threshold):
        def judge(completions, **kwargs):
            return [threshold for _ in completions]

        return judge

    functions = [make(0.0), make(1.0)]
    refused(lambda: riddles.trainer(tmp_path, reward_funcs=list(functions), correct="judge"), "correct='judge'")
    trainer = train(tmp_path, reward_funcs=list(functions), correct=functions[1])
    assert {tuple(line["rewards"]) for line in lines(tmp_path)} == {(1.0,) * GROUP_SIZE}
    assert trainer.reward_func_names == ["judge", "judge"]


def test_without_hints_no_column_but_the_prompt_is_needed(tmp_path):
    only = Dataset.from_list([{"prompt": row["prompt"], "gold": row["answer"]} for row in riddles.rows()])
    trainer = train(
        tmp_path,
        data=only,
        scheduler=None,
        hints=None,
        reward_funcs=[lambda completions, gold, **kw: [0.0] * len(gold)],
    )
    assert isinstance(trainer.scheduler, NoHints)
    assert isinstance(trainer.hints, NoHintSource)
    assert len({line["key"] for line in lines(tmp_path)}) == PROBLEMS_A_STEP


def test_a_scheduler_alone_lets_the_policy_write_the_hints(tmp_path):
    trainer = train(tmp_path, hints=None)
    assert trainer.hints.name == "self"
    assert {line["source"] for line in lines(tmp_path, "hints.jsonl")} == {"self"}


def test_a_model_can_be_given_as_a_folder(tmp_path):
    model, tokenizer = riddles.policy()
    model.save_pretrained(tmp_path / "policy")
    tokenizer.save_pretrained(tmp_path / "policy")
    trainer = train(tmp_path / "run", model=str(tmp_path / "policy"), processing_class=None)
    assert any(line["level"] for line in lines(tmp_path / "run"))
    assert trainer.model.name_or_path == str(tmp_path / "policy")


# Which completions are correct


@pytest.mark.parametrize("by", ["name", "function"])
def test_correct_is_one_reward_by_name_or_by_function(tmp_path, by):
    functions = [always_formatted, riddles.correct]
    train(tmp_path, args=EPOCH, reward_funcs=functions, correct="correct" if by == "name" else riddles.correct)
    assert {KEYS[line["key"]] % 4: line["level"] for line in lines(tmp_path)} == {0: 0, 1: 1, 2: 2, 3: 3}
    for line in lines(tmp_path):
        assert line["rewards"] == [0.0, 1.0, 0.0, 1.0]


def test_a_format_reward_does_not_make_a_failed_group_look_solved(tmp_path):
    trainer = train(tmp_path, reward_funcs=[riddles.correct, mixed_in_format], correct="correct", play=never_right)
    for line in lines(tmp_path):
        assert [group["level"] for group in line["drawn"]] == [0, 1, 2, 3]
        assert line["rewards"] == [0.0] * GROUP_SIZE
    assert trainer.ledger.num_never_solved == PROBLEMS_A_STEP
    # What is optimised stays the user's weighted sum of rewards, as in TRL.
    assert trainer.outputs[0]["advantages"].abs().min() > 0.5


@pytest.mark.parametrize(
    ("value", "at_least", "is_correct"),
    [(0.7, 0.7, True), (0.1, 0.1, True), (0.69, 0.7, False), (1.0, 1.0, True), (2.0, 1.0, True), (0.0, 0.5, False)],
)
def test_correct_at_least_is_a_threshold_that_counts_itself(tmp_path, value, at_least, is_correct):
    def dense(completions, **kwargs):
        return [value for _ in completions]

    trainer = train(tmp_path, reward_funcs=[dense], correct_at_least=at_least)
    assert trainer.ledger.num_never_solved == (0 if is_correct else PROBLEMS_A_STEP)
    assert {len(line["drawn"]) for line in lines(tmp_path)} == {1 if is_correct else 4}


def test_a_group_without_a_reward_is_counted_and_neither_hinted_nor_trained_on(tmp_path):
    def unreadable(completions, answer, **kwargs):
        judged = riddles.correct(completions, answer)
        return [None if a == WORDS[3] else r for r, a in zip(judged, answer, strict=True)]

    trainer = train(tmp_path, args=EPOCH, reward_funcs=[unreadable])
    by_riddle = {KEYS[line["key"]]: line for line in lines(tmp_path)}
    assert by_riddle[3]["rewards"] == [None] * GROUP_SIZE
    assert [group["level"] for group in by_riddle[3]["drawn"]] == [0]
    assert by_riddle[7]["level"] == 3
    assert not any(riddles.asks_for_hint(p) and number_of(p) == 3 for p in trainer.prompts_asked)
    for step, visits in enumerate(trainer.visits):
        for i, visit in enumerate(visits):
            advantages = trainer.outputs[step]["advantages"][i * GROUP_SIZE : (i + 1) * GROUP_SIZE]
            assert advantages.isfinite().all()
            assert bool(advantages.any()) == (KEYS[visit.problem.key] != 3)
    metrics = lines(tmp_path, "metrics.jsonl")
    assert sum(line["groups/unscored"] for line in metrics) == 1
    assert sum(line["groups/total"] for line in metrics) == 8


def test_a_format_reward_teaches_nothing_of_a_completion_that_could_not_be_judged(tmp_path):
    def unreadable(completions, answer, **kwargs):
        judged = riddles.correct(completions, answer)
        return [None if a == WORDS[3] else r for r, a in zip(judged, answer, strict=True)]

    trainer = train(tmp_path, args=EPOCH, reward_funcs=[unreadable, mixed_in_format], correct="unreadable")
    for step, visits in enumerate(trainer.visits):
        for i, visit in enumerate(visits):
            advantages = trainer.outputs[step]["advantages"][i * GROUP_SIZE : (i + 1) * GROUP_SIZE]
            assert bool(advantages.any()) == (KEYS[visit.problem.key] != 3)


def test_one_completion_without_a_reward_keeps_the_group_from_being_hinted(tmp_path):
    def unreadable_first(completions, **kwargs):
        return [None if i % GROUP_SIZE == 0 else 0.0 for i in range(len(completions))]

    train(tmp_path, reward_funcs=[unreadable_first])
    for line in lines(tmp_path):
        assert line["rewards"] == [None, 0.0, 0.0, 0.0]
        assert len(line["drawn"]) == 1
    (metrics,) = lines(tmp_path, "metrics.jsonl")
    assert (metrics["groups/unscored"], metrics["groups/failed_first"]) == (PROBLEMS_A_STEP, 0)


def test_rewards_of_nothing_but_none_end_in_a_step_without_a_mean(tmp_path):
    train(tmp_path, reward_funcs=[lambda completions, **kwargs: [None] * len(completions)])
    (metrics,) = lines(tmp_path, "metrics.jsonl")
    assert (metrics["reward/mean"], metrics["groups/unscored"]) == (None, PROBLEMS_A_STEP)


def test_reward_functions_may_be_asynchronous(tmp_path):
    async def judge(completions, answer, **kwargs):
        await asyncio.sleep(0)
        return riddles.correct(completions, answer)

    train(tmp_path, args=EPOCH, reward_funcs=[judge, always_formatted], correct="judge")
    assert {KEYS[line["key"]] % 4: line["level"] for line in lines(tmp_path)} == {0: 0, 1: 1, 2: 2, 3: 3}


def branched(folder):
    hints = SelfHints(TextFormat())
    return riddles.trainer(folder, scheduler=Ladder(), hints=hints, play=riddles.graded, args=EPOCH)


def test_a_checkpoint_of_another_directory_begins_a_branch_with_logs_of_its_own(tmp_path):
    first, branch = tmp_path / "first", tmp_path / "branch"
    train(first, args={"max_steps": 2, "save_strategy": "steps", "save_steps": 1})
    trainer = branched(branch)
    trainer.train(resume_from_checkpoint=str(first / "checkpoint-1"))
    assert [line["step"] for line in lines(branch, "metrics.jsonl")] == [2]
    assert lines(branch) == [line for line in lines(first) if line["step"] == 2]
    again = branched(branch)
    before = (branch / "groups.jsonl").read_bytes()
    refused(lambda: again.train(resume_from_checkpoint=str(first / "checkpoint-1")), "an earlier run", str(branch))
    assert (branch / "groups.jsonl").read_bytes() == before


# What is trained


def test_adapters_train_on_the_hinted_prompt(tmp_path):
    adapters = LoraConfig(r=2, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    trainer = train(tmp_path, args={**EPOCH, "learning_rate": 1e-2}, peft_config=adapters)
    hints = {line["id"]: line["text"] for line in lines(tmp_path, "hints.jsonl")}
    groups = lines(tmp_path)
    prompts = [prompt for step in range(2) for prompt in trainer.trained_prompts(step)]
    assert len(prompts) == GROUP_SIZE * len(groups)
    for i, prompt in enumerate(prompts):
        hint = hints.get(groups[i // GROUP_SIZE]["hint"])
        assert riddles.has_hint(prompt) == (hint is not None)
        assert (hint or "") in prompt
    moved = {n: p for n, p in trainer.model.named_parameters() if "lora_B" in n}
    assert all(torch.count_nonzero(p) for p in moved.values())
    assert trainer.outputs[0]["advantages"].any()


def test_plain_text_prompts_carry_the_hint_at_their_end(tmp_path):
    trainer = train(tmp_path, args=EPOCH, chat=False)
    hints = {line["id"]: line["text"] for line in lines(tmp_path, "hints.jsonl")}
    groups = lines(tmp_path)
    assert {line["level"] for line in groups} == {0, 1, 2, 3}
    for step in range(2):
        for i, prompt in enumerate(trainer.trained_prompts(step)):
            line = groups[step * PROBLEMS_A_STEP + i // GROUP_SIZE]
            expected = riddles.question(KEYS[line["key"]])
            if line["hint"]:
                expected += f"\n\nHere is a hint to help you:\n{hints[line['hint']]}"
            assert prompt == expected


def test_the_hint_goes_to_the_last_user_message_and_no_message_is_added(tmp_path):
    conversation = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Do you like riddles?"},
        {"role": "assistant", "content": "I do."},
    ]
    rows = [{**row, "prompt": [*conversation, *row["prompt"]]} for row in riddles.rows()]
    seen = []

    def correct(prompts, completions, answer, **kwargs):
        seen.extend(prompts)
        return riddles.correct(completions, answer)

    trainer = train(tmp_path, data=data(*rows), args=EPOCH, reward_funcs=[correct])
    head = "[system] Be brief.\n[user] Do you like riddles?\n[assistant] I do.\n[user] Riddle "
    for prompt in trainer.trained_prompts(0) + trainer.trained_prompts(1):
        assert prompt.startswith(head)
        assert prompt.count("[user]") == prompt.count("[assistant]") == 2
    hinted = [prompt for prompt in seen if riddles.has_hint(prompt[-1]["content"])]
    assert 0 < len(hinted) < len(seen)
    for prompt in seen:
        assert prompt[:3] == conversation
        assert len(prompt) == 4
    requests = [prompt for prompt in trainer.prompts_asked if riddles.asks_for_hint(prompt)]
    assert requests
    assert not any("Be brief" in request for request in requests)


def test_a_hint_block_of_ones_own(tmp_path):
    trainer = train(tmp_path, scheduler=Fixed(1), hint_block=" (Tip: {hint} {x})")
    for prompt in trainer.trained_prompts():
        assert prompt.endswith(f"box? (Tip: {riddles.HINT_TEXT[1]} {{x}})\n[assistant] ")


def test_one_json_request_serves_all_levels(tmp_path):
    def play(prompt, nth):
        if riddles.asks_for_hint(prompt):
            levels = {"level_1": riddles.HINT_TEXT[1], "level_2": riddles.HINT_TEXT[2], "level_3": "Lift the lid."}
            return f"```json\n{json.dumps(levels)}\n```"
        return riddles.graded(prompt, nth)

    trainer = train(tmp_path, args=EPOCH, hints=SelfHints(JsonFormat()), play=play)
    asked = Counter(number_of(p) for p in trainer.prompts_asked if riddles.asks_for_hint(p))
    assert asked == {n: 1 for n in range(8) if n % 4}


def test_prefix_hints_sample_nothing(tmp_path):
    trainer = train(tmp_path, hints=PrefixHints(), play=lambda prompt, nth: "mud")
    assert not any(riddles.asks_for_hint(prompt) for prompt in trainer.prompts_asked)
    (metrics,) = lines(tmp_path, "metrics.jsonl")
    assert (metrics["tokens/hints"], metrics["hints/level_3"], metrics["time/hint"]) == (0, PROBLEMS_A_STEP, 0)


# Copies, order and identity


def test_copies_of_a_problem_in_one_batch_share_a_level_and_pool_their_rewards(tmp_path):
    first, second, third = riddles.rows(3)
    rights = iter([*["mud"] * 8, WORDS[0], *["mud"] * 7, *["mud"] * 8])

    def play(prompt, nth):
        if riddles.asks_for_hint(prompt):
            return riddles.HINT_TEXT[1]
        return next(rights) if number_of(prompt) == 0 else "mud"

    trainer = train(
        tmp_path, data=data(first, first, second, third), scheduler=EpochLevels(), play=play, args={"max_steps": 3}
    )
    copies = [line for line in lines(tmp_path) if KEYS[line["key"]] == 0]
    # 0 of 8 raises; 1 of 8 keeps, though one copy alone had 0 of 4; 0 of 8 would raise next.
    assert [(line["step"], line["visit"], line["level"]) for line in copies] == [
        *((1, 0, 0), (1, 1, 0)),
        *((2, 2, 1), (2, 3, 1)),
        *((3, 4, 1), (3, 5, 1)),
    ]
    record = trainer.ledger.record(copies[0]["key"])
    assert (record.visits, record.rate, record.solved, record.solved_without_hint) == (6, 0.0, True, False)
    assert trainer.ledger.num_seen == 3


def test_a_shuffled_data_set_without_an_index_keeps_every_problem_apart(tmp_path):
    """METHOD, traps 1 and 5: prompts, answers, rewards and levels belong together, whatever the order."""
    shuffled = data(*riddles.rows()).shuffle(seed=5)

    def correct(prompts, completions, answer, problem, **kwargs):
        for prompt, gold, text in zip(prompts, answer, problem, strict=True):
            assert WORDS[number_of(prompt[-1]["content"])] == gold
            assert prompt[-1]["content"].startswith(text)
        return riddles.correct(completions, answer)

    trainer = train(
        tmp_path, data=shuffled, scheduler=EpochLevels("paper"), reward_funcs=[correct], args={"max_steps": 10}
    )
    groups = lines(tmp_path)
    for number in range(8):
        levels = [line["level"] for line in groups if KEYS[line["key"]] == number]
        assert levels == [min(visit, number % 4) for visit in range(5)]
    for step, prompts in enumerate(trainer.trained_prompts(step) for step in range(10)):
        for i, prompt in enumerate(prompts):
            assert number_of(prompt) == KEYS[groups[step * PROBLEMS_A_STEP + i // GROUP_SIZE]["key"]]


def tagged(cls, folder, rows):
    """(tag that the reward was given, advantage) of every row of the first step."""

    def by_tag(completions, tag, **kwargs):
        return [float(t * (i % 2)) for i, t in enumerate(tag)]

    trainer = riddles.trainer(folder, cls, data=Dataset.from_list(rows), reward_funcs=[by_tag])
    trainer.train()
    return list(trainer._logs["rewards"]["by_tag"])


def test_rows_of_one_problem_that_differ_in_other_columns_are_each_judged_by_their_own(tmp_path):
    first, *others = riddles.rows(3)
    rows = [{**row, "tag": tag} for tag, row in enumerate([first, first, *others], start=1)]
    stock = tagged(GRPOTrainer, tmp_path / "stock", rows)
    assert {1.0, 2.0} < set(stock)
    assert tagged(riddles.PlayedTrainer, tmp_path / "ours", rows) == stock


# Draws and hints


def test_exactly_the_failing_problems_are_drawn_again_a_level_at_a_time(tmp_path):
    """METHOD, trap 2: G·(B + Σ failing per level) completions, in one call of the backend a rung."""
    trainer = train(tmp_path, args=EPOCH)
    groups = lines(tmp_path)
    failing = sum(not any(drawn["rewards"]) for line in groups for drawn in line["drawn"])
    solves = [prompt for prompt in trainer.prompts_asked if not riddles.asks_for_hint(prompt)]
    assert failing == 2 * (0 + 1 + 2 + 3)
    assert len(solves) == GROUP_SIZE * (2 * PROBLEMS_A_STEP + failing)
    assert Counter((number_of(p), riddles.level_of(p)) for p in solves) == {
        (number, level): GROUP_SIZE for number in range(8) for level in range(number % 4 + 1)
    }
    calls = [call for call in trainer.calls if not riddles.asks_for_hint(call.prompts[0])]
    assert [len({riddles.level_of(p) for p in call.prompts}) for call in calls] == [1] * len(calls)
    metrics = lines(tmp_path, "metrics.jsonl")
    tokens = sum(line["tokens/kept"] + line["tokens/discarded"] for line in metrics)
    assert tokens == sum(drawn["tokens"] for line in groups for drawn in line["drawn"])
    assert {line["completions/padding"] for line in metrics} == {0}


def test_refusing_every_hint_never_stops_training(tmp_path, caplog):
    """METHOD, trap 7."""
    trainer = train(
        tmp_path,
        args={"max_steps": 4},
        hints=SelfHints(TextFormat(), tries=2, guard=lambda problem, text, request: "answer"),
        play=never_right,
    )
    assert trainer.state.global_step == 4
    for line in lines(tmp_path):
        assert (line["level"], line["hint"], len(line["drawn"])) == (0, None, 1)
        assert line["refused"] == {"answer": 2 + 2 + 1}
    for metrics in lines(tmp_path, "metrics.jsonl"):
        assert metrics["hints/refused/answer"] == 5 * PROBLEMS_A_STEP
        assert metrics["groups/rescued"] == 0
    in_vain, summary = [record.getMessage() for record in caplog.records if record.name.startswith("selfhint")]
    assert "no hint could be used in the last 16 visits that wanted one (80 answer)" in in_vain
    assert summary == f"hints of this run: 0 used; refused or missing: {5 * 4 * PROBLEMS_A_STEP} answer"


def test_a_row_without_a_solution_gets_no_hint_from_its_answer(tmp_path):
    """METHOD, trap 8."""
    bare, *others = riddles.rows()
    blank, *others = others
    rows = [{**bare, "solution": None}, {**blank, "solution": " \n"}, *others]
    trainer = train(tmp_path, data=data(*rows), args=EPOCH, play=never_right)
    requests = {number_of(prompt) for prompt in trainer.prompts_asked if riddles.asks_for_hint(prompt)}
    assert requests == set(range(2, 8))
    assert not any(WORDS[0] in prompt for prompt in trainer.prompts_asked)
    for line in lines(tmp_path):
        if KEYS[line["key"]] < 2:
            assert (line["level"], line["refused"]) == (0, {"no_solution": 3})
        else:
            assert (line["level"], line["refused"]) == (3, {})


def test_leaks_that_are_counted_are_used_and_flagged(tmp_path):
    def telling(prompt, nth):
        return f"The word is {WORDS[number_of(prompt)]}." if riddles.asks_for_hint(prompt) else "mud"

    train(tmp_path, play=telling, hints=SelfHints(TextFormat(), count_leaks=True))
    assert all((line["refused"], line["flagged"]) == ({}, {"answer": 2}) for line in lines(tmp_path))
    flags = {(line["level"], line["flagged"]) for line in lines(tmp_path, "hints.jsonl")}
    assert flags == {(1, "answer"), (2, "answer"), (3, None)}
    assert {line["hints/flagged/answer"] for line in lines(tmp_path, "metrics.jsonl")} == {2 * PROBLEMS_A_STEP}


def test_a_hint_with_the_answer_is_never_in_a_prompt(tmp_path):
    def telling(prompt, nth):
        return f"The word is {WORDS[number_of(prompt)]}." if riddles.asks_for_hint(prompt) else "mud"

    trainer = train(tmp_path, play=telling)
    solves = [prompt for prompt in trainer.prompts_asked if not riddles.asks_for_hint(prompt)]
    assert not any(WORDS[number_of(prompt)] in prompt for prompt in solves)
    assert all(line["refused"] == {"answer": 6} and line["level"] == 3 for line in lines(tmp_path))


@pytest.mark.parametrize("budget", ["given", "context"])
def test_a_hint_that_makes_the_prompt_too_long_is_refused_and_its_level_skipped(tmp_path, budget):
    long = "Look at the label. " * 40

    def play(prompt, nth):
        if riddles.asks_for_hint(prompt) and riddles.level_asked(prompt) == 1:
            return long
        return never_right(prompt, nth)

    limits = {"max_prompt_tokens": 700} if budget == "given" else {"context": 1500}
    trainer = train(tmp_path, play=play, hint_max_tokens=800, **limits)
    for line in lines(tmp_path):
        assert [group["level"] for group in line["drawn"]] == [0, 2, 3]
        assert line["refused"] == {"over_budget": 3}
    assert max(len(prompt) for prompt in trainer.prompts_asked) <= 700
    assert {line["level"] for line in lines(tmp_path, "hints.jsonl") if line["refused"]} == {1}


def test_a_request_that_is_too_long_is_counted_and_not_sent(tmp_path):
    """METHOD, trap 7: a too-long hint request is never dropped uncounted."""
    trainer = train(tmp_path, play=never_right, max_prompt_tokens=250, context=1300)
    assert not any(riddles.asks_for_hint(prompt) for prompt in trainer.prompts_asked)
    for line in lines(tmp_path):
        assert line["refused"]["request_over_budget"] == 2
        assert [group["level"] for group in line["drawn"]] == [0, 3]


def test_a_hint_request_and_its_answer_fit_in_the_models_context(tmp_path):
    first, *others = riddles.rows()
    long = {**first, "solution": "Do not hurry at all. " * 10 + first["solution"]}
    trainer = train(tmp_path, data=data(long, *others), args=EPOCH, play=never_right, context=1000, hint_max_tokens=500)
    for call in trainer.calls:
        assert max(len(prompt) for prompt in call.prompts) + call.limit <= 1000
    cut = {(KEYS[line["key"]], line["level"]) for line in lines(tmp_path, "hints.jsonl") if line["solution_cut"]}
    assert cut == {(0, 1), (0, 2)}
    assert not any(line["refused"] for line in lines(tmp_path, "hints.jsonl"))
    assert sorted(line["hints/solutions_cut"] for line in lines(tmp_path, "metrics.jsonl")) == [0, 1]
    (asked,) = {p for p in trainer.prompts_asked if "left out here" in p and riddles.level_asked(p) == 1}
    assert "Do not hurry" in asked
    assert f"The word inside reads {WORDS[0]}." in asked


def test_a_request_may_be_longer_than_prompts_where_the_context_has_room(tmp_path):
    trainer = train(tmp_path, play=never_right, max_prompt_tokens=400)
    assert max(len(prompt) for prompt in trainer.prompts_asked if riddles.asks_for_hint(prompt)) > 400
    assert max(len(prompt) for prompt in trainer.prompts_asked if not riddles.asks_for_hint(prompt)) <= 400
    assert not any(line["solution_cut"] for line in lines(tmp_path, "hints.jsonl"))


# What is logged


def test_the_completions_log_shows_the_kept_rows_with_level_and_hint(tmp_path):
    def correct(completions, answer, prompts, log_extra, log_metric, **kwargs):
        log_extra("said", [text_of(c) for c in completions])
        log_extra("gold", answer)
        log_metric("mud", sum(text_of(c) == "mud" for c in completions) / len(completions))
        return riddles.correct(completions, answer)

    args = {**EPOCH, "log_completions": True, "logging_strategy": "steps", "logging_steps": 1}
    logged = Logged()
    trainer = train(tmp_path, args=args, reward_funcs=[correct], callbacks=[logged])
    hints = {line["id"]: line["text"] for line in lines(tmp_path, "hints.jsonl")}
    files = sorted((tmp_path / "completions").glob("*.parquet"))
    assert len(files) == 2
    for step, file in enumerate(files):
        groups = [line for line in lines(tmp_path) if line["step"] == step + 1]
        table = pd.read_parquet(file)
        assert len(table) == GROUP_SIZE * PROBLEMS_A_STEP
        for i, row in table.iterrows():
            line = groups[i // GROUP_SIZE]
            prompt = row["prompt"][-1]["content"]
            assert row["hint_level"] == line["level"]
            assert row["hint"] == hints.get(line["hint"], "")
            assert row["hint"] in prompt
            assert number_of(prompt) == KEYS[line["key"]]
            assert row["gold"] == WORDS[number_of(prompt)]
            assert row["said"] == row["completion"][0]["content"]
            assert row["correct"] == line["rewards"][i % GROUP_SIZE] == float(row["said"] == row["gold"])
        assert table["advantage"].tolist() == pytest.approx(trainer.outputs[step]["advantages"].tolist())
    assert 0.5 < logged.steps[0]["mud"] < 1


class Logged(TrainerCallback):
    """What every integration in `report_to` is given."""

    def __init__(self):
        self.steps = []

    def on_log(self, args, state, control, logs=None, **kwargs):
        if "loss" in logs:
            self.steps.append(dict(logs))


def test_metrics_reach_the_integrations_beside_trls_own(tmp_path):
    logged = Logged()
    train(tmp_path, callbacks=[logged], args={"max_steps": 4, "logging_strategy": "steps", "logging_steps": 2})
    metrics = lines(tmp_path, "metrics.jsonl")
    assert len(logged.steps) == 2
    for logs, pair in zip(logged.steps, (metrics[:2], metrics[2:]), strict=True):
        for name in ("groups/rescued", "hints/level_3", "tokens/discarded", "problems/never_solved", "reward/mean"):
            assert logs[f"selfhint/{name}"] == pytest.approx(sum(line[name] for line in pair) / 2), name
        assert "rewards/correct/mean" in logs


def test_the_files_of_a_run_are_in_the_output_directory(tmp_path):
    heard = []
    train(tmp_path, args=EPOCH, listener=heard.append)
    assert {path.name for path in tmp_path.glob("*.jsonl")} == {"groups.jsonl", "hints.jsonl", "metrics.jsonl"}
    group = {
        "step",
        "epoch",
        "key",
        "visit",
        "level",
        "hint",
        "rewards",
        "drawn",
        "tokens",
        "refused",
        "flagged",
        "why",
    }
    assert all(set(line) == group for line in lines(tmp_path))
    hint = {"id", "key", "step", "level", "text", "source", "refused", "flagged", "solution_cut"}
    assert all(set(line) == hint for line in lines(tmp_path, "hints.jsonl"))
    metrics = lines(tmp_path, "metrics.jsonl")
    assert heard == metrics
    assert {"step", "epoch", "update", "reward/mean", "groups/total", "time/step", "problems/seen"} <= set(metrics[0])
    assert [line["problems/seen"] for line in metrics] == [4, 8]


def test_a_run_directory_of_its_own(tmp_path):
    train(tmp_path / "output", run_dir=tmp_path / "run")
    assert lines(tmp_path / "run")
    assert not (tmp_path / "output" / "groups.jsonl").exists()


def test_several_updates_on_one_generation_are_one_line_with_the_number_of_updates_before(tmp_path):
    args = {"max_steps": 10, "num_iterations": 2, "steps_per_generation": 2, "per_device_train_batch_size": 8}
    trainer = train(tmp_path, args=args)
    metrics = lines(tmp_path, "metrics.jsonl")
    # Four updates a step; the tenth update is the second one of the third step.
    assert [(line["step"], line["update"], line["epoch"]) for line in metrics] == [(1, 0, 0), (2, 4, 0), (3, 8, 1)]
    assert len(trainer.outputs) == 3
    assert [line["step"] for line in lines(tmp_path)] == [1] * 4 + [2] * 4 + [3] * 4


def test_accumulating_gradients_does_not_change_what_a_step_is(tmp_path):
    args = {"max_steps": 3, "gradient_accumulation_steps": 2, "per_device_train_batch_size": 8}
    train(tmp_path, args=args)
    metrics = lines(tmp_path, "metrics.jsonl")
    assert [(line["step"], line["update"]) for line in metrics] == [(1, 0), (2, 1), (3, 2)]
    assert all(line["groups/total"] == PROBLEMS_A_STEP for line in metrics)


def test_times_are_there_and_add_up(tmp_path):
    train(tmp_path, args=EPOCH)
    for line in lines(tmp_path, "metrics.jsonl"):
        times = {name.removeprefix("time/"): value for name, value in line.items() if name.startswith("time/")}
        assert set(times) == {"step", "solve", "hint", "verify", "update"}
        assert min(times.values()) >= 0
        assert min(times["solve"], times["hint"], times["verify"], times["update"]) > 0
        assert times["step"] == pytest.approx(sum(times.values()) - times["step"])


def test_a_failure_in_a_reward_function_is_the_users_own_and_closes_the_files(tmp_path):
    def broken(completions, **kwargs):
        raise ZeroDivisionError

    trainer = riddles.trainer(tmp_path, scheduler=Ladder(), reward_funcs=[broken])
    with pytest.raises(ZeroDivisionError):
        trainer.train()
    assert lines(tmp_path) == []
    assert trainer.rollout_func is None


def test_evaluation_between_updates_sees_no_hint_and_writes_no_line(tmp_path):
    evaluation = data(*riddles.rows(12)[8:])
    args = {**EPOCH, "eval_strategy": "steps", "eval_steps": 1, "per_device_eval_batch_size": 8}
    trainer = train(tmp_path, args=args, eval_dataset=evaluation, play=never_right)
    evaluated = [prompt for prompt in trainer.prompts_asked if number_of(prompt) >= 8]
    assert len(evaluated) == 2 * 4 * GROUP_SIZE
    assert not any(riddles.has_hint(p) or riddles.asks_for_hint(p) for p in evaluated)
    assert {KEYS[line["key"]] for line in lines(tmp_path)} == set(range(8))
    assert all(
        re.fullmatch(r"eval_.*|epoch", name) for log in trainer.state.log_history for name in log if "eval" in name
    )


def test_a_tokenizer_that_cannot_read_the_hint_request_ends_the_run_with_a_message(tmp_path):
    model, tokenizer = tiny.policy()  # it reads lab words, not English
    trainer = SelfHintTrainer(
        model=model,
        reward_funcs=[tiny.correct],
        args=tiny.arguments(tmp_path, max_steps=1),
        train_dataset=tiny.dataset(16, "hard"),
        processing_class=tokenizer,
        scheduler=Ladder(),
        hint_max_tokens=8,
    )
    refused(trainer.train, "tokenizer cannot read the prompt", "other hints")


def test_the_line_of_a_step_has_the_mean_entropy_of_its_updates_and_the_length_of_its_completions(tmp_path):
    args = {"max_steps": 4, "steps_per_generation": 2, "per_device_train_batch_size": 8}
    trainer = train(tmp_path, args={**args, "logging_strategy": "steps", "logging_steps": 1})
    logged = [entry for entry in trainer.state.log_history if "entropy" in entry]
    entropy = [entry["entropy"] for entry in logged]
    metrics = lines(tmp_path, "metrics.jsonl")
    assert [line["entropy"] for line in metrics] == pytest.approx([sum(entropy[:2]) / 2, sum(entropy[2:]) / 2])
    assert len(set(entropy)) == 4
    lengths = [entry["completions/mean_length"] for entry in logged[::2]]
    assert [line["completions/mean_length"] for line in metrics] == pytest.approx(lengths)
