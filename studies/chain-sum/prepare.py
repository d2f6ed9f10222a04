"""Makes what studies/chain-sum.yaml needs: python studies/chain-sum/prepare.py SMOLLM2_FOLDER runs/chain-sum

Problems are those of reasoning-gym's chain_sum with one-digit numbers and no minus sign ("4 + 9 + 3 + 7 + 1"), worked
out as "13 + 3 + 7 + 1", "16 + 7 + 1" and so on, a line each. At temperature 1 SmolLM2-135M-Instruct writes hardly
anything to the point when it is asked for that, so the policy is the model after a few updates of supervised training
on shorter and longer sums, half of them with a hint. It then knows the form, but most of its completions slip
somewhere. The problems trained on and held out are none of those.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import reasoning_gym
import torch
import yaml
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer

from selfhint.core.levels import PREFIX_SHARE
from selfhint.hints.cut import solution_prefix
from selfhint.hints.prompts import insert_hint, solver_prompt

NUM_TERMS = 5
"""Of the problems to train on and of those held out."""
RECIPE = Path(__file__).with_name("recipe.yaml")
SEARCHED = 100_000
"""Problems among which additions are looked for; seeds lie farther apart."""
UPDATES, BATCH, LEARNING_RATE = 12, 12, 3e-5
"""Of the supervised training."""


def main() -> None:
    """Writes train.jsonl, heldout.jsonl and the folder `policy`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("smollm2", help="folder or hub id of SmolLM2-135M-Instruct")
    parser.add_argument("out", type=Path, help="folder that is not there yet")
    given = parser.parse_args()
    given.out.mkdir(parents=True)
    held_out = {row["problem"]: row for row in chains(NUM_TERMS, 64, seed=0)}
    train = {row["problem"]: row for row in chains(NUM_TERMS, 256, seed=SEARCHED) if row["problem"] not in held_out}
    for name, rows in (("train", train), ("heldout", held_out)):
        lines = (json.dumps(row) + "\n" for row in rows.values())
        (given.out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    shown = [row for terms in range(2, 8) for row in chains(terms, 60, seed=SEARCHED * terms)]
    used = train | held_out
    warm_up(given.smollm2, [row for row in shown if row["problem"] not in used], given.out / "policy")


def chains(num_terms: int, size: int, seed: int) -> Iterator[dict[str, str]]:
    """`size` additions; a line of a solution adds the first two terms and keeps the rest."""
    sizes = {"min_terms": num_terms, "max_terms": num_terms, "min_digits": 1, "max_digits": 1}
    items = reasoning_gym.create_dataset("chain_sum", size=SEARCHED, seed=seed, **sizes)
    additions = (item for item in items if "-" not in item["metadata"]["expression"])
    for item in itertools.islice(additions, size):
        problem = item["metadata"]["expression"]
        terms = [int(term) for term in problem.split(" + ")]
        lines = []
        while len(terms) > 1:
            terms = [terms[0] + terms[1], *terms[2:]]
            lines.append(" + ".join(map(str, terms)))
        if lines[-1] != item["answer"]:
            raise ValueError(f"{problem}: {lines[-1]}, reasoning-gym says {item['answer']}")
        yield {"problem": problem, "solution": "\n".join(lines), "answer": lines[-1]}


def warm_up(source: str, rows: list[dict[str, str]], out: Path) -> None:
    """Supervised training; half of the examples begin with a hint of any strength, and go on from it."""
    rng = random.Random(0)
    template = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))["prompt"]
    examples = []
    for row in rows:
        prompt, completion = solver_prompt(row["problem"], chat=False, template=template), "\n" + row["solution"]
        if rng.random() < 0.5:
            hint = solution_prefix(row["solution"], rng.choice(list(PREFIX_SHARE.values())))
            prompt, completion = insert_hint(prompt, hint), row["solution"].removeprefix(hint)
        examples.append({"prompt": prompt, "completion": completion})
    tokenizer = AutoTokenizer.from_pretrained(source)
    tokenizer.chat_template = None  # plain prompts: a third of the tokens
    tokenizer.eos_token = tokenizer.pad_token = "<|im_end|>"
    model = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32)
    settings = SFTConfig(
        output_dir=str(out),
        max_steps=UPDATES,
        per_device_train_batch_size=BATCH,
        learning_rate=LEARNING_RATE,
        warmup_steps=4,
        lr_scheduler_type="constant_with_warmup",
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to="none",
        logging_steps=1,
    )
    SFTTrainer(model, settings, train_dataset=Dataset.from_list(examples), processing_class=tokenizer).train()
    model.generation_config.eos_token_id = model.generation_config.pad_token_id = tokenizer.eos_token_id
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


if __name__ == "__main__":
    main()
