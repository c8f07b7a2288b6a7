# `make` lists the targets.
PYTHONS := 3.11 3.12 3.13
# Fails for an interpreter that is too old; a name on the PATH may also have none, as with pyenv.
IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
PYTHON ?= $(shell for each in $(PYTHONS:%=python%) python3; do $$each $(IS_NEW_ENOUGH) && { echo $$each; break; }; done)
NEEDS_PYTHON = $(or $(PYTHON),false) $(IS_NEW_ENOUGH) || { echo "Python 3.11 or later is needed: https://www.python.org/downloads/" >&2; exit 2; }
VENV := .venv
BIN := $(VENV)/bin
FAKESNOW := .venv-fakesnow
BQEMULATOR := .venv-bqemulator
SPARK := .venv-spark
DATABRICKS := .venv-databricks
TORCH := .venv-sentence-transformers
DBT_VERSIONS := 1.10 1.11 1.12
LOWEST := .venv-lowest
AIRFLOW := .venv-airflow
DAGSTER := .venv-dagster
# Python caches compiled modules, whatever the environment says: dbt alone has 1,500 modules, and the tests start hundreds
# of processes. Compiling everything installed would take longer than installing it.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := pip install -qq --disable-pip-version-check --no-compile
# $(call install,ENVIRONMENT,REQUIREMENTS): by uv, ten times as fast as pip, or by pip if uv fails, since uv ignores pip's
# settings except the index passed here.
INDEX = $${PIP_INDEX_URL:-$$($(BIN)/pip config get global.index-url 2>/dev/null || echo https://pypi.org/simple)}
install = { UV_SYSTEM_CERTS=1 UV_DEFAULT_INDEX="$(INDEX)" $(BIN)/uv pip install --quiet --python $(1)/bin/python $(2) 2>/dev/null || \
  $(1)/bin/$(INSTALL) $(2); }
PIP_TORCH := $(TORCH)/bin/$(INSTALL) --constraint constraints.txt
TORCH_CPU := https://download.pytorch.org/whl/cpu

.DEFAULT_GOAL := help
.PHONY: help demo cassette test test-tools test-integration test-warehouses test-slow test-random test-nightly test-kills test-readers test-losses test-crashes test-leaks test-drift test-snowflake test-bigquery test-spark test-databricks test-pythons test-dbt-versions test-schedulers scheduler-tools browser pictures test-wheel test-sentence-transformers lint check format golden docs bench-profile bench-spark bench-index bench-bombs bench-refresh bench-cold bench-ask bench-large bench-serve bench-ranking bench-out-of-scope bench-learn bench-prompts bench-strategies bench-encode bench-guard bench-inputs bench-install eval constraints locked audit owner release test-lowest clean

help: ## Print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-26s %s\n", $$1, $$2}'

demo: $(VENV)/.installed ## From nothing to three linked schemas: install, demo warehouse, dbt, index, ask
	@$(BIN)/linker demo

# A hanging test fails instead of blocking the rest; the thread ends tests that no signal can.
SIDE_BY_SIDE := --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder --timeout 600 --timeout-method thread --durations 25 --durations-min 8
EMULATORS := $(FAKESNOW)/.installed $(BQEMULATOR)/.installed
TESTED_WITH := $(VENV)/.dev $(EMULATORS) .venv-dbt-1.12/.installed browser

test: $(VENV)/.dev ## Run the tests (six minutes)
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not integration and not slow"

# CI installs these while `make test` runs.
test-tools: $(TESTED_WITH)

test-integration: test-tools ## Run what `make test` leaves out and CI runs: dbt or a command for nearly each test, servers, the browser (minutes)
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "integration and not slow"

test-slow: $(TESTED_WITH) ## Run the tests that CI leaves out: other versions of dbt, killed runs, dbt in emulators, limits of time (minutes)
	$(BIN)/pytest $(SIDE_BY_SIDE) -m slow

test-warehouses: $(TESTED_WITH) ## Run the slow tests of warehouses: dbt in emulators, another version of dbt (minutes)
	$(BIN)/pytest $(SIDE_BY_SIDE) -m slow tests/warehouse

test-random: $(VENV)/.dev ## Try other examples in the tests of properties than those of each run (minutes)
	HYPOTHESIS_PROFILE=random $(BIN)/pytest $(SIDE_BY_SIDE) -m hypothesis

test-nightly: test-slow test-random test-wheel test-schedulers test-sentence-transformers ## All that CI leaves out, and what has environments of its own (half an hour)
	$(BIN)/pytest tests/endurance

test-wheel: $(VENV)/.dev ## Build the wheel from a clean clone and try it in an empty environment (minutes)
	$(BIN)/pytest tests/wheel

test-pythons: ## Run the tests of unit, golden files, guard and linking on each Python from 3.11 to 3.13 that is at hand, with the compiled parser of SQL (minutes)
	@for version in $(PYTHONS); do \
	  python$$version $(IS_NEW_ENOUGH) || { echo "python$$version is not at hand, and is left out" >&2; continue; }; \
	  $(MAKE) --no-print-directory .venv-$$version/.dev || exit 1; \
	  .venv-$$version/bin/pytest --quiet $(SIDE_BY_SIDE) tests/unit tests/golden tests/guard tests/linking || exit 1; \
	done

test-lowest: $(LOWEST)/.installed ## Run tests with the oldest releases that setup.cfg allows, of what it names (minutes)
	$(LOWEST)/bin/pytest --quiet $(SIDE_BY_SIDE) -m "not slow" tests/unit tests/contract tests/guard tests/sql tests/e2e/test_demo.py tests/e2e/test_without_dbt.py

test-dbt-versions: $(VENV)/.dev $(DBT_VERSIONS:%=.venv-dbt-%/.installed) ## Run the package, and linker, with the `dbt` of each version that is supported (minutes)
	DBT_VERSIONS="$(DBT_VERSIONS)" $(BIN)/pytest -v tests/warehouse/test_dbt_versions.py

test-drift: $(VENV)/.installed ## Let copies of the demo drift, and see whether `linker diff` tells what was changed (minutes)
	$(BIN)/python -m benchmarks.find_drift

test-snowflake: $(VENV)/.dev ## Run the tests of warehouses in your account of Snowflake, where its variables are set (docs/warehouses.md)
	@$(BIN)/python -m tests.warehouse.in_account snowflake

test-bigquery: $(VENV)/.dev ## Run the tests of warehouses in your project of BigQuery, where its variables are set (docs/warehouses.md)
	@$(BIN)/python -m tests.warehouse.in_account bigquery

test-spark: $(SPARK)/.installed ## Run the tests of sessions, plans and whole profiles in a Spark of this machine, which needs Java 17 (minutes)
	TESTED_SPARK=1 $(SPARK)/bin/pytest -k spark --timeout 3600 --durations 10 tests/contract/test_warehouse.py tests/unit/test_spark.py tests/spark

# Ignores deprecations of adapters.
test-databricks: $(DATABRICKS)/.installed ## Render SQL by the adapter of Databricks, without an account; --rewrite-golden in ARGS writes its golden files anew (minutes)
	$(DATABRICKS)/bin/pytest -W ignore::DeprecationWarning $(ARGS) tests/databricks

test-schedulers: $(VENV)/.dev $(AIRFLOW)/.installed $(DAGSTER)/.installed ## Run the examples for Airflow and Dagster in environments of their own (minutes)
	$(BIN)/pytest tests/schedulers

test-sentence-transformers: $(TORCH)/.installed ## Compare the offline encoder with sentence-transformers, and test that extra (minutes)
	$(TORCH)/bin/pytest tests/sentence_transformers

bench-encode: $(TORCH)/.installed ## Measure the offline encoder against sentence-transformers
	$(TORCH)/bin/python -m benchmarks.encode_documents

lint: $(VENV)/.dev ## Format, lint, types, generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m docs.generate --check

check: lint ## Before each commit: lint, and the tests of shape, unit, contract and golden files
	$(BIN)/pytest --quiet tests/test_shape.py tests/unit tests/contract tests/golden tests/benchmarks/test_prompts.py tests/benchmarks/test_figures.py

format: $(VENV)/.dev ## Format, and mend what lint can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/.dev ## Write the golden files anew; read the diff
	$(BIN)/pytest --quiet tests/golden tests/benchmarks/test_prompts.py tests/benchmarks/test_figures.py --rewrite-golden
	git diff --stat -- tests/golden tests/benchmarks

pictures: $(VENV)/.dev browser ## Make the pictures of docs/ anew, in the browser of the tests
	$(BIN)/pytest --quiet tests/e2e/test_explorer.py -k pictures --rewrite-pictures

docs: $(VENV)/.dev ## Write the generated pages of docs/ anew
	$(BIN)/python -m docs.generate

bench-profile: $(VENV)/.dev ## Measure the scans against other ways to profile, on generated tables (an hour)
	$(BIN)/python -m benchmarks.profile_tables

bench-spark: $(SPARK)/.installed ## Measure a profile in a local Spark beside summary() and one select per column, over 10 million rows or ROWS=N (half an hour)
	$(SPARK)/bin/python -m benchmarks.profile_spark --rows $(or $(ROWS),10000000)

bench-guard: $(VENV)/.dev ## Judge legitimate, hostile and generated statements, and run them in two worlds; writes benchmarks/safety/guard.json (minutes)
	$(BIN)/python -m benchmarks.guard_worlds

eval: $(VENV)/.dev ## Evaluate every strategy that needs no model on the suites under ROOT, and write benchmarks/linking.md
	@test -n "$(ROOT)" || { echo "say where the suites lie: make eval ROOT=PATH" >&2; exit 2; }
	$(BIN)/python -m benchmarks.linking --root "$(ROOT)"

bench-index: $(VENV)/.dev ## Measure the index: build, search, recall, disk, for 1,000 to 100,000 columns (an hour)
	$(BIN)/python -m benchmarks.index_columns

SEED ?= $(shell date +%s)
test-kills: $(VENV)/.dev ## Kill a hundred refreshes at random moments (an hour), or a part of them with PIECE=1/5; SEED=N tries the same again
	KEEP_FIGURES=1 KILLS=100 SEED=$(SEED) PIECE=$(or $(PIECE),1/1) $(BIN)/pytest -rP tests/refresh/test_killed.py

test-readers: $(VENV)/.dev ## Let ten readers ask while one refresh follows another, for ten minutes or MINUTES=N
	KEEP_FIGURES=1 MINUTES=$(or $(MINUTES),10) $(BIN)/pytest tests/endurance/test_readers.py

test-crashes: $(VENV)/.dev ## Kill the server of the store in refreshes and answers, and fill disks, which takes root (minutes)
	KEEP_FIGURES=1 CRASHES=$(or $(CRASHES),10) SEED=$(SEED) $(BIN)/pytest tests/endurance/test_crashes.py tests/endurance/test_full_disks.py

test-leaks: $(VENV)/.dev ## Plant hidden values in a DuckDB, go through the whole flow, and search for them (minutes)
	$(BIN)/pytest tests/endurance/test_leaks.py

test-losses: $(VENV)/.dev $(FAKESNOW)/.installed $(BQEMULATOR)/.installed ## Let warehouses, or parts of them, be away when a refresh begins (minutes)
	KEEP_FIGURES=1 $(BIN)/pytest tests/refresh/test_drop_protection.py tests/contract/test_drop_protection.py

bench-leaks: $(VENV)/.dev ## Plant hidden values in a DuckDB and a Postgres, do everything, and search all that is left for them (minutes)
	$(BIN)/python -m benchmarks.leaks

bench-refresh: $(VENV)/.dev ## Measure a refresh after few changes and after none, beside a full one, on the demo and on 2,000 tables (minutes)
	$(BIN)/python -m benchmarks.refresh_tables

bench-bombs: $(VENV)/.dev ## Run statements that would never end, or take all memory, and write benchmarks/safety/bombs.json (minutes)
	$(BIN)/python -m benchmarks.bombs

bench-inputs: $(VENV)/.dev ## Give every command bad inputs, and count refusals, tracebacks and secrets shown (half an hour)
	$(BIN)/python -m benchmarks.bad_inputs --every $(or $(EVERY),1)

bench-cold: $(VENV)/.dev ## Measure what one question costs from a cold start, beside bare imports; needs `make demo` before
	$(BIN)/python -m benchmarks.cold_start

bench-install: $(VENV)/.dev ## Measure what a plain installation and each extra weigh, by package; what is not committed is left out (minutes)
	$(BIN)/python -m benchmarks.install_sizes

bench-ask: $(VENV)/.dev ## Measure the seconds of each step of `linker ask`, without a language model; needs `make demo` before
	$(BIN)/python -m benchmarks.ask_steps

bench-large: $(VENV)/.dev ## Measure questions to 1,000 to 100,000 columns without a language model, and 16 askers at once (minutes)
	$(BIN)/python -m benchmarks.large_catalogue --askers $(or $(ASKERS),16)

bench-prompts: $(VENV)/.dev ## Measure the tokens of linking with a language model, on Spider 2.0-Lite under ROOT and by size
	@test -n "$(ROOT)" || { echo "say where the suites lie: make bench-prompts ROOT=PATH" >&2; exit 2; }
	$(BIN)/python -m benchmarks.prompt_sizes --root "$(ROOT)"

bench-strategies: $(VENV)/.dev ## Measure what every strategy and baseline costs, answered by a rule: on the demo, and on the suites under ROOT where it is given; needs `make demo` before
	$(BIN)/python -m benchmarks.strategies $(if $(ROOT),--root "$(ROOT)") --questions $(or $(QUESTIONS),40)

cassette: $(VENV)/.dev ## Replay the recorded replies to questions about the demo, and ask LINKER_MODEL where a prompt changed; writes benchmarks/recorded_replies/demo.jsonl and demo.json (minutes)
	$(BIN)/python -m benchmarks.recorded_replies.demo

bench-serve: $(VENV)/.dev ## Measure what a warm `linker serve` takes to answer on the demo; needs `make demo` before
	$(BIN)/python -m benchmarks.serve_answers

bench-ranking: $(VENV)/.dev ## Measure the model-free ranking on databases that it has not seen, on the suites under ROOT and the demo; needs `make demo` before (minutes)
	@test -n "$(ROOT)" || { echo "say where the suites lie: make bench-ranking ROOT=PATH" >&2; exit 2; }
	$(BIN)/python -m benchmarks.rank_columns --root "$(ROOT)"

bench-out-of-scope: $(VENV)/.dev ## Measure detection of out-of-scope questions on the suites under ROOT and the demo
	@test -n "$(ROOT)" || { echo "say where the suites lie: make bench-out-of-scope ROOT=PATH" >&2; exit 2; }
	$(BIN)/python -m benchmarks.out_of_scope --root "$(ROOT)"

bench-learn: $(VENV)/.dev ## Measure what learning from queries brings, on the demo and on BEAVER and BIRD under ROOT; needs `make demo` before
	@test -n "$(ROOT)" || { echo "say where the suites lie: make bench-learn ROOT=PATH" >&2; exit 2; }
	$(BIN)/python -m benchmarks.learn_from_queries --root "$(ROOT)"

# On Python 3.13 this google-cloud-aiplatform requires a storage client that dbt-bigquery excludes, and older ones an older
# google-genai, which requires older websockets; there pip resolves versions.
constraints: ## Resolve all extras anew and write constraints.txt
	rm -rf $(VENV)-all && $(PYTHON) -m venv $(VENV)-all
	$(VENV)-all/bin/pip install --quiet torch==2.13.0
	$(VENV)-all/bin/pip install --quiet -e '.[snowflake,bigquery,postgres,llm,sentence-transformers,mcp,serve,dev]'
	head -2 constraints.txt > constraints.new
	$(VENV)-all/bin/pip freeze --exclude-editable --all --exclude pip | sed -E \
	  -e 's/^(google-cloud-aiplatform|google-genai|websockets)==.*/& ; python_version < "3.13"/' \
  -e 's/^torch==([^+]*).*/torch==\1+cpu ; sys_platform == "linux"\ntorch==\1 ; sys_platform != "linux"/' >> constraints.new
	mv constraints.new constraints.txt && rm -rf $(VENV)-all

# All dependencies for answering questions, with any model; platform-specific ones have markers. The index provides hashes.
LOCKED := --extra mcp --extra serve --extra openai --extra anthropic --extra postgres
locked: $(BIN)/uv ## Write requirements.txt anew: the versions of constraints.txt with their hashes, for `pip install --require-hashes`
	grep -v ^torch== constraints.txt > $(VENV)/constraints.txt
	UV_SYSTEM_CERTS=1 UV_DEFAULT_INDEX="$(INDEX)" $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --constraint $(VENV)/constraints.txt $(LOCKED) setup.cfg --output-file $(VENV)/requirements.txt
	head -4 requirements.txt > requirements.new && cat $(VENV)/requirements.txt >> requirements.new && mv requirements.new requirements.txt

audit: $(VENV)/.dev ## List the licences of what is installed, refuse the GPL and AGPL, and ask for known advisories; the error number says which failed
	@UV_DEFAULT_INDEX="$(INDEX)" $(BIN)/python -m benchmarks.audit

ADDRESSES := git grep -lz "OWNER/dbt-linker" -- . ':!Makefile' ':!.ci' ':!tests'
owner: ## Put the owner of the repository into every address of it: make owner OWNER=name
	@echo "$$OWNER" | grep -qxE '[A-Za-z0-9]+(-[A-Za-z0-9]+)*' || { echo "name an owner as GitHub does, of letters, digits and single hyphens: make owner OWNER=name" >&2; exit 2; }
	@$(ADDRESSES) > /dev/null || { echo "the owner is already set: $$(grep -o 'io.github[^"]*' server.json)" >&2; exit 2; }
	@$(ADDRESSES) | tr '\0' '\n'
	@$(ADDRESSES) | xargs -0 sed -i "s#OWNER/dbt-linker#$$OWNER/dbt-linker#g"

release: $(VENV)/.dev ## Build what a release holds into dist/, from a clean clone, and check it; uploads nothing (minutes)
	PYTHON=$(BIN)/python .ci/release

# Chromium for tests of the catalog UI. One apt-get at a time, because of its lock.
browser: scheduler-tools
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
	  echo "installing Chromium, in which the explorer is tested …" >&2; \
	  apt-get update -qq && apt-get install -qq --no-install-recommends chromium >/dev/null || \
	  { echo "install the package chromium first, which needs root" >&2; exit 1; }; }

# cron and systemd check their examples, on Linux only.
scheduler-tools:
	@test "$$(uname)" != Linux || { command -v systemd-analyze && command -v crontab; } >/dev/null || { \
	  echo "installing systemd-analyze and crontab, which check the examples …" >&2; \
	  apt-get update -qq && apt-get install -qq --no-install-recommends systemd cron >/dev/null || \
	  { echo "install the packages systemd and cron first, which needs root" >&2; exit 1; }; }

clean: ## Remove the environment, the state folder and what tools left
	rm -rf $(VENV) $(PYTHONS:%=.venv-%) $(DBT_VERSIONS:%=.venv-dbt-%) $(FAKESNOW) $(BQEMULATOR) $(SPARK) $(DATABRICKS) $(TORCH) $(LOWEST) $(AIRFLOW) $(DAGSTER) .linker build dist *.egg-info benchmarks/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(NEEDS_PYTHON)
	@echo "making $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV)

$(BIN)/uv: $(VENV)/bin/python constraints.txt
	@$(BIN)/$(INSTALL) --constraint constraints.txt uv
	@touch $@

$(VENV)/.installed: $(BIN)/uv setup.cfg constraints.txt
	@echo "installing linker and what it needs …" >&2
	@$(call install,$(VENV),--constraint constraints.txt --editable .)
	@touch $@

$(VENV)/.dev: $(BIN)/uv setup.cfg constraints.txt benchmarks/pyproject.toml
	@echo "installing linker, what it needs and what its tests need …" >&2
	@$(call install,$(VENV),--constraint constraints.txt --editable '.[dev]')
	@$(call install,$(VENV),--no-deps --no-build-isolation --editable benchmarks)
	@touch $@ $(VENV)/.installed

$(PYTHONS:%=.venv-%/.dev): .venv-%/.dev: $(BIN)/uv setup.cfg constraints.txt
	@echo "making .venv-$*, where the tests run on Python $* (some minutes the first time) …" >&2
	@rm -rf .venv-$* && python$* -m venv .venv-$*
	@$(call install,.venv-$*,--constraint constraints.txt --editable '.[dev]' 'sqlglot[c]')
	@$(call install,.venv-$*,--no-deps --no-build-isolation --editable benchmarks)
	@touch $@

# Newest test tools, oldest versions that setup.cfg allows.
OF_TESTS := pytest pytest-timeout pytest-xdist hypothesis jsonschema openapi-spec-validator check-jsonschema pandas polars tokenizers httpx uv setuptools
$(LOWEST)/.installed: $(BIN)/uv setup.cfg
	@$(NEEDS_PYTHON)
	@echo "making $(LOWEST), with the oldest releases that are allowed …" >&2
	@rm -rf $(LOWEST) && $(PYTHON) -m venv $(LOWEST)
	@UV_SYSTEM_CERTS=1 UV_DEFAULT_INDEX="$(INDEX)" $(BIN)/uv pip compile --quiet --resolution lowest-direct --python $(LOWEST)/bin/python \
	  --extra llm --extra mcp --extra serve --extra postgres --extra snowflake --extra bigquery setup.cfg --output-file $(LOWEST)/lowest.txt
	@$(call install,$(LOWEST),--requirement $(LOWEST)/lowest.txt $(OF_TESTS))
	@$(call install,$(LOWEST),--no-deps --editable .)
	@$(call install,$(LOWEST),--no-deps --no-build-isolation --editable benchmarks)
	@touch $@

# torch first: the constraint selects its CPU build, which only PyTorch's index has.
$(TORCH)/.installed: setup.cfg constraints.txt tests/sentence_transformers/references.txt
	@$(NEEDS_PYTHON)
	@echo "making $(TORCH), where the extra sentence-transformers is tested (some minutes the first time) …" >&2
	@rm -rf $(TORCH) && $(PYTHON) -m venv $(TORCH)
	@$(PIP_TORCH) --no-deps torch 2>/dev/null || $(PIP_TORCH) --no-deps --index-url $(TORCH_CPU) torch
	@$(PIP_TORCH) --editable '.[sentence-transformers]' pytest hypothesis --requirement tests/sentence_transformers/references.txt
	@touch $@

# dbt alone, as a user has it. A dependency of 1.12 is a source that downloads while it is built; offline, dbt runs without
# it, with the dependencies of 1.11.
$(DBT_VERSIONS:%=.venv-dbt-%/.installed): .venv-dbt-%/.installed: tests/warehouse/dbt/%.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@echo "making .venv-dbt-$*, where the package runs on dbt $* …" >&2
	@rm -rf .venv-dbt-$* && $(PYTHON) -m venv .venv-dbt-$*
	@$(call install,.venv-dbt-$*,--requirement $<)
	@test ! -f tests/warehouse/dbt/$*-alone.txt || { $(call install,.venv-dbt-$*,--no-deps --requirement tests/warehouse/dbt/$*-alone.txt) }
	@touch $@

# The Snowflake emulator, which needs other versions than linker.
$(FAKESNOW)/.installed: tests/warehouse/servers/fakesnow.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@echo "making $(FAKESNOW), the Snowflake of the tests …" >&2
	@rm -rf $(FAKESNOW) && $(PYTHON) -m venv $(FAKESNOW)
	@$(call install,$(FAKESNOW),--requirement $<)
	@touch $@

# dbt-spark and Spark, with the test dependencies; Java must be installed.
$(SPARK)/.installed: setup.cfg constraints.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@java -version 2>/dev/null || command -v java >/dev/null || { \
	  echo "installing Java, in which Spark runs …" >&2; \
	  apt-get update -qq && apt-get install -qq --no-install-recommends openjdk-17-jre-headless >/dev/null || \
	  { echo "install a Java 17 or later first, which needs root" >&2; exit 1; }; }
	@echo "making $(SPARK), where Spark runs (some minutes the first time) …" >&2
	@rm -rf $(SPARK) && $(PYTHON) -m venv $(SPARK)
	@$(call install,$(SPARK),--constraint constraints.txt --editable '.[spark]' $(OF_TESTS) psutil)
	@touch $@

# dbt-databricks needs other package versions.
$(DATABRICKS)/.installed: setup.cfg tests/databricks/constraints.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@echo "making $(DATABRICKS), where SQL is rendered for Databricks …" >&2
	@rm -rf $(DATABRICKS) && $(PYTHON) -m venv $(DATABRICKS)
	@$(call install,$(DATABRICKS),--constraint tests/databricks/constraints.txt --editable '.[databricks]' pytest pytest-timeout pytest-xdist hypothesis setuptools)
	@touch $@

# The BigQuery emulator, with a separate home folder for a DuckDB extension.
$(BQEMULATOR)/.installed: tests/warehouse/servers/bqemulator.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@echo "making $(BQEMULATOR), the BigQuery of the tests …" >&2
	@rm -rf $(BQEMULATOR) && $(PYTHON) -m venv $(BQEMULATOR) && mkdir $(BQEMULATOR)/home
	@$(call install,$(BQEMULATOR),--requirement $<)
	@HOME=$(CURDIR)/$(BQEMULATOR)/home $(BQEMULATOR)/bin/python -c "import duckdb, glob, duckdb_extension_spatial as spatial; \
	  [file] = glob.glob(spatial.__path__[0] + '/**/*.duckdb_extension', recursive=True); duckdb.install_extension(file)"
	@touch $@

# Schedulers and dbt need incompatible versions: each has an environment, and starts linker in another.
$(AIRFLOW)/.installed $(DAGSTER)/.installed: .venv-%/.installed: tests/schedulers/%.txt | $(BIN)/uv
	@$(NEEDS_PYTHON)
	@echo "making .venv-$*, where the examples for it are tested (some minutes the first time) …" >&2
	@rm -rf .venv-$* && $(PYTHON) -m venv .venv-$*
	@$(call install,.venv-$*,--requirement $<)
	@touch $@
