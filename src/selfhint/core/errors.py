"""The two kinds of failure a user meets, each with the exit code of the command."""

from __future__ import annotations


class SelfHintError(Exception):
    """Base of every error this package raises on purpose."""

    exit_code = 3


class InputError(SelfHintError):
    """The user's input cannot be used. The message names what, where and the mend, in one line."""

    exit_code = 2


class RunError(SelfHintError):
    """The run stopped although its input was good; `--resume` goes on from the last checkpoint."""

    exit_code = 3
