"""Whether a completion is correct. Add a verifier: copy the shortest file here and add a line to `VERIFIERS`."""

from __future__ import annotations

from collections.abc import Callable

from selfhint.core.ports import Verifier
from selfhint.verify.exact import ExactVerifier
from selfhint.verify.math import MathVerifier

VERIFIERS: dict[str, Callable[..., Verifier]] = {
    "math": MathVerifier,
    "exact": ExactVerifier,
}
"""Recipe name → class; keyword arguments are the recipe's `verifier` group."""
