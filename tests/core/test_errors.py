"""A failure's kind decides the command's exit code."""

from __future__ import annotations

import pytest

from selfhint.core.errors import InputError, RunError, SelfHintError


@pytest.mark.parametrize(("kind", "exit_code"), [(InputError, 2), (RunError, 3), (SelfHintError, 3)])
def test_exit_codes(kind, exit_code):
    with pytest.raises(SelfHintError, match=r"^what went wrong$") as caught:
        raise kind("what went wrong")
    assert caught.value.exit_code == exit_code
