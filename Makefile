# Every target says what it does: "make" lists them. CI calls the same targets.

GO    ?= go
SQLC   = $(GO) tool -modfile=tools/go.mod sqlc
DBMATE = $(GO) tool -modfile=tools/go.mod dbmate --migrations-dir db/migrations --migrations-table tasker_meta.schema_migrations --no-dump-schema
# The linter remembers files by their path: each tree has a memory of its own, or a deleted one is complained of.
export GOLANGCI_LINT_CACHE ?= $(CURDIR)/.cache/lint
LINT   = $(GO) tool -modfile=tools/lint/go.mod golangci-lint
PGTEST = $(GO) run ./internal/cmd/pgtest
SCHEMA = $(GO) run ./internal/cmd/schema

# Modules of their own, whose dependencies users of the library do not get.
MODULES = cmd/tasker metrics worker/otelworker tasklib/tagvalidator examples/tasklib
GOTEST = $(GO) test -race ./... && for m in $(MODULES); do $(GO) test -C $$m -race ./... || exit 1; done

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: setup ## Fulfil two orders before your eyes, on a PostgreSQL of their own, or on DATABASE_URL
	@$(if $(DATABASE_URL),,$(PGTEST) scratch --) $(GO) run -C cmd/tasker . demo

.PHONY: test
test: setup ## Run all tests: pgTAP and Go, on a PostgreSQL of their own
	$(PGTEST) run -- sh -c '$(PGTEST) pgtap && $(GOTEST)'

.PHONY: test-go
test-go: setup ## Run the Go tests
	$(PGTEST) run -- sh -c '$(GOTEST)'

.PHONY: test-pgtap
test-pgtap: setup ## Run the pgTAP tests, or those under T=pgtap/some_function
	$(PGTEST) pgtap $(T)

.PHONY: test-matrix
test-matrix: setup ## Run tests and checks on PostgreSQL 15, 16, 17 and 18
	tools/matrix.sh 15 16 17 18

.PHONY: test-newest
test-newest: setup ## Run pgTAP and checks on the newest PostgreSQL, as CI does
	MATRIX="pgtap verify" tools/matrix.sh 18

.PHONY: test-pgmq
test-pgmq: setup ## Run the queue tests over the real extension pgmq 1.11.1, and compare ours with it
	PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(PGTEST) pgtap pgtap/pgmq pgtap/*pgmq* pgtap/*queue*
	PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(GO) test -race ./internal/pgmqtest

.PHONY: test-partman
test-partman: setup ## Run the tests of growth on PostgreSQL 15 to 18, each without pg_partman, with 4.7.2 and with 5.2.4
	for major in 15 16 17 18; do \
	  PGTASKER_TEST_PGBIN=$$(tools/servers.sh $$major | tail -n 1) $(GO) test -race -count=1 -v ./internal/growthtest || exit 1; \
	done

.PHONY: test-cron
test-cron: setup ## Have the real pg_cron run housekeeping, on a server of its own
	tools/cron-test.sh

.PHONY: test-pgbouncer
test-pgbouncer: setup ## Run workers, tasks and tasklib behind the real PgBouncer 1.18 and 1.24, in transaction mode
	PGTASKER_TEST_PGBOUNCER=$$(tools/pgbouncer.sh) $(GO) test -race -count=1 -timeout 5m ./internal/bouncertest

.PHONY: soak
soak: setup ## Run the long forms of the random tests
	PGTASKER_SOAK=1 PGTASKER_TEST_PGBIN=$$(tools/pgmq.sh) $(GO) test -timeout 90m ./internal/pgmqtest ./internal/propertytest ./internal/modeltest ./internal/crashtest

.PHONY: test-docker
test-docker: setup ## Prove that the tests run in Docker where there are no server binaries
	tools/docker-test.sh

.PHONY: verify
verify: setup ## Prove that schema, migrations, generated Go and docs agree
	$(SCHEMA) check
	$(SCHEMA) verify
	tools/verify-generated.sh

.PHONY: lint
lint: ## Run the linters
	$(LINT) run ./...
	for module in $(MODULES); do \
	  (cd $$module && $(GO) tool -modfile=$(CURDIR)/tools/lint/go.mod golangci-lint run ./...) || exit 1; \
	done

.PHONY: setup
setup: ## Install what the tests need, if it is missing (Debian, root), or say what to install
	@tools/setup.sh

.PHONY: migration
migration: ## Compose migrations from db/schema; after the first release: make migration name=what_it_does
	$(SCHEMA) compose $(name)

.PHONY: generate
generate: ## Generate the Go of queries/
	find gen tasklib/gen -name "*.go" ! -name doc.go -delete
	$(SQLC) generate

.PHONY: docs
docs: ## Write the generated parts of README and docs/
	PGTASKER_UPDATE_DOCS=1 $(GO) test -count=1 -run TestDocs ./internal/docs
	PGTASKER_UPDATE_DOCS=1 $(GO) test -C cmd/tasker -count=1 -run TestDocs ./internal/cli

.PHONY: tasker
tasker: ## Build the command-line tool into bin/
	$(GO) build -C cmd/tasker -o ../../bin/tasker .

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

.PHONY: bench-diamond
bench-diamond: setup ## Measure: tasks created and drained with durable commits, beside River and DBOS
	tools/durable.sh $(GO) run -C bench ./diamond

.PHONY: bench-worker
bench-worker: setup ## Measure: jobs and diamonds through the worker, latency, idle cost, beside River and DBOS
	tools/durable.sh $(GO) run -C bench ./worker

.PHONY: bench-growth
bench-growth: setup ## Measure: the same calls at 1, 8, 18 and 90 partitions; a range dropped and deleted
	$(GO) run -C bench ./growth

.PHONY: bench-operate
bench-operate: setup ## Measure: discovery, health and analytics beside a million finished tasks
	$(PGTEST) run -- $(GO) run -C bench ./operate

.PHONY: bench-tasklib
bench-tasklib: setup ## Measure: the one-table task queue beside River and pgmq
	$(PGTEST) run -- $(GO) run -C bench ./tasklib
