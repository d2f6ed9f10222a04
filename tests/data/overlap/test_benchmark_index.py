from __future__ import annotations

from data.overlap.test_near import ANSWER, NEAR, OTHERS, STORY, compared
from selfhint.data.overlap.benchmark_index import MAX_SHARED, SAME_TEXT, BenchmarkIndex
from selfhint.data.overlap.benchmark_index import NEAR as NEARLY


def index_of(*problems):
    index = BenchmarkIndex()
    for number, (text, answer) in enumerate(problems, start=1):
        index.add("bench.jsonl", f"line {number}", text, answer)
    return index


def test_the_same_text_is_found_whatever_its_answer():
    index = index_of((OTHERS["other numbers"], ANSWER), (STORY.upper(), "no answer like it"))
    found = index.find(compared(STORY))
    assert (found.benchmark, found.where, found.kind, found.containment) == ("bench.jsonl", "line 2", SAME_TEXT, 1.0)


def test_near_duplicates_are_found_and_the_nearest_is_named():
    index = index_of((NEAR["typing errors"], ANSWER), (f"{STORY} Explain.", None))
    found = index.find(compared(NEAR["another person"]))
    assert (found.where, found.kind) == ("line 2", NEARLY)
    assert 0.9 < found.containment <= 1


def test_a_benchmark_problem_with_options_is_found_without_them():
    options = "\n".join(f"{letter}. {number} miles" for letter, number in zip("ABCD", (7, 17, 27, 37), strict=True))
    assert index_of((f"{STORY}\n{options}", "B")).find(compared(STORY)).kind == NEARLY


def test_other_problems_are_not_found():
    index = index_of((STORY, ANSWER))
    assert [index.find(compared(text)) for text in OTHERS.values()] == [None] * len(OTHERS)
    assert index.find(compared(NEAR["typing errors"], "18")) is None
    assert BenchmarkIndex().find(compared(STORY)) is None


def test_shingles_that_many_share_do_not_hide_a_problem():
    common = [
        (f"{STORY.split('.')[0]}. Name the {word} of it, please.", None) for word in map(str, range(MAX_SHARED + 1))
    ]
    index = index_of(*common, (STORY, ANSWER))
    assert index.find(compared(NEAR["typing errors"])).where == f"line {len(common) + 1}"
