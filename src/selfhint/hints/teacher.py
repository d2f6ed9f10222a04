"""Another model, usually a stronger one, writes the hints."""

from __future__ import annotations

from selfhint.core.ports import Purpose
from selfhint.hints.asking import AskingHints


class TeacherHints(AskingHints):
    """Asks a teacher. `engines/teacher.py` answers its requests.

    Its requests keep to no budget of the trained model: what is too long for the teacher, the teacher refuses.
    """

    name = "teacher"
    purpose: Purpose = "teach"
    keeps_to_budget = False
