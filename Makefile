# One door: `make demo` runs the main job from nothing, `make test` the tests, `make check` formatter, linter, types and
# import rules. Each makes its environment itself, in .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin

.PHONY: demo test test-slow check format bench clean

demo: $(VENV)/installed
	$(RUN)/selfhint demo --out runs/demo

test: $(VENV)/installed-dev
	OMP_NUM_THREADS=1 $(RUN)/python -m pytest -n auto --dist loadfile -m "not slow"

test-slow: $(VENV)/installed-dev
	OMP_NUM_THREADS=1 $(RUN)/python -m pytest -n auto --dist loadfile -m slow

check: $(VENV)/installed-dev
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

format: $(VENV)/installed-dev
	$(RUN)/ruff format .
	$(RUN)/ruff check --fix .

bench: $(VENV)/installed
	OMP_NUM_THREADS=1 $(RUN)/python benchmarks/lab_seeds.py

# The constraints pin what CI uses; torch comes as its CPU build where the index offers one.
$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) runs/demo
