"""What an audit can find, how grave it is, and the rows it found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from selfhint.data.rows import Place

HARMS, WORTH_KNOWING = "harms a run", "worth knowing"
"""The first: a run stops, loses rows, or its rewards, hints or scores are wrong. The second: look at them."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding.

    Args:
        severity: `HARMS` or `WORTH_KNOWING`.
        what: ends the sentence "rows …".
        means: what follows from it, and the mend.
    """

    severity: str
    what: str
    means: str


KINDS: dict[str, Kind] = {
    "damaged": Kind(HARMS, "that cannot be read", "training stops at the first; write them again or remove them"),
    "left_out": Kind(HARMS, "that loading leaves out", "training goes on without them; correct or remove them"),
    "no_solution": Kind(
        HARMS,
        "without a worked solution",
        "hints are made from it, so loading leaves them out; add it, or train with method=grpo, which needs none",
    ),
    "malformed_hints": Kind(HARMS, "whose hints are of another form", "training stops here; correct them"),
    "two_answers": Kind(
        HARMS, "that give a problem another answer than before", "training stops here; correct or remove one of them"
    ),
    "gold_of_another_kind": Kind(
        HARMS,
        "whose answer is an entry of reasoning-gym",
        "only the task's own verifier can judge it; set verifier.kind=reasoning_gym",
    ),
    "gold_rejected": Kind(
        HARMS, "whose answer its own verifier rejects", "no completion can be right; correct it or change verifier.kind"
    ),
    "gold_unreadable": Kind(
        HARMS,
        "whose answer the verifier cannot read",
        "a completion that is not the same text may get no verdict, and its group is skipped; rewrite the answer or "
        "change verifier.kind",
    ),
    "gold_accepts_anything": Kind(
        HARMS, "whose answer the verifier also sees in a made-up one", "wrong completions are paid; check verifier"
    ),
    "solution_disagrees": Kind(
        HARMS,
        "whose solution marks another final answer",
        "hints lead away from what is rewarded; correct the answer or the solution (data prepare drops them)",
    ),
    "benchmark_same": Kind(HARMS, "that are also in a benchmark", "its score says nothing; data prepare drops them"),
    "benchmark_near": Kind(
        HARMS, "that are nearly in a benchmark", "its score says little; look at them (data prepare drops them)"
    ),
    "prompt_unreadable": Kind(HARMS, "whose prompt the tokenizer cannot read", "training stops here; remove them"),
    "prompt_over_budget": Kind(
        HARMS, "with a prompt over max_prompt_tokens", "loading leaves them out; raise the budget or remove them"
    ),
    "duplicate": Kind(WORTH_KNOWING, "that repeat an earlier row", "loading merges them and keeps the first solution"),
    "reads_same": Kind(
        WORTH_KNOWING,
        "that differ from an earlier row in spelling only",
        "loading keeps both, and the problem is trained on twice; data prepare drops them",
    ),
    "reads_same_other_answer": Kind(
        WORTH_KNOWING,
        "that read like an earlier row and have another answer",
        "one answer is wrong, or the texts differ in signs that are not compared; look (data prepare drops both)",
    ),
    "answer_absent": Kind(
        WORTH_KNOWING,
        "whose solution does not show the answer",
        "it marks no final answer (a box or ####), and neither the text of the answer nor an equal formula at its end "
        "was found",
    ),
    "several_values": Kind(
        WORTH_KNOWING,
        "whose answer is several values",
        "a completion must give all of them (math and values: in any order; other kinds know single values only)",
    ),
    "several_parts": Kind(
        WORTH_KNOWING, "whose problem has several parts", "check which part the answer is for; the solver cannot know"
    ),
    "picture_drawn": Kind(
        WORTH_KNOWING, "whose problem holds a picture as drawing commands", "a language model sees only the commands"
    ),
    "picture_linked": Kind(
        WORTH_KNOWING, "whose problem links to a picture", "the solver does not see it; remove rows that need it"
    ),
    "picture_missing": Kind(
        WORTH_KNOWING, "whose problem speaks of a picture that is not there", "remove rows that need it"
    ),
    "picture_in_solution": Kind(
        WORTH_KNOWING,
        "whose solution holds a picture",
        "its drawing commands or its address go into requests for hints",
    ),
    "replacement_character": Kind(
        WORTH_KNOWING, "with U+FFFD, which stands for a lost character", "the text was decoded wrongly; make it again"
    ),
    "mojibake": Kind(
        WORTH_KNOWING, "with UTF-8 that was read as another encoding", "the text was decoded wrongly; make it again"
    ),
    "broken_latex": Kind(
        WORTH_KNOWING,
        "with LaTeX commands that were read as control characters",
        r"\frac in an unescaped string became a form feed and rac; write the file with a JSON library",
    ),
    "control_characters": Kind(
        WORTH_KNOWING, "with control or invisible characters", "the policy reads them as tokens; remove them"
    ),
    "other_script": Kind(
        WORTH_KNOWING,
        "written mostly in another script than Latin",
        "the built-in prompts are English, and so are the number words that the leak guard knows; set prompt",
    ),
    "hinted_over_budget": Kind(
        WORTH_KNOWING,
        "whose prompt with a long hint is over max_prompt_tokens",
        "such a hint is refused as over_budget; raise the budget",
    ),
    "request_over_budget": Kind(
        WORTH_KNOWING,
        "whose request for hints is over its budget",
        "the middle of the solution is left out of it; raise max_prompt_tokens or lower hints.max_tokens",
    ),
    "solution_over_budget": Kind(
        WORTH_KNOWING,
        "with a solution longer than max_completion_tokens",
        "the policy may not write as much; raise the limit if its completions are cut off",
    ),
}
"""Name → kind, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Found:
    """One row.

    Args:
        place: where it stands.
        detail: what was seen in it; empty where the kind says it all.
    """

    place: Place
    detail: str


@dataclass(frozen=True, slots=True)
class Finding:
    """All rows of one kind. `what` is the kind's, or what loading says of the row."""

    name: str
    what: str
    found: tuple[Found, ...]

    @property
    def kind(self) -> Kind:
        """What the name stands for."""
        return KINDS[self.name]


@dataclass(slots=True)
class Findings:
    """Collects. Memory grows with what is found."""

    _found: dict[tuple[str, str], list[Found]] = field(default_factory=dict)

    def add(self, name: str, place: Place, detail: str = "", *, what: str | None = None) -> None:
        """One row.

        Args:
            name: of `KINDS`.
            what: in place of the kind's own.
        """
        self._found.setdefault((name, what or KINDS[name].what), []).append(Found(place, detail))

    def sorted(self) -> Iterator[Finding]:
        """The gravest first, as in `KINDS`; rows in the order in which they were added."""
        order = list(KINDS)
        for name, what in sorted(self._found, key=lambda key: order.index(key[0])):
            yield Finding(name, what, tuple(self._found[name, what]))
