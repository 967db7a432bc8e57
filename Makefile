# The only commands a newcomer needs. They ask for a JDK 17 or newer, Python 3.10 or newer and make;
# everything else is fetched into .venv/ and tools/. `make` alone lists the targets. SPARK=4.2.0 runs
# a target on another Spark than the default; each has its venv, and its module in sbt's build.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.SUFFIXES:

SHELL := /bin/sh
.SHELLFLAGS := -eu -c

PYTHON ?= python3
JAVA := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/java,java)
SBT_OPTS ?= -Xmx2g -Xss8m

VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' python/wreath/version.py)
SBT_VERSION := $(shell sed -n 's/^sbt.version=//p' project/build.properties)

# The Spark lines are those of the build, the default first.
SPARKS := $(shell sed -n 's/.*spark = "\([0-9.]*\)".*/\1/p' project/Versions.scala)
DEFAULT_SPARK := $(firstword $(SPARKS))
OTHER_SPARKS := $(filter-out $(DEFAULT_SPARK),$(SPARKS))
SPARK := $(DEFAULT_SPARK)
ifeq ($(filter $(SPARK),$(SPARKS)),)
  $(error Spark $(SPARK) is not supported: choose SPARK= one of $(SPARKS))
endif

# spark and .venv for the default, spark42 and .venv-4.2 for Spark 4.2.0.
minor = $(basename $(1))
module = spark$(if $(filter $(OTHER_SPARKS),$(1)),$(subst .,,$(call minor,$(1))))
MODULE := $(call module,$(SPARK))
VENV := .venv$(if $(filter $(OTHER_SPARKS),$(SPARK)),-$(call minor,$(SPARK)))

VENV_READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
DOCS_READY := $(VENV)/.docs-ready
INSTALLED := $(VENV)/.wreath-installed
SBT_JAR := tools/sbt-launch-$(SBT_VERSION).jar
JARS := $(foreach s,$(SPARKS),target/wreath-spark-$(call minor,$(s))_2.13-$(VERSION).jar)
STAGED := $(JARS:target/%=python/wreath/jars/%)
WHEEL := dist/wreath-$(VERSION)-py3-none-any.whl

# Folders are listed too: their time changes when a file is removed.
JVM_SOURCES := build.sbt $(wildcard project/*.sbt project/*.scala project/*.properties) \
  $(shell find jvm -path '*/src/main*' 2>/dev/null) python/wreath/version.py
PY_SOURCES := python/pyproject.toml python/hatch_build.py python/README.md LICENSE \
  $(shell find python/wreath -name '*.py' -o -name py.typed)
PY_CHECKED := python tests/python tests/submit examples docs/site project/release.py \
  benchmarks/spark_smoke.py benchmarks/index_build.py \
  benchmarks/harness

# stdin is closed so that sbt stops at an error instead of asking what to do.
SBT := $(JAVA) $(SBT_OPTS) -Dsbt.color=false -Dsbt.supershell=false -jar $(SBT_JAR)
NO_QUESTIONS := </dev/null
SCALA_CHECKS := scalafmtCheckAll; scalafmtSbtCheck
PACKAGE_ALL := $(foreach s,$(SPARKS),$(call module,$(s))/package;)
PYTEST := $(VENV)/bin/python -m pytest -c python/pyproject.toml --rootdir=.

# What runs on each Spark beside the default, in a few minutes: every way in (SQL files, parser, streams,
# wheel, Connect), the plans, and of the answers those that use most of Spark. SPARK= runs all.
SMOKE_SUITES := *WreathExtensionsSuite *SqlFileSuite *GraphSqlParserSuite *PlanStabilitySuite -- -Dmatrix=first
SMOKE_STREAMS := *StreamingWcoJoinSuite -- -z restart -z aggregation -z state -z EXPLAIN -z deletes
SMOKE_ANSWERS := *WcoJoinAnswerSuite -- -z random -z cancelled -z LIMIT -z STRING -z share
SMOKE_JVM := $(foreach s,$(OTHER_SPARKS),$(foreach t,SUITES STREAMS ANSWERS,$(call module,$(s))/testOnly $(SMOKE_$(t));))
SMOKE_PYTHON := tests/python/test_wheel.py tests/python/test_graph.py tests/python/test_connect.py

say = @printf '==> %s\n'

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

.PHONY: demo
demo: $(INSTALLED) ## Build everything, then find triangles in a generated graph in three ways
	$(say) "Running the demo"
	@$(VENV)/bin/wreath demo

.PHONY: test
ifeq ($(SPARK),$(DEFAULT_SPARK))
test: lint-python test-jvm test-python smoke-python ## All tests on one Spark, a smoke test on the others (what CI runs)
else
test: lint-python test-jvm test-python
endif

.PHONY: test-kernel
test-kernel: $(SBT_JAR) ## The inner loop: tests of the Spark-free kernel
	$(say) "Testing the kernel (ScalaTest)"
	@$(SBT) kernel/test $(NO_QUESTIONS)

# One sbt process, for its start costs more than most of what it does here. Touching the jar tells
# make that it is as new as its sources, also where sbt found nothing to rewrite.
.PHONY: test-jvm
test-jvm: $(SBT_JAR) ## Check the formatting of the Scala code, test kernel and spark, build the jar
	$(say) "Checking, testing and packaging the Scala code (sbt; minutes the first time)"
	@$(SBT) "$(SCALA_CHECKS); kernel/test; $(MODULE)/test; $(if $(filter $(DEFAULT_SPARK),$(SPARK)),$(SMOKE_JVM)) $(PACKAGE_ALL)" $(NO_QUESTIONS)
	@touch $(JARS)

.PHONY: test-python
test-python: $(WHEEL) $(DOCS_READY) ## pytest, with the wheel and the spark-submit tests
	$(say) "Testing the Python package, the wheel and spark-submit (pytest)"
	@$(PYTEST) tests/python tests/submit

# A venv belongs to one Spark, so each of the others has a make of its own.
.PHONY: smoke-python
smoke-python: $(WHEEL)
	@for spark in $(OTHER_SPARKS); do $(MAKE) --no-print-directory smoke-one SPARK=$$spark; done

.PHONY: smoke-one
smoke-one: $(WHEEL)
	$(say) "Smoke test of the wheel on Spark $(SPARK) (pytest)"
	@$(PYTEST) $(SMOKE_PYTHON)

.PHONY: build
build: $(JARS) ## Build the jars into target/, one for each Spark line

.PHONY: wheel
wheel: $(WHEEL) ## Build the wheel, with the jars inside, into dist/
	@ls $(WHEEL)

.PHONY: release
release: $(WHEEL) $(JARS) ## The wheel, the jars as a Maven repository, changes and checksums, in dist/release
	$(say) "Laying out the release in dist/release"
	@$(VENV)/bin/python project/release.py dist/release

.PHONY: lint
lint: lint-python $(SBT_JAR) ## Check formatting, lint and types; change nothing
	$(say) "Checking the formatting of the Scala code"
	@$(SBT) "$(SCALA_CHECKS)" $(NO_QUESTIONS)

.PHONY: lint-python
lint-python: $(VENV_READY)
	$(say) "Checking the Python code (ruff, mypy)"
	@$(VENV)/bin/ruff check --config python/pyproject.toml $(PY_CHECKED)
	@$(VENV)/bin/ruff format --check --config python/pyproject.toml $(PY_CHECKED)
	@$(VENV)/bin/mypy --config-file python/pyproject.toml

.PHONY: fmt
fmt: $(VENV_READY) $(SBT_JAR) ## Format the Python and the Scala code in place
	$(say) "Formatting the Python code"
	@$(VENV)/bin/ruff check --fix --config python/pyproject.toml $(PY_CHECKED) || true
	@$(VENV)/bin/ruff format --config python/pyproject.toml $(PY_CHECKED)
	$(say) "Formatting the Scala code"
	@$(SBT) "scalafmtAll; scalafmtSbt" $(NO_QUESTIONS)

.PHONY: bench-smoke
bench-smoke: $(STAGED) $(VENV_READY) ## A short Spark benchmark: operator and count are checked before the clock starts
	$(say) "Running the short Spark benchmark"
	@PYTHONPATH=python $(VENV)/bin/python benchmarks/spark_smoke.py

# BENCH_ARGS narrows the run, e.g.
#   make bench BENCH_ARGS='--graphs wiki-vote --queries tri_o,clique4 --contenders wreath,cpp'
.PHONY: bench
bench: $(STAGED) $(BENCH_READY) ## Wreath, Spark's joins, DuckDB, Ladybug and C++ in turn (an hour or more; --skip-slow: half)
	$(say) "Running the benchmark (long; see benchmarks/README.md)"
	@PYTHONPATH=python $(VENV)/bin/python -m benchmarks.harness $(BENCH_ARGS)

# BENCH_ARGS as above, e.g. make bench-stream BENCH_ARGS='--sections kernel --graphs rmat14'
.PHONY: bench-stream
bench-stream: $(STAGED) $(BENCH_READY) $(SBT_JAR) ## Patterns over streams: the kernel, whole queries and the index, against C++, dogs3 and Spark
	$(say) "Running the benchmark of streams (see benchmarks/README.md)"
	@$(SBT) benchmarks/compile $(NO_QUESTIONS) >/dev/null
	@PYTHONPATH=python $(VENV)/bin/python -m benchmarks.harness.streaming $(BENCH_ARGS)

# The folder of a graph, runs, seconds that one may take, and what: make bench-counts BENCH_ARGS='…/rmat14 3 30 random'
.PHONY: bench-counts
bench-counts: $(SBT_JAR) ## Counts by elimination: named shapes, and random patterns against enumeration
	@$(SBT) "benchmarks/runMain io.wreath.bench.CountFigures $(BENCH_ARGS)" $(NO_QUESTIONS)

# JMH_ARGS narrows the run, e.g. make bench-jmh JMH_ARGS='-i 3 -wi 2 -f 1 Triangle'
.PHONY: bench-jmh
bench-jmh: $(SBT_JAR) ## The kernel alone, by JMH (long)
	$(say) "Running the kernel benchmarks (JMH; long)"
	@$(SBT) "benchmarks/Jmh/run $(JMH_ARGS)" $(NO_QUESTIONS)

# Suites that hold rows against those of Spark's joins.
CLUSTER_SUITES := *AnswerSuite *ElementJoinSuite *LsqbSuite *SqlFileSuite

.PHONY: soak
soak: $(SBT_JAR) $(WHEEL) ## The tests with many more iterations (WREATH_SOAK=1)
	$(say) "Soaking kernel and spark (ScalaTest, long)"
	@WREATH_SOAK=1 $(SBT) "kernel/test; $(MODULE)/test" $(NO_QUESTIONS)
	$(say) "Answers once more, on executors of their own (ScalaTest, long)"
	@WREATH_MASTER='local-cluster[2,1,1024]' SPARK_SCALA_VERSION=2.13 SPARK_HOME="$$($(VENV)/bin/python -c \
	  'import pyspark, pathlib; print(pathlib.Path(pyspark.__file__).parent)')" \
	  $(SBT) "$(MODULE)/testOnly $(CLUSTER_SUITES)" $(NO_QUESTIONS)
	$(say) "Soaking the Python package (pytest, long)"
	@WREATH_SOAK=1 $(PYTEST) tests/python tests/submit

.PHONY: docs
docs: $(DOCS_READY) ## Build the documentation site into target/site; broken links are errors
	$(say) "Building the documentation into target/site"
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --quiet --strict

.PHONY: docs-serve
docs-serve: $(DOCS_READY) ## Show the documentation on this machine, port 8000, as you write it
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs serve

.PHONY: docs-configuration
docs-configuration: $(SBT_JAR) ## Write docs/configuration.md from the settings
	$(say) "Writing docs/configuration.md"
	@WREATH_GENERATE_GOLDEN=1 $(SBT) "spark/testOnly *ConfigurationDocSuite" $(NO_QUESTIONS)

.PHONY: clean
clean: ## Remove what was built; keep .venv*/ and tools/
	$(say) "Removing what was built"
	@rm -rf target project/target project/project jvm/*/target benchmarks/*/target dist \
	  python/wreath/jars python/wreath/LICENSE spark-warehouse jvm/*/spark-warehouse .pytest_cache .mypy_cache .ruff_cache
	@rm -f .venv*/$(notdir $(INSTALLED))

# --- what the targets above stand on -------------------------------------------------------------

.PHONY: check-python
check-python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "Python was not found: install Python 3.10 or newer (Debian: apt install python3 python3-venv), or name it with PYTHON=/path/to/python3."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "$$("$(PYTHON)" --version 2>&1) is too old: install Python 3.10 or newer, or name it with PYTHON=/path/to/python3."; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing: install it (Debian: apt install python3-venv)."; exit 1; }

.PHONY: check-java
check-java:
	@command -v "$(JAVA)" >/dev/null || { \
	  if [ -n "$${JAVA_HOME:-}" ]; then \
	    echo "JAVA_HOME has no bin/java: point it at a JDK 17 or newer, or unset it."; \
	  else \
	    echo "Java was not found: install a JDK 17 or newer (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME."; \
	  fi; exit 1; }
	@"$(JAVA)" --list-modules >/dev/null 2>&1 && "$(JAVA)" --list-modules | \
	  awk -F'[@.-]' '/^java\.base@/ {new = ($$3 >= 17)} /^jdk\.compiler@/ {jdk = 1} END {exit !(new && jdk)}' || { \
	  echo "The Java found ($(JAVA)) is not a JDK 17 or newer: install one (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME."; exit 1; }

$(VENV_READY): python/requirements-dev.txt project/Versions.scala | check-python
	$(say) "Creating $(VENV) and installing PySpark $(SPARK) and the tools (about two minutes the first time)"
	@test -x $(VENV)/bin/python || "$(PYTHON)" -m venv $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r python/requirements-dev.txt pyspark==$(SPARK)
	@touch $@

$(DOCS_READY): docs/requirements.txt $(VENV_READY)
	$(say) "Installing what builds the documentation into $(VENV)"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(BENCH_READY): benchmarks/requirements.txt $(VENV_READY)
	$(say) "Installing the peers of the benchmark into $(VENV)"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Ivy comes with PySpark, so sbt needs no installation.
$(SBT_JAR): | check-java $(VENV_READY)
	$(say) "Fetching sbt's launcher $(SBT_VERSION)"
	@mkdir -p tools
	@ivy=$$($(VENV)/bin/python -c 'import glob, os, pyspark; print(glob.glob(os.path.join(os.path.dirname(pyspark.__file__), "jars", "ivy-*.jar"))[0])'); \
	"$(JAVA)" -cp "$$ivy" org.apache.ivy.Main -warn -dependency org.scala-sbt sbt-launch $(SBT_VERSION) \
	  -confs default -types jar -retrieve "tools/[artifact]-[revision].[ext]"
	@test -f $@ && touch $@

# A pattern with several targets is one rule that makes them all: one sbt process for all jars.
$(JARS:%-$(VERSION).jar=%-%.jar): $(JVM_SOURCES) | $(SBT_JAR)
	$(say) "Building the jars (sbt; the first time fetches Scala and Spark's jars, some minutes)"
	@$(SBT) "$(PACKAGE_ALL)" $(NO_QUESTIONS)
	@touch $(JARS)

# The package finds the jars where the wheel has them, so that tests can run from the checkout.
$(STAGED): python/wreath/jars/%: target/%
	@mkdir -p $(@D)
	@rm -f $(filter-out $(STAGED),$(wildcard $(@D)/*.jar))
	@cp $< $@

$(WHEEL): $(STAGED) $(PY_SOURCES) | $(VENV_READY)
	$(say) "Building the wheel"
	@cp LICENSE python/wreath/LICENSE
	@rm -rf dist
	@log=$$($(VENV)/bin/python -m build --wheel --no-isolation --outdir dist python 2>&1) || \
	  { printf '%s\n' "$$log"; exit 1; }
	@touch $@

$(INSTALLED): $(WHEEL)
	$(say) "Installing the wheel into $(VENV)"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall $(WHEEL)
	@touch $@
