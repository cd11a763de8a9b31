package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// envChild makes the test binary the command line itself, for tests that need a process of its own.
const envChild = "PGTASKER_TEST_CLI"

func TestMain(m *testing.M) {
	if os.Getenv(envChild) == "" {
		pgtest.Main(m)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := Main(ctx, Process{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv})
	stop()
	os.Exit(code)
}

// result is the exit code and the output of a command.
type result struct {
	code     int
	out, err string
}

// tasker runs a command on a test's database.
func tasker(t *testing.T, pool *pgxpool.Pool, args ...string) result {
	t.Helper()
	return taskerWith(t, pgtest.URL(pool), "", args...)
}

// taskerWith runs a command with this database address and this standard input.
func taskerWith(t *testing.T, address, input string, args ...string) result {
	t.Helper()
	env := map[string]string{"DATABASE_URL": address, "TZ": "UTC"}
	return run(t.Context(), env, input, args...)
}

func run(ctx context.Context, env map[string]string, input string, args ...string) result {
	var out, errs bytes.Buffer
	code := Main(ctx, Process{
		Args: args, In: strings.NewReader(input), Out: &out, Err: &errs,
		Getenv: func(name string) string { return env[name] },
	})
	return result{code, out.String(), errs.String()}
}

// must runs a command that has to succeed and returns its output.
func must(t *testing.T, pool *pgxpool.Pool, args ...string) string {
	t.Helper()
	r := tasker(t, pool, args...)
	require.Equal(t, exitDone, r.code, r.err)
	require.Empty(t, r.err)
	return r.out
}

var (
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}`)
	times = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`)
)

// scrubbed replaces UUIDs and times in an output, so that it is the same at each run. The last four digits of a UUID stay:
// they are the number of a step.
func scrubbed(out string) string {
	out = uuids.ReplaceAllString(out, "01234567-89ab-7cde-8f01-23456789")
	return times.ReplaceAllString(out, "2026-01-01 12:00:00Z")
}

// requireOutput compares the output of a command with a text that begins on a line of its own.
func requireOutput(t *testing.T, want, have string) {
	t.Helper()
	require.Equal(t, strings.TrimPrefix(want, "\n"), scrubbed(have))
}

// freeze stops the clock of the database, so that ages are the same at each run.
func freeze(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	execute(t, pool, "select tasker_test.freeze()")
}

func execute(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	_, err := pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// file writes a temporary file and returns its path.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

const order = `namespace: shop
name: order
version: 1.0.0
description: An order, from reservation to delivery
steps:
  - name: reserve
    retry: {max_attempts: 5}
    initialization: {warehouse: north}
  - name: charge
    dependencies: [reserve]
  - name: pack
    dependencies: [reserve]
  - name: ship
    handler: shipping.ship
    dependencies: [{step: charge, when: $.paid == true}, pack]
`

// newShop returns a database with a frozen clock and the template shop/order.
func newShop(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	freeze(t, pool)
	must(t, pool, "apply", file(t, "order.yaml", order))
	return pool
}

// createTask creates a task and returns its UUID.
func createTask(t *testing.T, pool *pgxpool.Pool, args ...string) string {
	t.Helper()
	var task struct {
		UUID string `json:"task_uuid"`
	}
	out := must(t, pool, append([]string{"task", "create", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &task))
	return task.UUID
}

// short returns a UUID's short id.
func short(id string) string { return shortID(uuid.MustParse(id)) }

// stepOf returns the UUID of a task's step by its number.
func stepOf(task string, no int) string {
	return task[:len(task)-4] + fmt.Sprintf("%04x", no)
}
