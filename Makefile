# Every target says what it does: "make" lists them. CI calls the same targets.

GO    ?= go
# Only the race detector needs cgo. Without it one build cache serves all else, on machines with a C compiler and without.
export CGO_ENABLED = 0
# Tools have modules of their own, which are not in the workspace (go.work).
SQLC   = GOWORK=off $(GO) tool -modfile=tools/go.mod sqlc
DBMATE = $(GO) run ./tools/dbmate
LINT   = $(GO) vet -vettool=$(CURDIR)/.cache/bin/lint $(if $(FIX),-fix)
# Compiled by "make setup", on which every target that uses it depends.
PGTEST = .cache/bin/pgtest
SCHEMA = $(GO) run ./internal/cmd/schema

# Modules of their own, whose dependencies users of the library do not get.
MODULES = cmd/tasker metrics serve/oidc worker/otelworker messaging/rabbitmq tasklib/tagvalidator examples/tasklib tools/dbmate

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Fulfil two orders while you watch, on a PostgreSQL server of the demo's own, or on DATABASE_URL
	@tools/setup.sh $(if $(DATABASE_URL),client,demo)
	@$(if $(DATABASE_URL),,PGTASKER_SCRATCH=1 $(PGTEST) scratch --) .cache/bin/tasker demo

.PHONY: test
test: setup ## Run all tests, pgTAP and Go, on a PostgreSQL server of their own
	@$(PGTEST) suite $(MODULES)

.PHONY: test-quick
test-quick: setup ## Run, in 60 seconds, the tests of conventions, of functions and packages changed since main (or since BASE), and of their callers
	@$(SCHEMA) check
	@$(PGTEST) suite -quick $(if $(BASE),-base $(BASE)) $(MODULES)

.PHONY: test-race
test-race: setup ## Run all Go tests with the race detector, also the tests of packages that start no goroutines
	@$(PGTEST) suite -go -race $(MODULES)

.PHONY: test-go
test-go: setup ## Run the Go tests
	@$(PGTEST) suite -go $(MODULES)

.PHONY: test-pgtap
test-pgtap: setup ## Run the pgTAP tests; T=pgtap/kernel/some_room/some_function: only the tests below this folder; V=1 shows every test
	@$(PGTEST) pgtap $(if $(V),-v) $(T)

.PHONY: test-without
test-without: setup ## Delete a feature from a scratch copy of the tree, and test the rest: F=publishing T="pgtap/kernel/claim"
	tools/without.sh $(or $(F),publishing) $(or $(T),pgtap/kernel/claim/claim_step pgtap/kernel/create/register_namespace pgtap/kernel/move)

.PHONY: test-matrix
test-matrix: setup ## Run tests and checks on PostgreSQL 15, 16, 17 and 18
	tools/matrix.sh 15 16 17 18

.PHONY: test-newest
test-newest: setup ## Run checks, and the pgTAP folders that depend on the server's version, on the newest PostgreSQL, as CI does
	ROOMS="conventions tables views operate/partitions" MATRIX="pgtap verify" tools/matrix.sh 18
	PGTASKER_TEST_PGBIN=$$(tools/servers.sh 18 | tail -n 1) $(GO) test -run TestManagers ./internal/tests/growthtest # pg_partman is there

.PHONY: test-pgmq
test-pgmq: setup ## Run the queue tests on the real extension pgmq 1.11.1, and compare our pgmq with it
	PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(PGTEST) pgtap pgtap/pgmq pgtap/kernel/queue
	PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) CGO_ENABLED=1 $(GO) test -race ./internal/tests/pgmqtest ./messaging/pgmq

.PHONY: test-partman
test-partman: setup ## Run the tests of growth on PostgreSQL 15 to 18, each without pg_partman, with 4.7.2 and with 5.2.4
	for major in 15 16 17 18; do \
	  PGTASKER_TEST_PGBIN=$$(tools/servers.sh $$major | tail -n 1) CGO_ENABLED=1 $(GO) test -race -count=1 -v ./internal/tests/growthtest || exit 1; \
	done

.PHONY: test-cron
test-cron: setup ## Run housekeeping by the real pg_cron, on a server of its own
	tools/cron-test.sh

.PHONY: test-pgbouncer
test-pgbouncer: setup ## Run workers, tasks and tasklib behind the real PgBouncer 1.18 and 1.24, in transaction mode
	PGTASKER_TEST_PGBOUNCER=$$(tools/pgbouncer.sh) CGO_ENABLED=1 $(GO) test -race -count=1 -timeout 5m ./internal/tests/bouncertest

.PHONY: storm-serve
storm-serve: setup ## Send 10,000 mixed and aborted requests to the REST server, directly and behind PgBouncer: no request leaves its role on a session
	PGTASKER_SOAK=1 $(GO) test -count=1 -timeout 20m -v -run TestStorm_LeavesNoRoleBehind ./serve
	PGTASKER_SOAK=1 PGTASKER_TEST_PGBOUNCER=$$(tools/pgbouncer.sh) $(GO) test -count=1 -timeout 20m -v -run '///a_REST_server' ./internal/tests/bouncertest

.PHONY: test-rabbitmq
test-rabbitmq: ## Run the tests of messaging over a real RabbitMQ: Debian's package, installed if it is missing and you are root, or the broker at PGTASKER_TEST_RABBITMQ
	tools/rabbitmq.sh sh -ec 'CGO_ENABLED=1 $(GO) test -C messaging/rabbitmq -race -count=1 -timeout 5m ./... && $(GO) test -C cmd/tasker -count=1 -timeout 5m -run RabbitMQ ./internal/cli'

.PHONY: test-page
test-page: setup ## Use the operators' page in a real Chromium: screens, actions, keys, axe-core; PGTASKER_SHOTS=1 renews the pictures of docs/page
	tools/page.sh $(PGTEST) run -- $(GO) test -C internal/tests/pagetest -count=1 -parallel 4 -timeout 10m ./...

.PHONY: test-firefox
test-firefox: setup ## Use the operators' page in a real Firefox: all screens on a desktop and a phone, errors of the console, changes, keys, an action
	PGTASKER_TEST_FIREFOX=1 tools/page.sh $(PGTEST) run -- $(GO) test -C internal/tests/pagetest -count=1 -timeout 10m -run TestFirefox ./...

.PHONY: page-pictures
page-pictures: setup ## Take pictures of all screens into .cache/page: light and dark, desktop, tablet and phone, long names, graphs of 5, 50 and 500 steps
	PGTASKER_SOAK=1 tools/page.sh $(PGTEST) run -- $(GO) test -C internal/tests/pagetest -count=1 -parallel 2 -timeout 30m -run 'TestScreens_Fit|TestPictures' ./...

.PHONY: test-signin
test-signin: setup ## Sign in to the page in a real Chromium, at the identity provider oidc-provider (part of test-page); T=TestSignIn_Two for one test
	tools/page.sh $(PGTEST) run -- $(GO) test -C internal/tests/pagetest -count=1 -parallel 2 -timeout 10m -run '$(or $(T),TestSignIn)' ./...

.PHONY: test-python
test-python: setup ## Check the Python client: types, its own tests (PGTASKER_OWN_TESTS=tests.test_units: some), the order workflow over a server, the conformance suite
	@tools/python.sh $(PGTEST) run -- $(GO) test -count=1 -parallel 6 -run Python ./internal/tests/conformance

.PHONY: test-typescript
test-typescript: setup ## Check the TypeScript client: types, its own tests, the order workflow over a server, the conformance suite
	@tools/typescript.sh $(PGTEST) run -- $(GO) test -count=1 -parallel 6 -run TypeScript ./internal/tests/conformance

.PHONY: first-hour
first-hour: setup ## Repeat the first hour of an engineer with Python and of one with TypeScript in a Debian without Go (root, debootstrap); internal/tests/firsthour has the kept output
	@tools/python.sh tools/typescript.sh tools/first-hour.sh $(if $(UPDATE),-update)

.PHONY: empty-machines
empty-machines: ## Walk README's commands, go install, the files of "make dist" in DIST=dist and "tasker dev" on an empty Debian 12 and 13, as root and not (root, debootstrap; SUITES=trixie: one); internal/tests/firsthour has the kept output
	tools/empty-machine.sh $(DIST) $(if $(UPDATE),-update) $(or $(SUITES),bookworm trixie)

.PHONY: test-faults
test-faults: setup ## Expose workers in Go, Python and TypeScript, tasklib and the relay to every fault and set-up error; PGTASKER_FAULT_ROUNDS=100 is the long form
	@tools/python.sh tools/typescript.sh $(PGTEST) run -- $(GO) test -count=1 -timeout 60m -run TestFaults ./internal/tests/faulttest

.PHONY: conformance
conformance: setup ## Run the conformance suite on any worker: COMMAND="python3 my_worker.py" DIR=path/from/here
	@PGTASKER_CONFORMANCE="$(COMMAND)" PGTASKER_CONFORMANCE_DIR="$(DIR)" $(PGTEST) run -- $(GO) test -count=1 -v -run 'AnyWorker|TestFaults' ./internal/tests/conformance ./internal/tests/faulttest

.PHONY: fuzz
fuzz: setup ## Call every granted function as every role with hostile values
	PGTASKER_SOAK=1 $(GO) test -count=1 -timeout 60m ./internal/tests/fuzztest

.PHONY: test-deploy
test-deploy: ## Check alert rules and the scrape configuration with promtool, and test when the alerts fire
	promtool=$$(tools/promtool.sh) && cd deploy/prometheus && \
	  $$promtool check config prometheus.yml && $$promtool test rules pgtasker.rules.test.yml

.PHONY: test-writers
test-writers: setup ## Compare the schema with that of the commit BASE: the same random calls in both, all tables, views and readers of history, audit and the feed equal (MOVES=20000 SEED=7)
	PGTASKER_WRITERS_BASE="$(BASE)" PGTASKER_WRITERS_MOVES="$(MOVES)" PGTASKER_SEED="$(SEED)" \
	  $(GO) test -count=1 -timeout 0 -v -run 'TestWriters$(if $(BASE),/agree)' ./internal/tests/writerstest

.PHONY: soak
soak: setup ## Run the long forms of the random tests, and of the races between sessions in package executor
	PGTASKER_SOAK=1 PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(GO) test -timeout 90m ./executor ./internal/tests/pgmqtest ./internal/tests/propertytest ./internal/tests/modeltest ./internal/tests/crashtest ./internal/tests/crontest

.PHONY: storm-wakeups
storm-wakeups: setup ## Let clients fall asleep thousands of times while work is committed: no client may sleep through the work
	PGTASKER_STORM=$${PGTASKER_STORM:-50s} $(GO) test -count=1 -v -timeout 10m -run TestStorm ./internal/tests/waketest

.PHONY: storm-waits
storm-waits: setup ## Have 10,000 tasks wait for approvals and time-outs while workers and the server are killed: each signal has one effect
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-10000} PGTASKER_STORM_KILLS=$${PGTASKER_STORM_KILLS:-100} $(GO) test -count=1 -v -timeout 60m ./internal/tests/waitstorm

.PHONY: storm-events
storm-events: setup ## Emit a million events while steps begin to wait for them, and one event to 100,000 steps, while deliverers and the server are killed: no event is lost or delivered twice
	PGTASKER_STORM_EVENTS=$${PGTASKER_STORM_EVENTS:-1000000} PGTASKER_STORM_CROWD=$${PGTASKER_STORM_CROWD:-100000} PGTASKER_STORM_HELD=$${PGTASKER_STORM_HELD:-10} $(GO) test -count=1 -v -timeout 240m ./internal/tests/eventstorm

.PHONY: storm-erasures
storm-erasures: setup ## Erase 5,000 of 10,000 runs while workers, retention, new tasks, killed sessions and crashes go on: no data of the erased runs is left, no data of the other runs is missing
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-10000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-10} $(GO) test -count=1 -v -timeout 90m ./internal/tests/erasestorm

.PHONY: storm-upgrade
storm-upgrade: setup ## Upgrade and downgrade the schema of a database with a million tasks, while old and new workers run: nothing is lost or done twice
	PGTASKER_UPGRADE_TASKS=$${PGTASKER_UPGRADE_TASKS:-1000000} PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-500} $(GO) test -count=1 -v -timeout 120m -run TestUpgrade ./internal/tests/upgradetest

.PHONY: storm-streams
storm-streams: setup ## Read 1,000 streams of 1,000 lines each while they are written and the server is killed: each line arrives once, in order
	PGTASKER_STORM_STREAMS=$${PGTASKER_STORM_STREAMS:-1000} PGTASKER_STORM_LINES=$${PGTASKER_STORM_LINES:-1000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-5} $(GO) test -count=1 -v -timeout 90m ./internal/tests/streamstorm

.PHONY: storm-families
storm-families: setup ## Have 1,000 families of tasks in three levels, 16 workers, operators, and sessions and the server killed: no deadlock, nothing left open
	PGTASKER_STORM_FAMILIES=$${PGTASKER_STORM_FAMILIES:-1000} PGTASKER_STORM_WORKERS=$${PGTASKER_STORM_WORKERS:-16} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-20} $(GO) test -count=1 -v -timeout 60m -run TestStorm_Families ./internal/tests/familystorm

.PHONY: storm-branches
storm-branches: setup ## Have failure branches, races, late steps, maps of tasks and tasks of events run while sessions and the server are killed: each branch runs once, nothing is left open
	PGTASKER_STORM_BRANCHES=$${PGTASKER_STORM_BRANCHES:-2000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-20} $(GO) test -count=1 -v -timeout 60m -run TestStorm_Branches ./internal/tests/familystorm

.PHONY: storm-bookings
storm-bookings: setup ## Have the steps of 10,000 tasks of each kind move money while workers, sessions and the server are killed: each completed step has booked once, no other step has booked
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-10000} PGTASKER_STORM_KILLS=$${PGTASKER_STORM_KILLS:-100} $(GO) test -count=1 -v -timeout 60m ./internal/tests/bookingtest

.PHONY: storm-functions
storm-functions: setup ## Have 10,000 durable functions run while workers and the server are killed, and one function continue for 100,000 rounds: no kept call is made again
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-10000} PGTASKER_STORM_KILLS=$${PGTASKER_STORM_KILLS:-100} PGTASKER_STORM_ROUNDS=$${PGTASKER_STORM_ROUNDS:-100000} PGTASKER_STORM_BUILDS=$${PGTASKER_STORM_BUILDS:-500} $(GO) test -count=1 -v -timeout 60m -parallel 3 ./internal/tests/functionstorm

.PHONY: storm-relay
storm-relay: setup ## Have relays, workers, subscribers and RabbitMQ killed at random while tasks run: no step is lost or done twice, every event is delivered, in order
	PGTASKER_STORM_SECONDS=$${PGTASKER_STORM_SECONDS:-120} tools/rabbitmq.sh $(GO) test -C messaging/rabbitmq -count=1 -v -timeout 30m -run 'TestRelay|TestSteps_SurviveKilledProcesses' .

.PHONY: storm-sql
storm-sql: setup ## Have SQL steps of 10,000 tasks move money while drivers, sessions and the server are killed: each completed step has booked once, no other step has booked
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-10000} PGTASKER_STORM_KILLS=$${PGTASKER_STORM_KILLS:-100} $(GO) test -count=1 -v -timeout 60m ./internal/tests/sqlstorm

.PHONY: test-export
test-export: setup ## Export 100,000 tasks, interrupted three times: memory stays bounded, each task is exported once (PGTASKER_EXPORT_TASKS=20000: shorter)
	cd cmd/tasker && PGTASKER_EXPORT_TASKS=$${PGTASKER_EXPORT_TASKS:-100000} $(GO) test -count=1 -v -timeout 60m -run TestTaskExport_GoesOn ./internal/cli

.PHONY: storm-clients
storm-clients: setup ## Have Python and TypeScript workers killed at random, and answers lost: each result is recorded once (PGTASKER_STORM_TASKS=2000 PGTASKER_STORM_KILLS=100: longer)
	@tools/python.sh tools/typescript.sh $(PGTEST) run -- $(GO) test -count=1 -v -timeout 60m -run TestStorm ./internal/tests/conformance

.PHONY: storm-limits
storm-limits: setup ## Have 64 workers take limited steps while sessions and the server are killed, 200 idle workers keep a limit full, and 100,000 steps wait: no limit is exceeded, no place is lost
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-3000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-20} PGTASKER_STORM_CLAIMERS=$${PGTASKER_STORM_CLAIMERS:-64} \
	  PGTASKER_STORM_IDLE=$${PGTASKER_STORM_IDLE:-200} PGTASKER_STORM_WAITING=$${PGTASKER_STORM_WAITING:-100000} PGTASKER_STORM_DEBOUNCE_SECONDS=$${PGTASKER_STORM_DEBOUNCE_SECONDS:-30} \
	  PGTASKER_STORM_RATE_CLAIMERS=$${PGTASKER_STORM_RATE_CLAIMERS:-50} PGTASKER_STORM_RATE_SECONDS=$${PGTASKER_STORM_RATE_SECONDS:-60} \
	  $(GO) test -count=1 -v -timeout 60m ./internal/tests/limitstorm

.PHONY: storm-runs
storm-runs: setup ## Have tasks of templates with runs by key fail, be paused and changed while sessions and the server are killed: bound and order are kept, no task waits forever
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-1000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-10} PGTASKER_STORM_CLAIMERS=$${PGTASKER_STORM_CLAIMERS:-32} \
	  $(GO) test -count=1 -v -timeout 60m -run Storm_Runs ./internal/tests/limitstorm

.PHONY: storm-compensation
storm-compensation: setup ## Have 1,000 tasks fail, be cancelled, time out and be forked while workers, sessions and the server are killed: each completed step is undone once, in order
	PGTASKER_STORM_TASKS=$${PGTASKER_STORM_TASKS:-1000} PGTASKER_STORM_CRASHES=$${PGTASKER_STORM_CRASHES:-10} PGTASKER_STORM_FORKS=$${PGTASKER_STORM_FORKS:-2000} \
	  $(GO) test -count=1 -v -timeout 60m ./internal/tests/undostorm

.PHONY: storm-schedules
storm-schedules: setup ## Have 8 workers, killed at random, keep 1,000 schedules that tick each minute, and 20 workers 1,000 that tick each second, across a crash and a promotion: each tick makes one task
	PGTASKER_STORM=$${PGTASKER_STORM:-190s} $(GO) test -count=1 -v -timeout 20m -run TestStorm ./internal/tests/crontest
	PGTASKER_STORM=$${PGTASKER_STORM_DENSE:-60s} PGTASKER_STORM_EVERY=1 PGTASKER_STORM_WORKERS=20 $(GO) test -count=1 -v -timeout 20m -run TestStorm ./internal/tests/crontest

.PHONY: test-moves
test-moves: setup ## Move running systems by dump, by recovery to a point in time, and by logical replication to PostgreSQL 18
	PGTASKER_TEST_NEWER_PGBIN=$$(tools/servers.sh 18 | tail -n 1) $(GO) test -count=1 -v ./internal/tests/movetest

.PHONY: test-upgrade
test-upgrade: ## Move a running system by pg_upgrade: OLD=/usr/lib/postgresql/15/bin NEW=/usr/lib/postgresql/17/bin
	@$(if $(and $(OLD),$(NEW)),,$(error name the programs of both versions: make test-upgrade OLD=/usr/lib/postgresql/15/bin NEW=/usr/lib/postgresql/17/bin))
	PGTASKER_TEST_PGBIN=$(OLD) PGTASKER_TEST_UPGRADE_PGBIN=$(NEW) $(GO) test -count=1 -v -run PgUpgrade ./internal/tests/movetest

.PHONY: test-citus
test-citus: setup ## Run migrations, workers and pgTAP on a Citus with worker nodes, built from CITUS=/path/to/its/source; T=pgtap/kernel/some_room: only this folder of pgTAP
	@bin=$$(tools/citus.sh "$(CITUS)") && \
	  PGTASKER_TEST_CITUS=$$bin $(GO) test -count=1 -v ./internal/tests/citustest && \
	  PGTASKER_TEST_PGBIN=$$bin PGTASKER_TEST_EXTENSION=citus $(PGTEST) pgtap $(T)

.PHONY: test-docker
test-docker: setup ## Prove that the tests run in Docker on a machine without the programs of a server
	tools/docker-test.sh

.PHONY: verify
verify: setup ## Prove that schema, migrations, generated Go and docs agree
	$(SCHEMA) check
	$(SCHEMA) verify
	tools/verify-generated.sh

.PHONY: linters
linters:
	@GOWORK=off $(GO) build -C tools/lint -o $(CURDIR)/.cache/bin/lint .

.PHONY: lint
lint: linters ## Run the linters of tools/lint, or over P=./some/package/...; FIX=1 formats files and corrects the findings that linters can correct
	GOWORK=off $(GO) test -C tools/lint -vet=off
	$(LINT) $(or $(P),./... $(MODULES:%=./%/...))

.PHONY: verify-modules
verify-modules: linters ## Prove that go install, go get, go mod tidy and go build work from an empty directory, as if released
	GOWORK=off $(LINT) ./...
	$(GO) run ./internal/cmd/modules tidy
	$(GO) run ./internal/cmd/modules consume
	@git diff --exit-code -- go.work.sum || { echo "go.work.sum has changed while programs were compiled: commit it" >&2; exit 1; }

.PHONY: tidy
tidy: ## Tidy every go.mod and go.sum, as if the modules were released
	$(GO) run ./internal/cmd/modules tidy -w

.PHONY: setup
setup: ## Find PostgreSQL for the tests or install it (Debian, root), and compile the programs that the tests need
	@tools/setup.sh tests

.PHONY: migration
migration: ## Compose migrations from db/schema; after the first release: make migration name=what_it_does
	$(SCHEMA) compose $(name)

.PHONY: generate
generate: ## Generate the Go of queries/, and the methods of executor
	find gen tasklib/gen -name "*.go" ! -name doc.go -delete
	$(SQLC) generate
	$(GO) run ./internal/cmd/face

.PHONY: docs
docs: ## Write the generated parts of README and docs/
	PGTASKER_UPDATE_DOCS=1 $(GO) test -count=1 -run TestDocs ./internal/docs
	PGTASKER_UPDATE_DOCS=1 $(GO) test -C cmd/tasker -count=1 -run TestDocs ./internal/cli
	PGTASKER_UPDATE_DOCS=1 $(GO) test -C metrics -count=1 -run TestDocs .

.PHONY: tasker
tasker: ## Build the command-line tool into bin/
	$(GO) build -C cmd/tasker -o ../../bin/tasker .

# Where "make dist" leaves the files of a release, and for which platforms.
DIST ?= dist

.PHONY: dist
dist: ## Make the files of a release in DIST=dist: programs, Debian packages, SBOM, licences, SQL, Python wheel, npm package, checksums (PLATFORMS=linux/amd64: fewer, CLIENTS=: no wheel and npm package)
	$(GO) run ./internal/cmd/release $(if $(PLATFORMS),-platforms "$(PLATFORMS)") -clients=$(if $(filter undefined,$(origin CLIENTS)),true,$(if $(CLIENTS),true,false)) $(DIST)

.PHONY: test-dist
test-dist: ## Check the files of "make dist" in DIST=dist: sums, and the Debian package installed, upgraded, removed and purged in a Debian 12 chroot, as root (SUITE=trixie: Debian 13)
	cd $(DIST) && sha256sum --check --quiet SHA256SUMS
	tools/deb-test.sh $(DIST)/pgtasker_*_$$($(GO) env GOARCH).deb $(or $(SUITE),bookworm)

.PHONY: image
image: ## Build the container image FROM scratch of what "make dist" has left in DIST=dist, by docker, podman or buildah
	tools/image.sh $(DIST)

.PHONY: db-up
db-up: ## Apply the migrations to DATABASE_URL
	$(DBMATE) up

.PHONY: db-down
db-down: ## Take the newest migration back from DATABASE_URL
	$(DBMATE) down

.PHONY: db-status
db-status: ## Show which migrations DATABASE_URL has
	$(DBMATE) status

.PHONY: bench
bench: setup ## Measure: transitions and state lookups
	$(PGTEST) run -- $(GO) run -C bench ./transition

.PHONY: bench-create
bench-create: setup ## Measure: creation of tasks, one by one and in batches
	$(PGTEST) run -- $(GO) run -C bench ./create

.PHONY: bench-readiness
bench-readiness: setup ## Measure: readiness of tasks of 10 to 1,000 steps, graphs of 18 and 36 diamonds
	$(PGTEST) run -- $(GO) run -C bench ./readiness

.PHONY: bench-queue
bench-queue: setup ## Measure: queues, ours beside the real extension
	PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(GO) run -C bench ./queue -slice 250ms -turns 3

.PHONY: bench-calls
bench-calls: setup ## Measure: what exchanges and creations cost PostgreSQL, beside the commit BASE, River, pgmq and graphile-worker (ROUNDS=9, ONLY="create_task")
	tools/peers.sh tools/durable.sh $(GO) run -C bench ./calls -commit "$(BASE)" -rounds $(or $(ROUNDS),9) -only "$(ONLY)"

.PHONY: bench-instructions
bench-instructions: setup ## Measure: the instructions of calls, by valgrind, beside the commits BASE; exact on a busy machine (ROWS="exchange of 1": fewer, FUNCTIONS=40: where)
	BASE="$(BASE)" ROWS="$(ROWS)" FUNCTIONS="$(FUNCTIONS)" AGAIN="$(AGAIN)" GO="$(GO)" tools/bench-instructions.sh

.PHONY: bench-life
bench-life: setup ## Measure: rows, index entries and WAL by table over the life of a task of one step and of a diamond, here and at the commits BASE
	$(PGTEST) run -- $(GO) run -C bench ./life -base "$(BASE)"

.PHONY: bench-logreaders
bench-logreaders: setup ## Measure: what readers of history, feed, audit, rollups and incidents read, beside the commit BASE: at most 1.10 of its buffers (TASKS=2000: fewer)
	$(PGTEST) run -- $(GO) run -C bench ./logreaders -base "$(BASE)" -tasks $(or $(TASKS),20000)

.PHONY: bench-session
bench-session: setup ## Measure: 10,000 exchanges in a session that began with cancel_task, which cost what the first ones did (SESSION=500: fewer)
	tools/durable.sh $(GO) run -C bench ./calls -session $(or $(SESSION),10000)

.PHONY: bench-goals
bench-goals: setup ## Measure: all that the engine has goals for, beside the commit BASE, River, DBOS, pgmq and graphile-worker; one table (TURNS=9)
	BASE="$(BASE)" tools/bench-goals.sh

.PHONY: bench-snapshots
bench-snapshots: setup ## Measure: claims, results and timers under a transaction that holds an old snapshot, beside River and pgmq
	tools/durable.sh $(GO) run -C bench ./snapshots

.PHONY: bench-feed
bench-feed: setup ## Measure: what one subscription costs PostgreSQL beside none
	tools/durable.sh $(GO) run -C bench ./feed

.PHONY: bench-limits
bench-limits: setup ## Measure: what limits cost a claim: none, not binding, 1,000,000 blocked steps in front
	tools/durable.sh $(GO) run -C bench ./limits

.PHONY: bench-diamond
bench-diamond: setup ## Measure: tasks created and drained with durable commits, beside the rows alone
	tools/durable.sh $(GO) run -C bench ./diamond

.PHONY: bench-incidents
bench-incidents: setup ## Measure: what the list of incidents and a judgement read beside 1,000,000 finished and 100,000 failing tasks: at most 15,000 buffers (FINISHED=100000: fewer)
	@$(PGTEST) psql -X -v finished=$(or $(FINISHED),1000000) -f bench/incidents.sql

.PHONY: bench-worker
bench-worker: setup ## Measure: jobs and diamonds through the worker, latency, idle cost, beside River and DBOS
	tools/durable.sh $(GO) run -C bench ./worker

.PHONY: bench-clients
bench-clients: setup ## Measure: workers in Python and TypeScript beside the one in Go, over PostgreSQL and over HTTP (TURNS=9 TASKS=1000, or ELEMENTS=2000)
	@tools/python.sh tools/typescript.sh tools/durable.sh tools/bench-clients.sh $(GO)

.PHONY: bench-transaction
bench-transaction: setup ## Measure: a handler with a transaction beside one whose results are recorded in batches
	tools/durable.sh $(GO) run -C bench ./transaction

.PHONY: bench-functions
bench-functions: setup ## Measure: a call of a durable function beside a step of DBOS
	tools/durable.sh $(GO) run -C bench ./functions

.PHONY: bench-growth
bench-growth: setup ## Measure: the same calls at 1, 8, 18 and 90 partitions; a range dropped and deleted
	$(GO) run -C bench ./growth

.PHONY: bench-operate
bench-operate: setup ## Measure: discovery, health and analytics beside a million finished tasks
	$(PGTEST) run -- $(GO) run -C bench ./operate

.PHONY: bench-serve
bench-serve: setup ## Measure: REST beside a million finished tasks, and its cost over the SQL call
	$(PGTEST) run -- $(GO) run -C bench ./serve

.PHONY: bench-http
bench-http: setup ## Measure: an exchange of a worker over HTTP beside the same over SQL
	tools/durable.sh $(GO) run -C bench ./http

.PHONY: bench-waiting
bench-waiting: setup ## Measure: exchanges, signals and sleepers beside a million steps that wait (WAITING=-suspended=100000: fewer)
	tools/durable.sh $(GO) run -C bench ./waiting $(WAITING)

.PHONY: bench-graphs
bench-graphs: setup ## Measure: a tree of 100 × 100 tasks, a chain of 100 tasks that start each other, maps of up to 60,000 elements (GRAPHS=-width=20: smaller)
	tools/durable.sh $(GO) run -C bench ./graphs $(GRAPHS)

.PHONY: bench-page
bench-page: setup ## Measure: the operators' page beside a million tasks, with 200 pages open and 5 changes a second
	$(PGTEST) run -- $(GO) run -C bench ./page

.PHONY: bench-tasklib
bench-tasklib: setup ## Measure: the one-table task queue beside River and pgmq
	$(PGTEST) run -- $(GO) run -C bench ./tasklib
