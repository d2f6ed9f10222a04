"""What every refusal has in common."""

from __future__ import annotations

import pytest

from selfhint.core.errors import InputError


def refused(make, *fragments):
    """`make` raises an InputError of one line with all fragments in it."""
    with pytest.raises(InputError) as error:
        make()
    assert "\n" not in str(error.value)
    for fragment in fragments:
        assert fragment in str(error.value)
