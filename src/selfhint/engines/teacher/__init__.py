"""A teacher model behind an OpenAI-compatible endpoint, and the engines that send it what is meant for it."""

from __future__ import annotations

from selfhint.engines.teacher.client import Teacher
from selfhint.engines.teacher.router import Answers, TeacherAsyncRouter, TeacherBatchRouter

__all__ = ["Answers", "Teacher", "TeacherAsyncRouter", "TeacherBatchRouter"]
