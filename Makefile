# SPDX-License-Identifier: Apache-2.0
# Short names for the usual commands; CMakeLists.txt does the work.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test bench sanitize format format-check tidy clean

JOBS ?= $(shell nproc)
WERROR ?= OFF  # ON: warnings are errors, for checks before a merge; another compiler may see more of them than g++ 12

# configure <preset> <options>: its progress goes to a file, warnings and errors to the screen
define configure
@mkdir -p build
@cmake --preset $(1) $(2) > build/configure-$(1).log || { cat build/configure-$(1).log; exit 1; }
endef

# compile <preset> <options>: one line per file only where it can be overwritten (a terminal)
compile = @cmake --build --preset $(1) -j $(JOBS) $(2) $(if $(MAKE_TERMOUT),,-- --quiet)

help:
	@echo "make build      install missing packages, then build the program build/bricard"
	@echo "make demo       build, run models/double_four_bar.yaml and make its page"
	@echo "make test       build everything and run all tests"
	@echo "make bench      build and run the benchmarks"
	@echo "make sanitize   unit, tangent and end-to-end tests under the address and undefined-behaviour sanitizers"
	@echo "make format     format the C++ sources; make format-check only tells where they differ"
	@echo "make tidy       look for mistakes with clang-tidy, in all sources or in FILES=\"a.cpp b.cpp\""
	@echo "make clean      delete build/"
	@echo "make setup      only install missing packages"

setup:
	@scripts/install-packages.sh

build: setup
	$(call configure,release)
	$(call compile,release,--target bricard_cli)
	@echo "built: build/bricard"

demo: build
	@mkdir -p build/demo
	build/bricard run models/double_four_bar.yaml -o build/demo/run.h5
	build/bricard view build/demo/run.h5 -o build/demo/double_four_bar.html
	@echo "open in a browser: $(CURDIR)/build/demo/double_four_bar.html"

test:
	@scripts/install-packages.sh test
	$(call configure,release,-DBRICARD_TESTS=ON -DBRICARD_WERROR=$(strip $(WERROR)))
	$(call compile,release)
	@ctest --test-dir build --output-on-failure -j2

bench:
	@scripts/install-packages.sh bench
	$(call configure,release,-DBRICARD_BENCH=ON)
	$(call compile,release,--target bricard_bench)
	@for program in $$(find build/bench -maxdepth 1 -type f -executable | sort); do \
	  echo "== $$program"; $$program || exit 1; done

sanitize:
	@scripts/install-packages.sh test
	$(call configure,sanitize,-DBRICARD_TESTS=ON -DBRICARD_TEST_FILES="/(unit|tangent|end_to_end)/")
	$(call compile,sanitize)
	@ctest --test-dir build/sanitize --output-on-failure -j2

cxx_files = $(shell find src tests papers bench python/src -name '*.h' -o -name '*.cpp')

format:
	@scripts/install-packages.sh format
	@clang-format -i $(cxx_files)

format-check:
	@scripts/install-packages.sh format
	@clang-format --dry-run --Werror $(cxx_files)

# Without a precompiled header, which is g++'s. Many sources at once are a third of the time.
tidy:
	@scripts/install-packages.sh tidy
	$(call configure,tidy,-DBRICARD_BATCHES=$(if $(FILES),OFF,ALL))
	@sed -i 's/-fno-tree-loop-distribute-patterns//' build/tidy/compile_commands.json  # a word of g++ only
	@printf '%s\n' $(or $(FILES),$$(sed -n 's/^ *"file": "\(.*\(src\/\|papers\/\|Unity\/\).*\)".*/\1/p' build/tidy/compile_commands.json)) | \
	  xargs -P $(JOBS) -n 1 clang-tidy --quiet -p build/tidy

clean:
	rm -rf build
