"""A resumed run must be the run that was saved."""

from __future__ import annotations

from pathlib import Path

from selfhint.engines.resume import check_same
from support.refusals import refused

STATE = {"scheduler": "ladder", "group_size": 4, "ledger": {}}


def test_the_same_settings_pass():
    check_same(Path("checkpoint-3"), STATE, {"scheduler": "ladder", "group_size": 4})


def test_a_difference_is_refused_with_both_values():
    changed = {"scheduler": "ladder", "group_size": 8}
    refused(
        lambda: check_same(Path("checkpoint-3"), STATE, changed), "checkpoint-3", "group_size=4", "has 8", "the same"
    )


def test_what_an_older_release_did_not_save_is_named():
    refused(
        lambda: check_same(Path("checkpoint-3"), STATE, {"hinted_updates": "on-policy"}),
        *("checkpoint-3", "hinted_updates", "the release that wrote"),
    )
