"""Every fault of a teacher, on a server that fails on command."""

from __future__ import annotations

import itertools
import json
import logging
import threading
from concurrent.futures import as_completed
from pathlib import Path

import pytest

pytest.importorskip("openai", reason="the teacher's client is an extra")

from selfhint.config import TeacherSettings
from selfhint.core.errors import InputError
from selfhint.core.ports import Sample
from selfhint.engines.teacher import Teacher
from support.fake_teacher import KEY, Reply, answer, error, served


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """The client's back-off is its own; only the time is taken out of it."""
    slept = []
    monkeypatch.setattr("time.sleep", slept.append)
    return slept


def settings(url, **changes):
    return TeacherSettings(**{"model": "m", "base_url": url, "retries": 2, "timeout": 5.0, **changes})


def sample(key="k", attempt=0, prompt="write a hint", visit=0):
    return Sample(key, visit, 1, "teach", prompt, 1, attempt)


class Asking:
    def __init__(self, tmp_path, monkeypatch):
        self.path = tmp_path / "run" / "teacher_cache.jsonl"
        monkeypatch.setenv("SOME_KEY", KEY)

    def __call__(self, play, *requests, num_shares=1, **changes):
        """Answers of the requests, one after the other, and the server that saw them."""
        with served(play if callable(play) else lambda request, i: play) as server:
            teacher = Teacher(
                settings(server.url, api_key_env="SOME_KEY", **changes), 50, self.path, num_shares=num_shares
            )
            try:
                return [teacher.ask(request).result(30) for request in requests or (sample(),)], server
            finally:
                teacher.close()


@pytest.fixture
def asking(tmp_path, monkeypatch):
    return Asking(tmp_path, monkeypatch)


def texts(completions):
    return [completion.text for completion in completions]


def missing(completions):
    return [completion.missing for completion in completions]


def test_what_is_asked_and_what_comes_back(asking):
    chat = sample("b", prompt=[{"role": "user", "content": "in chat"}])
    done, server = asking(answer("Multiply."), sample(), chat)
    assert [(c.text, c.num_tokens, c.missing) for c in done] == [("Multiply.", 0, None)] * 2
    first, second = server.asked
    assert first["path"] == "/v1/chat/completions"
    assert first["key"] == f"Bearer {KEY}"
    assert (first["model"], first["max_tokens"], first["temperature"]) == ("m", 50, 1.0)
    assert first["messages"] == [{"role": "user", "content": "write a hint"}]
    assert second["messages"] == chat.prompt


@pytest.mark.parametrize(
    ("url", "limit"),
    [
        (None, "max_completion_tokens"),
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("http://127.0.0.1:9/v1", "max_tokens"),
    ],
)
def test_openai_gets_the_limit_under_its_newer_name(tmp_path, monkeypatch, url, limit):
    def send(self, **request):
        sent.append({name for name in ("max_tokens", "max_completion_tokens") if request[name] is not openai.omit})
        raise openai.OpenAIError

    sent = []
    openai = pytest.importorskip("openai")
    monkeypatch.setattr("openai.resources.chat.completions.Completions.create", send)
    teacher = Teacher(settings(url), 50, tmp_path / "cache.jsonl")
    teacher.ask(sample()).result(30)
    teacher.close()
    assert sent == [{limit}]


def test_a_temperature_of_null_is_left_to_the_server(asking):
    _, server = asking(answer("Multiply."), temperature=None)
    assert "temperature" not in server.asked[0]


def test_an_answer_is_asked_for_once_over_several_runs(asking):
    requests = [sample(), sample("other", visit=3), sample(attempt=1)]
    done, server = asking(lambda request, i: answer(f"hint {i}"), *requests)
    assert texts(done) == ["hint 0", "hint 0", "hint 1"]  # the same words are the same request; a new attempt is not
    assert len(server.asked) == 2
    again, server = asking(answer("another"), *requests)
    assert (texts(again), server.asked) == (texts(done), [])
    _, server = asking(answer("another"), model="m2")
    assert len(server.asked) == 1


def test_answers_that_were_there_before_are_told(asking, caplog):
    """A dead server, or another one, would look like the one that was asked."""
    asking(lambda request, i: answer(f"hint {i}"), sample(), sample(), sample(attempt=1))
    assert "already" not in caplog.text
    asking(answer("another"), sample(), sample(), sample(attempt=2))
    assert f"teacher: 1 answers were in {asking.path} already, 1 requests were sent" in caplog.text


def test_a_damaged_end_of_the_cache_costs_one_answer(asking):
    asking(lambda request, i: answer(f"hint {i}"), sample(), sample(attempt=1))
    asking.path.write_bytes(asking.path.read_bytes()[:-20])
    done, server = asking(answer("new"), sample(), sample(attempt=1))
    assert (texts(done), len(server.asked)) == (["hint 0", "new"], 1)
    done, server = asking(answer("newer"), sample(), sample(attempt=1))
    assert (texts(done), server.asked) == (["hint 0", "new"], [])


def test_another_process_that_shares_the_cache_is_seen(asking):
    with served(lambda request, i: answer(f"hint {i}")) as server:
        one, two = (Teacher(settings(server.url), 50, asking.path) for _ in range(2))
        assert one.ask(sample()).result(30).text == "hint 0"
        assert two.ask(sample()).result(30).text == "hint 0"
        one.close(), two.close()
    assert len(server.asked) == 1


def test_a_request_that_is_under_way_is_not_sent_twice(asking):
    gate = threading.Event()
    with served(lambda request, i: Reply(**{**vars(answer(f"hint {i}")), "wait": gate})) as server:
        teacher = Teacher(settings(server.url), 50, asking.path)
        waiting = [teacher.ask(sample(visit=visit)) for visit in (0, 1)]
        gate.set()
        assert [future.result(30).text for future in waiting] == ["hint 0", "hint 0"]
        teacher.close()
    assert len(server.asked) == 1


def test_no_more_than_concurrency_at_once(asking):
    both, gate = threading.Event(), threading.Event()

    def play(request, i):
        if i == 1:
            both.set()
        return Reply(**{**vars(answer("hint")), "wait": gate})

    with served(play) as server:
        teacher = Teacher(settings(server.url, concurrency=2), 50, asking.path)
        waiting = [teacher.ask(sample(attempt=attempt)) for attempt in range(5)]
        assert both.wait(30)
        gate.set()
        for future in waiting:
            assert future.result(30).text == "hint"
        teacher.close()
    assert server.most_at_once == 2


FAULTS = {
    "500": (error(500), "teacher_unreachable", 3),
    "503": (error(503), "teacher_unreachable", 3),
    "429": (error(429), "teacher_unreachable", 3),
    "400": (error(400, "too long"), "teacher_refused", 1),
    "garbage": (Reply(body=b"<html>hello</html>"), "teacher_garbage", 1),
    "garbage-as-html": (Reply(body=b"<html>", headers={"Content-Type": "text/html"}), "teacher_garbage", 1),
    "another-object": (Reply(body={"hello": 1}), "teacher_garbage", 1),
    "a-list": (Reply(body=[1]), "teacher_garbage", 1),
    "null": (Reply(body=None), "teacher_garbage", 1),
    "no-choices": (Reply(body={**answer("x").body, "choices": []}), "teacher_garbage", 1),
    "choices-of-another-type": (Reply(body={**answer("x").body, "choices": "many"}), "teacher_garbage", 1),
    "choice-of-another-type": (Reply(body={**answer("x").body, "choices": ["one"]}), "teacher_garbage", 1),
    "no-text": (answer(None), "teacher_garbage", 1),
    "truncated": (answer("Multiply th", finish="length"), "teacher_truncated", 1),
    "truncated-in-its-thoughts": (answer(None, finish="length"), "teacher_truncated", 1),
    "body-cut-off": (Reply(**{**vars(answer("x")), "cut": True}), "teacher_unreachable", 3),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_a_missing_hint(asking, name, caplog):
    reply, reason, num_requests = FAULTS[name]
    done, server = asking(reply)
    assert missing(done) == [reason]
    assert len(server.asked) == num_requests
    assert f"{reason}: " in caplog.text
    assert KEY not in caplog.text


def test_a_passing_fault_costs_a_repetition_only(asking, waits):
    replies = [error(500), error(429), answer("Multiply.")]
    done, _ = asking(lambda request, i: replies[i])
    assert texts(done) == ["Multiply."]
    first, second = waits
    assert 0.375 <= first <= 0.5
    assert 0.75 <= second <= 1.0  # twice as long, less up to a quarter


def test_the_server_says_how_long_to_wait(asking, waits):
    replies = [error(429, Retry_After="17"), answer("Multiply.")]
    done, _ = asking(lambda request, i: replies[i])
    assert texts(done) == ["Multiply."]
    assert waits == [17.0]


def test_a_teacher_that_is_down(tmp_path, caplog):
    teacher = Teacher(settings("http://127.0.0.1:9/v1"), 50, tmp_path / "cache.jsonl")
    assert teacher.ask(sample()).result(30).missing == "teacher_unreachable"
    teacher.close()
    assert "teacher_unreachable: " in caplog.text


def test_a_slow_teacher(asking, caplog):
    gate = threading.Event()
    try:
        done, _ = asking(Reply(**{**vars(answer("late")), "wait": gate}), timeout=0.2)
    finally:
        gate.set()
    assert missing(done) == ["teacher_unreachable"]
    assert "timed out" in caplog.text.lower()


def test_a_silent_teacher_is_not_asked_again_and_again(asking):
    replies = [*[error(500)] * 3, error(500), answer("Multiply."), error(500), answer("Add.")]
    requests = [sample(attempt=attempt) for attempt in range(4)]
    done, server = asking(lambda request, i: replies[i], *requests)
    assert missing(done) == ["teacher_unreachable", "teacher_unreachable", None, None]
    assert len(server.asked) == 7  # the first and the last were repeated, the second was sent once


def test_while_the_teacher_is_silent_one_request_at_a_time_tries_and_none_waits(asking):
    gate = threading.Event()

    def play(request, i):
        return Reply(**{**vars(answer("back")), "wait": gate}) if i else error(500)

    with served(play) as server:
        teacher = Teacher(settings(server.url, concurrency=2, retries=0), 50, asking.path)
        assert teacher.ask(sample()).result(30).missing == "teacher_unreachable"
        waiting = [teacher.ask(sample(attempt=attempt)) for attempt in range(1, 10)]
        left_out = list(itertools.islice(as_completed(waiting, timeout=30), 8))
        assert missing(future.result() for future in left_out) == ["teacher_unreachable"] * 8
        gate.set()
        assert sorted(future.result(30).text for future in waiting) == [""] * 8 + ["back"]
        assert len(server.asked) == 2
        assert teacher.ask(sample(attempt=10)).result(30).text == "back"
        teacher.close()


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_can_never_work_stops_the_run(asking, status):
    with pytest.raises(InputError, match=rf"teacher m at http.*status {status}.*teacher\.model") as caught:
        asking(error(status, f"wrong key {KEY}"))
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_ends_later_does_not(asking):
    replies = [answer("Multiply."), error(401)]
    done, _ = asking(lambda request, i: replies[i], sample(), sample(attempt=1))
    assert missing(done) == [None, "teacher_refused"]


def test_each_cause_is_said_once(asking, caplog):
    replies = [error(400, "too long"), error(400, "too long"), answer("x", finish="length"), error(400, "too long")]
    with caplog.at_level(logging.WARNING):
        asking(lambda request, i: replies[i], *[sample(attempt=attempt) for attempt in range(4)])
    said = [record.getMessage() for record in caplog.records if record.name.startswith("selfhint")]
    assert len(said) == 2
    assert [line for line in said if "goes on" in line and "too long" in line] == [said[0]]


def test_requests_have_a_limit_that_a_resumed_run_keeps(asking, caplog):
    requests = [sample(attempt=attempt) for attempt in range(5)]
    for _ in range(2):
        done, server = asking(lambda request, i: answer(f"hint {i}"), *requests, max_requests=3)
        assert missing(done) == [None] * 3 + ["teacher_limit"] * 2
    assert server.asked == []
    assert "teacher.max_requests=3 is reached" in caplog.text


@pytest.mark.parametrize("limits", [{"max_requests": 3}, {"max_tokens_total": 90}])
def test_a_limit_says_that_it_counts_what_a_shared_file_held(asking, tmp_path, caplog, limits):
    shared = str(tmp_path / "shared.jsonl")
    asking(lambda request, i: answer(f"hint {i}"), *[sample(attempt=attempt) for attempt in range(3)], cache=shared)
    done, _ = asking(answer("hint"), sample(attempt=3), cache=shared, **limits)
    assert missing(done) == ["teacher_limit"]
    ((name, limit),) = limits.items()
    assert f"teacher.{name}={limit} is reached, with what teacher.cache={shared} held before" in caplog.text


def test_tokens_have_a_limit(asking, caplog):
    requests = [sample(attempt=attempt) for attempt in range(5)]
    done, _ = asking(answer("hint", tokens=30), *requests, max_tokens_total=50)
    assert missing(done) == [None] * 2 + ["teacher_limit"] * 3
    assert caplog.text.count("teacher.max_tokens_total=50 is reached; the run goes on") == 1


def test_tokens_that_a_server_does_not_count_are_estimated(asking):
    body = {name: value for name, value in answer("x" * 400).body.items() if name != "usage"}
    done, _ = asking(Reply(body=body), sample(), sample(attempt=1), max_tokens_total=100)
    assert missing(done) == [None, "teacher_limit"]


def with_usage(reply, **usage):
    return Reply(body={**reply.body, "usage": usage})


def test_thoughts_that_were_cut_off_are_paid_for_once(asking):
    cut_off = answer(None, finish="length", tokens=1510)
    done, server = asking(cut_off, sample(), sample(visit=1), sample(attempt=1), max_tokens_total=1500)
    assert missing(done) == ["teacher_truncated", "teacher_truncated", "teacher_limit"]
    assert len(server.asked) == 1
    done, server = asking(cut_off, sample(), sample(attempt=1), max_tokens_total=1500)  # resumed
    assert (missing(done), server.asked) == (["teacher_truncated", "teacher_limit"], [])


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 1500, "total_tokens": 1510}, 1510),
        ({"prompt_tokens": 10, "completion_tokens": 1500}, 1510),
        ({"completion_tokens": 1500}, 1500),
        ({}, 11 + 50),  # the request, estimated, and the limit that cut it off
    ],
)
def test_what_thoughts_that_were_cut_off_took(asking, usage, tokens):
    asking(with_usage(answer(None, finish="length"), **usage))
    (line,) = asking.path.read_text().splitlines()
    assert {**json.loads(line), "id": ""} == {"id": "", "text": "", "truncated": True, "tokens": tokens}


def test_a_reply_without_a_text_counts_and_is_asked_for_again(asking):
    replies = [answer(None, tokens=30), answer("Multiply.", tokens=30)]
    done, _ = asking(lambda request, i: replies[i], sample(), sample(), sample(attempt=1), max_tokens_total=60)
    assert missing(done) == ["teacher_garbage", None, "teacher_limit"]
    done, server = asking(answer("another"), sample(), sample(attempt=1), max_tokens_total=60)  # resumed
    assert (texts(done), missing(done), server.asked) == (["Multiply.", ""], [None, "teacher_limit"], [])
    done, _ = asking(answer("another"), sample(attempt=1), max_requests=2)
    assert missing(done) == ["teacher_limit"]


def test_a_request_that_failed_counts_until_the_process_ends(asking):
    requests = [sample(attempt=attempt) for attempt in range(3)]
    done, _ = asking(error(400), *requests, max_requests=2)
    assert missing(done) == ["teacher_refused"] * 2 + ["teacher_limit"]
    done, _ = asking(answer("hint"), *requests, max_requests=2)  # resumed
    assert missing(done) == [None] * 2 + ["teacher_limit"]


def test_processes_share_the_limits(asking):
    requests = [sample(attempt=attempt) for attempt in range(5)]
    done, _ = asking(answer("hint"), *requests, max_requests=5, concurrency=2, num_shares=2)
    assert missing(done) == [None] * 2 + ["teacher_limit"] * 3


def test_the_key_stands_in_no_file(asking):
    asking(answer("hint"))
    files = [path for path in asking.path.parent.rglob("*") if path.is_file()]
    assert [json.loads(path.read_text())["text"] for path in files] == ["hint"]
    assert not any(KEY in path.read_text() for path in files)


def test_a_key_that_is_not_set_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_KEY_HERE", raising=False)
    with pytest.raises(InputError, match=r"NO_KEY_HERE.*not set"):
        Teacher(settings("http://127.0.0.1:9/v1", api_key_env="NO_KEY_HERE"), 50, tmp_path / "cache.jsonl")


def test_without_the_client_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"selfhint\[teacher\]"):
        Teacher(settings("http://127.0.0.1:9/v1"), 50, tmp_path / "cache.jsonl")


def test_a_cache_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"teacher\.cache"):
        Teacher(settings("http://127.0.0.1:9/v1"), 50, tmp_path / "file" / "cache.jsonl")


def test_a_long_message_is_cut_after_the_key_is_masked(asking, caplog):
    with caplog.at_level(logging.WARNING):
        asking(error(400, f"{'x' * (190 - len(KEY))} {KEY} and so on"))
    told = "".join(record.getMessage() for record in caplog.records)
    assert "xxx" in told
    assert KEY[:6] not in told


@pytest.mark.parametrize("key", ["two\nlines", "a blank", "bell\a", "cl\u00e9"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(tmp_path, monkeypatch, key):
    monkeypatch.setenv("ODD_KEY", key)
    with pytest.raises(InputError, match=r"ODD_KEY.*bare key") as caught:
        Teacher(settings("http://127.0.0.1:9/v1", api_key_env="ODD_KEY"), 50, tmp_path / "cache.jsonl")
    assert key not in str(caught.value)


def test_looking_whether_answers_can_be_kept_leaves_what_others_write(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "unlink", lambda *args, **kwargs: pytest.fail("another process may be writing there"))
    Teacher(settings("http://127.0.0.1:9/v1"), 50, tmp_path / "cache.jsonl").close()
    assert list(tmp_path.iterdir()) == []


def test_the_key_is_masked_in_what_the_http_library_says(tmp_path, monkeypatch, caplog):
    def send(self, **request):
        raise openai.APIConnectionError(request=None) from ValueError(f"Illegal header value b'Bearer {KEY}'")

    openai = pytest.importorskip("openai")
    monkeypatch.setenv("SOME_KEY", KEY)
    monkeypatch.setattr("openai.resources.chat.completions.Completions.create", send)
    teacher = Teacher(settings("http://127.0.0.1:9/v1", api_key_env="SOME_KEY"), 50, tmp_path / "cache.jsonl")
    assert teacher.ask(sample()).result(30).missing == "teacher_unreachable"
    teacher.close()
    assert "Illegal header value" in caplog.text
    assert KEY not in caplog.text
