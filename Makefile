# The commands for building, testing and publishing the explorer. Each installs the tools it lacks (tools/setup).

.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/.tools/node_modules/.bin:$(PATH)
export TRUNK_SKIP_VERSION_CHECK := true
# Trunk accepts only `true` and `false` here, and fails on the usual value, `1`.
unexport NO_COLOR

TARGET := $(or $(CARGO_TARGET_DIR),target)
# The profile that the command is compiled with, if not that of the release, and then the tests too: they share what they
# have in common. The app and the reader are always those of the release. .ci/run sets PROFILE=ci.
PROFILE ?=
COMMAND_PROFILE := $(or $(PROFILE),release)
TEST_PROFILE := $(if $(PROFILE),--profile $(PROFILE))
# Then `make compile-tests` has linted all native code (tools/clippy-and-rustc).
LINTED := $(if $(PROFILE),LINT_ONLY=nothing)
PORT ?= 8080
# The site as Trunk made it, before it is sealed: what the command has inside.
SITE := $(abspath $(TARGET))/site
PYTHON := .tools/python/bin
# A browser is opened only if there is a desktop to open it on.
OPEN := $(if $(or $(DISPLAY),$(WAYLAND_DISPLAY),$(filter Darwin,$(shell uname))),--open true)

# The tests of properties generate the same cases each time, so that a landing fails only on what it changes. Other cases:
# make test PROPTEST_RNG_SEED=$RANDOM, or more of them: PROPTEST_CASES=10000 cargo test.
export PROPTEST_RNG_SEED ?= 1

.PHONY: help serve first-tools first-app demo tour site test compile-tests test-engines test-all dist wheel pack-wheel source screenshots audit bench weigh fuzz lint check clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: ## build the explorer and serve it at http://127.0.0.1:8080/ (PORT=…), rebuilding as files change
	@tools/setup rust
	@[ -d "$(TARGET)/serve" ] || $(MAKE) --no-print-directory --jobs=2 first-tools first-app
	@tools/setup site
	@echo "The explorer will be at http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@trunk serve --locked --port $(PORT) --dist "$(TARGET)/serve" $(OPEN)

# For the first time: compiling Trunk leaves a third of two cores idle, so the app is compiled beside it, as Trunk then
# compiles it. Each by itself, because features are united within one call.
first-tools:
	@tools/setup site

first-app:
	@echo "Compiling the app for the first time takes a few minutes; later changes take seconds"
	@cargo build --quiet --locked --target wasm32-unknown-unknown --package cache-explorer-pages --bin cache-explorer-site
	@cargo build --quiet --locked --target wasm32-unknown-unknown --manifest-path crates/reader/Cargo.toml --bin reader

demo: dist ## make the release, and serve a made-up cache with it that is as large as Spack's own: 145,000 builds
	"$(TARGET)/release/cache-explorer" generate --builds 145000 --looks-real -o "$(TARGET)/demo.json"
	"$(TARGET)/release/cache-explorer" serve "$(TARGET)/demo.json" --title "Made-up builds" $(if $(OPEN),,--no-browser)

tour: dist ## make the animated picture of README, docs/tour.gif, in Chromium
	@tools/setup browser python
	$(PYTHON)/pip install --quiet --disable-pip-version-check pillow==13.0.0
	"$(TARGET)/release/cache-explorer" generate --builds 145000 --looks-real -o "$(TARGET)/demo.json"
	"$(TARGET)/release/cache-explorer" open "$(TARGET)/demo.json" --title "A build cache" --no-browser -o "$(TARGET)/demo.html"
	$(PYTHON)/python tools/tour.py "file://$(abspath $(TARGET))/demo.html" docs/tour.gif

# Panics name source files; what is published must not name the builder's home. (The variable separates flags by spaces.)
CARGO_HOME ?= $(HOME)/.cargo
ANYWHERE := $(if $(word 2,$(CARGO_HOME)),,--remap-path-prefix=$(CARGO_HOME)/registry/src/=)
# Function names are complete paths, including the types that generic functions were instantiated for, and the linker says
# which numbers are addresses: crates/split needs both, and leaves both out. (Of the latter, wasm-opt warns that it is there.)
# Places in the table are numbers too, which must not be mistaken for others: the table begins above most of these. Neither must
# addresses, so data begins above 0x110000, the end of the characters of Unicode, which most code contains.
site: export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS := --cfg erase_components -Csymbol-mangling-version=v0 -Clink-arg=--emit-relocs -Clink-arg=--table-base=5800 -Clink-arg=--global-base=1179648 $(ANYWHERE)
# The app's own build scripts are native code, which is linted with the tests (tools/clippy-and-rustc).
site: export LINT_ONLY := wasm32
site:
	@tools/setup site
	trunk build --release --locked
	cargo run --release --locked --quiet --package cache-explorer-split dist "$(TARGET)/wasm32-unknown-unknown/app"
	tools/strip dist
	@# Only what differs is copied, so that the command is compiled again only if the site has changed.
	@mkdir -p "$(SITE)"
	@for file in "$(SITE)"/*; do [ -f "dist/$${file##*/}" ] || rm -f "$$file"; done
	@for file in dist/*; do cmp -s "$$file" "$(SITE)/$${file##*/}" || cp "$$file" "$(SITE)/"; done

# Tests of the same profile write a command without a site to the same place, so that happens before.
dist: site $(if $(PROFILE),compile-tests) ## make the release: dist/, a folder of static files; dist/explorer.html, the same in one file; and the command with the site in it
	$(LINTED) CACHE_EXPLORER_SITE="$(SITE)" cargo build --profile $(COMMAND_PROFILE) --locked --package cache-explorer
	@$(if $(PROFILE),mkdir -p "$(TARGET)/release"; cp "$(TARGET)/$(PROFILE)/cache-explorer" "$(TARGET)/release/")
	"$(TARGET)/release/cache-explorer" seal dist
	"$(TARGET)/release/cache-explorer" bundle --from dist -o dist/explorer.html

wheel: dist pack-wheel ## make the Python wheel: the command with the site in it, and the extension of Spack

# The command was compiled by `make dist` with the same settings, so maturin only packs it.
pack-wheel:
	@tools/setup python
	@rm -rf "$(TARGET)/wheels"
	$(LINTED) CACHE_EXPLORER_SITE="$(SITE)" $(PYTHON)/maturin build --profile $(COMMAND_PROFILE) --locked --out "$(TARGET)/wheels"

VERSION := $(shell tools/version)
RELEASE_FILES := $(abspath $(TARGET))/release-files
SOURCE := $(RELEASE_FILES)/spack-cache-explorer-$(VERSION).tar

source: dist ## make the tarball that the Spack recipe builds: the committed sources, and the built site
	@mkdir -p "$(RELEASE_FILES)"
	git archive --prefix=spack-cache-explorer-$(VERSION)/ --output "$(SOURCE)" HEAD
	tar --append --file "$(SOURCE)" --owner 0 --group 0 --transform 's|^\.|spack-cache-explorer-$(VERSION)/site|' -C "$(SITE)" .
	gzip --force --best --no-name "$(SOURCE)"

test: dist compile-tests ## run all tests, the browser tests on the release in dist/
	@tools/setup browser
	@if tools/setup python; then $(MAKE) --no-print-directory pack-wheel; \
	else echo "test: Python is missing, so the wheel is not tested"; fi
	$(LINTED) cargo test $(TEST_PROFILE) --workspace --locked --no-fail-fast

# A target of its own, so that `make --jobs` compiles the tests beside the release. .ci/run adds the benchmarks, for lints.
compile-tests:
	@cargo test $(TEST_PROFILE) --workspace --locked --no-run $(COMPILE_ALSO)

# Service workers, storage, policies, files, workers, what an engine lacks, the focus, the clipboard: what Chromium alone cannot
# show. `make test-all` runs the others in the other engines too.
ENGINE_TESTS := first_view::takes first_view::does_not offline:: faults:: policy::prevents policy::loads package_pages:: keyboard:: \
	keeping::keeps_a_cache keeping::gives_each_tab keeping::removes_caches keeping::says_nothing keeping::shows_a_cache \
	opening::opens_an opening::opens_by opening::opens_from reading::shows_progress opening::says_that incomplete::reports_another \
	loading::opens_from_disk loading::opens_on loading::reports loading::loads_the_rest loading::lets_the_browser inside::open_makes_one \
	explorer::keeps explorer::copies build_view::copies package_view::saves package_view::prints

# What WebKit's driver does not let a test do: choose dark colours or a phone's width, restrict storage, read the console,
# resolve names, print, keep files in the browser's own cache.
NOT_IN_WEBKIT := $(addprefix --skip ,explorer::keeps_the_colours faults::works_with faults::compares_the_digest faults::explains_that_webassembly_is_forbidden \
	offline::keeps_each_file package_pages::fetches_each_part keeping::shows_a_cache_for_one_visit package_view::prints vocabulary::distinguishes vocabulary::reports)

# In one of six runs, a service worker that WebKit installs right after it has rejected two never gets an answer to what it
# fetches, and no request arrives at the server. `make test-all` runs this test.
UNSURE_IN_WEBKIT := --skip offline::never_mixes_two_builds

# Firefox alone in the test may have begun to start the app before the test can hold it.
UNSURE_IN_FIREFOX := --skip package_pages::shows_the_same_until_the_app_has_started

# Finds the program with the browser tests, as `make test` compiled it, and goes where it runs. Cargo unites the features of
# what it compiles in one call, so naming this program alone would compile its dependencies again, with fewer features.
OUTSIDE := program=$$(cargo test $(TEST_PROFILE) --workspace --locked --no-run --message-format=json-render-diagnostics \
	| sed -n 's|.*"executable":"\([^"]*/outside-[^"]*\)".*|\1|p'); cd tests

test-engines: ## run the browser tests of what differs between engines in Firefox and WebKit; after `make dist`
	@BROWSER=firefox tools/setup browser
	export BROWSER=firefox; $(OUTSIDE); "$$program" $(ENGINE_TESTS) $(UNSURE_IN_FIREFOX)
	@BROWSER=webkit tools/setup browser
	@# Its driver loses a command now and then (tests/harness/browser.rs), so what failed runs again. A fault of the page fails twice.
	export BROWSER=webkit; $(OUTSIDE); ../tools/again "$$program" $(ENGINE_TESTS) $(NOT_IN_WEBKIT) $(UNSURE_IN_WEBKIT)

test-all: test ## run all tests, and all browser tests in Firefox and WebKit too
	@# Each walks elsewhere; what failed says which seed walks there again.
	export WALK_STEPS=300 WALK_SEED=$${WALK_SEED:-$$RANDOM}; $(OUTSIDE); "$$program" walk::
	@BROWSER=firefox tools/setup browser
	export BROWSER=firefox WALK_STEPS=300 WALK_SEED=$${WALK_SEED:-$$RANDOM}; $(OUTSIDE); "$$program"
	@BROWSER=webkit tools/setup browser
	export BROWSER=webkit WALK_STEPS=300 WALK_SEED=$${WALK_SEED:-$$RANDOM}; $(OUTSIDE); ../tools/again "$$program" $(NOT_IN_WEBKIT)

screenshots: dist ## take pictures of every view into target/screenshots: four widths, light and dark
	@tools/setup browser
	export SCREENSHOTS=1; $(OUTSIDE); "$$program" views::fits_every_width

audit: dist ## measure the release with Lighthouse; fails if a score is too low
	@tools/setup audit
	rm -rf "$(TARGET)/audit"
	cp -r dist "$(TARGET)/audit"
	"$(TARGET)/release/cache-explorer" embed seeds --pages --into "$(TARGET)/audit"
	node tools/audit.mjs "$(TARGET)/audit"

bench: dist ## measure indexes of up to a million builds, natively and in a browser; only ratios can fail
	@tools/setup browser
	cargo bench --locked --package cache-advice
	cargo bench --locked --package cache-explorer --bench weight
	cargo bench --locked --package cache-explorer --bench read
	@# This benchmark only drives the browser, so it is built like the tests.
	cargo bench --locked --package cache-explorer-tests --profile test

weigh: dist ## make the release and print the size of each file; tests/weight.rs has the budget
	"$(TARGET)/release/cache-explorer" stats dist

FUZZ_SECONDS ?= 60
# Without a sanitizer, which needs Rust's nightly: the parsers have no unsafe code, and what libFuzzer needs is stable.
fuzz: ## fuzz each parser for a minute (FUZZ_SECONDS=…), if cargo-fuzz is installed
	@if ! cargo fuzz --version >/dev/null 2>&1; then \
	  echo "fuzz: skipped: it needs cargo-fuzz (see CONTRIBUTING.md)"; exit 0; fi; \
	CORPUS="$(CURDIR)/fuzz/corpus" cargo test --quiet --locked --package properties --test damaged; \
	for target in $$(cargo fuzz list); do \
	  cargo fuzz run --sanitizer none $$target -- -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 -timeout=10; \
	done

lint: check ## check formatting, dependencies, the lints of the native code, the app and the Python, and the links in the documentation
	@tools/setup rust
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --workspace --all-targets --no-default-features --locked -- -D warnings
	@# With the profile of the release, it shares the macros and the build script that the release compiles.
	cargo clippy --package cache-explorer-site --package cache-explorer-pages --profile app --target wasm32-unknown-unknown --locked -- -D warnings
	@# Nothing else notices that what a link names has another name now.
	RUSTDOCFLAGS="-D rustdoc::broken-intra-doc-links" cargo doc --quiet --no-deps --document-private-items --workspace --locked

# What needs no compiling.
check:
	@tools/setup lint
	cargo fmt --all --check
	@if tools/setup python; then set -x; $(PYTHON)/ruff check packaging tools; $(PYTHON)/ruff format --check packaging tools; $(PYTHON)/mypy; \
	else echo "lint: Python is missing, so the extension of Spack and the recipe were not checked"; fi
	@if command -v cargo-deny >/dev/null; then cargo deny --locked check; \
	else echo "lint: cargo-deny is not installed, so licences and advisories were not checked (deny.toml)"; fi

clean: ## remove everything that was built, but not the tools in .tools/
	cargo clean
	rm -rf dist
