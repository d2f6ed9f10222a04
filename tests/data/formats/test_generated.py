from __future__ import annotations

import json
import subprocess
import sys

import pytest

from selfhint.core.errors import InputError
from selfhint.data import find_source, iter_rows
from selfhint.data.formats.generated import WITH_SOLUTIONS
from selfhint.data.trace import final_answer
from support.data_files import names_of

pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")
ROLES = {"problem", "solution", "answer"}


def rows_of(words):
    return list(iter_rows(find_source(words), ROLES))


def test_the_gold_is_the_entry_that_the_verifier_wants():
    from selfhint.verify.judges.reasoning_gym import judge
    from selfhint.verify.kinds.reasoning_gym import ReasoningGymKind

    (row, *_) = rows_of("reasoning_gym:chain_sum,size=3,seed=1,min_terms=3,max_terms=3")
    entry = json.loads(row.values["answer"])
    assert entry["metadata"]["num_terms"] == 3
    asked = ReasoningGymKind().quick(row.values["answer"], f"\\boxed{{{entry['answer']}}}")
    assert judge(asked)["reason"] == "match"
    assert judge({**asked, "answer": "x"})["reason"] == "mismatch"
    assert str(row.place) == "reasoning_gym:chain_sum,size=3,seed=1,min_terms=3,max_terms=3, entry 1"


def test_solutions_where_the_generator_offers_them():
    assert names_of("reasoning_gym:chain_sum") == ("problem", "answer")
    (row,) = rows_of("reasoning_gym:gsm_symbolic,size=1")
    assert len(row.values["solution"].splitlines()) > 1


@pytest.mark.parametrize("task", WITH_SOLUTIONS)
def test_a_solution_ends_in_an_answer_that_the_verifier_accepts(task):
    from selfhint.verify.judges.reasoning_gym import judge
    from selfhint.verify.kinds.reasoning_gym import ReasoningGymKind

    for row in rows_of(f"reasoning_gym:{task},size=8"):
        ending = final_answer(row.values["solution"])
        asked = ReasoningGymKind().quick(row.values["answer"], ending)
        assert judge(asked)["reason"] == "match", ending


def test_other_processes_make_the_same_rows():
    words = "reasoning_gym:knights_knaves,size=3"
    script = (
        "from selfhint.data import find_source, iter_rows; "
        f"print([row.values for row in iter_rows(find_source({words!r}), ('problem', 'answer'))])"
    )
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(
        [dict(row.values) for row in iter_rows(find_source(words), ("problem", "answer"))]
    )


def test_a_question_that_comes_twice_has_one_answer():
    rows = rows_of("reasoning_gym:chain_sum,size=60,min_terms=2,max_terms=2,max_digits=1")
    pairs = {(row.values["problem"], row.values["answer"]) for row in rows}
    assert len(pairs) == len({row.values["problem"] for row in rows}) < 60


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # a file that arc_agi's library leaves open
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("chain_summ", "no task 'chain_summ'; did you mean chain_sum"),
        ("xyz", "no task 'xyz'; its tasks are"),
        ("chain_sum,terms=3", "no option 'terms=3'; write name=value with min_terms"),
        ("chain_sum,3", "no option '3'"),
        ("chain_sum,size=0", "refuses the options"),
        ("chain_sum,size=many", "'size=many' is no whole number"),
        ("chain_sum,size=true", "'size=true' is no whole number"),
        ("chain_sum,seed=null", "'seed=null' is no whole number"),
        ("chain_sum,seed=NaN", "'seed=NaN' is no whole number"),
        ("chain_sum,size=3,size=4", "option size is there twice"),
        ("chain_sum,size=2,min_digits=x", "refuses the options"),
        ("letter_counting,size=2,min_words=999999", "refuses the options"),
        ("list_functions", "other rows in each process"),
        ("arc_agi", "rejects the task's own answer"),
    ],
)
def test_refused(words, says):
    with pytest.raises(InputError, match=says) as caught:
        rows_of(f"reasoning_gym:{words}")
    assert str(caught.value).startswith(f"data=reasoning_gym:{words}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "reasoning_gym", None)
    with pytest.raises(InputError, match=r"pip install 'selfhint\[reasoning-gym\]'"):
        rows_of("reasoning_gym:chain_sum")
