from __future__ import annotations

from selfhint.cli.words import name_and_values


def test_the_first_word_is_a_name_unless_it_sets_a_key(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert name_and_values([]) == (None, [])
    assert name_and_values(["data.jsonl", "seed=1"]) == ("data.jsonl", ["seed=1"])
    assert name_and_values(["seed=1", "lr=1"]) == (None, ["seed=1", "lr=1"])
    assert name_and_values(["reasoning_gym:chain_sum,size=5"]) == ("reasoning_gym:chain_sum,size=5", [])
    (tmp_path / "a=b").touch()
    assert name_and_values(["a=b"]) == ("a=b", [])
