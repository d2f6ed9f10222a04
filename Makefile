# One door: `make demo` runs the main job from nothing, `make test` the tests, `make check` formatter, linter, types and
# import rules. Each makes its environment itself, in .venv.

PYTHON ?= python3
VENV := .venv
VERL_VENV := .venv-verl
RUN := $(VENV)/bin

.PHONY: demo test test-slow test-verl check format bench clean

demo: $(VENV)/installed
	$(RUN)/selfhint demo --out runs/demo

test: $(VENV)/installed-dev
	OMP_NUM_THREADS=1 $(RUN)/python -m pytest -n auto --dist loadfile -m "not slow"

test-slow: $(VENV)/installed-dev
	OMP_NUM_THREADS=1 $(RUN)/python -m pytest -n auto --dist loadfile -m slow

test-verl: $(VERL_VENV)/installed
	OMP_NUM_THREADS=1 $(VERL_VENV)/bin/python -m pytest tests/engines/verl tests/verl tests/verify/judges

check: $(VENV)/installed-dev
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

format: $(VENV)/installed-dev
	$(RUN)/ruff format .
	$(RUN)/ruff check --fix .

bench: $(VENV)/installed
	$(RUN)/selfhint study studies/lab-schedulers.yaml
	$(RUN)/python benchmarks/study_tables.py runs/lab-schedulers ladder

# The constraints pin what CI uses; torch comes as its CPU build where the index offers one.
$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

# verl's Hydra reads an older grammar than math-verify would take by itself, so its set is an environment of its own.
$(VERL_VENV)/installed: pyproject.toml constraints.txt constraints-verl.txt
	$(PYTHON) -m venv $(VERL_VENV)
	grep -vE '^(antlr4-python3-runtime|packaging)==' constraints.txt | cat - constraints-verl.txt > $(VERL_VENV)/constraints.txt
	$(VERL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(VERL_VENV)/constraints.txt --editable '.[dev,verl]'
	touch $@

clean:
	rm -rf $(VENV) $(VERL_VENV) runs/demo
