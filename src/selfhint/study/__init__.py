"""Methods × seeds × data sets: which runs a study has, how they are run side by side, and what they came to."""

from __future__ import annotations
