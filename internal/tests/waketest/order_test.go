package waketest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// newPool returns a database whose transactions notify only sleepers, with a template shop/job of one step.
func newPool(t *testing.T, options ...pgtest.Option) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, options...)
	prepare(t, pool)
	return pool
}

func prepare(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	set(t, pool, "asleep")
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), []byte(`{
		"namespace": "shop", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}`))
	require.NoError(t, err)
}

func set(t *testing.T, pool *pgxpool.Pool, notify string) {
	t.Helper()
	_, err := executor.New(pool).SetSetting(t.Context(), "notify", &notify)
	require.NoError(t, err)
}

func create(ctx context.Context, db executor.DBTX) error {
	_, err := executor.New(db).CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "job"})
	return err
}

// orders calls f with every order of a's and b's statements, each side's in its own order.
func orders(a, b []string, f func(order []string)) {
	var walk func(i, j int, order []string)
	walk = func(i, j int, order []string) {
		if i == len(a) && j == len(b) {
			f(order)
			return
		}
		if i < len(a) {
			walk(i+1, j, append(order[:i+j:i+j], a[i]))
		}
		if j < len(b) {
			walk(i, j+1, append(order[:i+j:i+j], b[j]))
		}
	}
	walk(0, 0, nil)
}

// stage is a writer and a sleeper on connections of their own.
type stage struct {
	t               *testing.T
	writer, sleeper *pgx.Conn
	level           string

	tx      pgx.Tx // the writer's
	marking pgx.Tx // the sleeper's
	id      uuid.UUID
	writers []int64
	seen    bool // by the query after open_writers
}

const channel = "tasker_steps_ready.shop"

func newStage(t *testing.T, pool *pgxpool.Pool, level string) *stage {
	t.Helper()
	s := &stage{t: t, level: level, id: uuid.New()}
	for _, conn := range []**pgx.Conn{&s.writer, &s.sleeper} {
		c, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
		*conn = c
	}
	_, err := s.sleeper.Exec(t.Context(), `listen "`+channel+`"`)
	require.NoError(t, err)
	return s
}

// do runs a statement of either side.
func (s *stage) do(name string) (err error) {
	ctx := s.t.Context()
	switch name {
	case "begin":
		s.tx, err = s.writer.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.TxIsoLevel(s.level)})
		return err
	case "read": // takes the snapshot of the levels above READ COMMITTED
		_, err = s.tx.Exec(ctx, "select 1")
		return err
	case "number": // takes the transaction number
		_, err = s.tx.Exec(ctx, "select pg_current_xact_id()")
		return err
	case "create":
		return create(ctx, s.tx)
	case "commit":
		return s.tx.Commit(ctx)

	case "mark":
		if s.marking, err = s.sleeper.Begin(ctx); err == nil {
			_, err = executor.New(s.marking).MarkSleeping(ctx, s.id, []string{channel}, 0)
		}
		return err
	case "marked":
		return s.marking.Commit(ctx)
	case "writers":
		s.writers, err = executor.New(s.sleeper).OpenWriters(ctx, nil)
		return err
	case "query":
		s.seen, err = s.query()
		return err
	}
	return fmt.Errorf("no statement %q", name)
}

// query returns whether a step can be claimed, without claiming it.
func (s *stage) query() (found bool, err error) {
	err = s.sleeper.QueryRow(s.t.Context(), "select exists (select from tasker.step_queue)").Scan(&found)
	return found, err
}

// woken returns how the sleeper learns of the writer's work after both have run all their statements, or "" if it does not.
func (s *stage) woken() string {
	if s.seen {
		return "query"
	}
	// The server sends pending notifications before its next answer.
	_, err := s.sleeper.Exec(s.t.Context(), "select 1")
	require.NoError(s.t, err)
	now, cancel := context.WithTimeout(s.t.Context(), time.Millisecond)
	defer cancel()
	if notification, _ := s.sleeper.WaitForNotification(now); notification != nil {
		return "notification"
	}
	left, err := executor.New(s.sleeper).OpenWriters(s.t.Context(), s.writers)
	require.NoError(s.t, err)
	if len(left) < len(s.writers) {
		found, err := s.query()
		require.NoError(s.t, err)
		if found {
			return "writer"
		}
	}
	return ""
}

// clean deletes the tasks and the mark.
func (s *stage) clean() {
	ctx := s.t.Context()
	_, err := executor.New(s.sleeper).MarkAwake(ctx, s.id, []string{channel})
	require.NoError(s.t, err)
	_, err = s.sleeper.Exec(ctx, "delete from tasker.step_queue")
	require.NoError(s.t, err)
	s.id, s.writers, s.seen = uuid.New(), nil, false
}

var (
	sleeping = []string{"mark", "marked", "writers", "query"}
	writings = [][]string{
		{"begin", "create", "commit"},
		{"begin", "read", "create", "commit"},
		{"begin", "number", "create", "commit"},
	}
)

func TestProtocol_LosesNoWakeupInAnyOrder(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, newPool(t), level)
			ways := map[string]int{}
			for _, writing := range writings {
				orders(writing, sleeping, func(order []string) {
					for _, statement := range order {
						require.NoError(t, s.do(statement), "%s in %s", statement, order)
					}
					way := s.woken()
					require.NotEmpty(t, way, "nothing wakes the sleeper: %s", strings.Join(order, ", "))
					ways[way]++
					s.clean()
				})
			}
			require.NotZero(t, ways["query"])
			// Above READ COMMITTED a transaction always notifies.
			require.Equal(t, level == "read committed", ways["writer"] > 0, "whether some order needs the open writers: %v", ways)
			require.NotZero(t, ways["notification"], "some order needs the notification: %v", ways)
			t.Log(ways)
		})
	}
}

// The protocol needs the open writers. A sleeper that only marks and queries would miss work, and the test detects
// this.
func TestProtocol_NeedsTheOpenWriters(t *testing.T) {
	t.Parallel()
	s := newStage(t, newPool(t), "read committed")
	lost := 0
	for _, writing := range writings {
		orders(writing, []string{"mark", "marked", "query"}, func(order []string) {
			for _, statement := range order {
				require.NoError(t, s.do(statement), "%s in %s", statement, order)
			}
			if s.woken() == "" {
				lost++
			}
			s.clean()
		})
	}
	require.NotZero(t, lost)
}

// A transaction that took its number while the mark was being committed is in no snapshot's list until a later transaction has
// ended. The open writers include it, because they include all numbers up to the sleeper's own.
func TestOpenWriters_IncludeNumbersThatNoSnapshotLists(t *testing.T) {
	t.Parallel()
	s := newStage(t, newPool(t), "read committed")
	for _, statement := range []string{"mark", "begin", "number", "create", "marked", "writers", "query"} {
		require.NoError(t, s.do(statement), statement)
	}
	var number int64
	require.NoError(t, s.tx.QueryRow(t.Context(), "select pg_current_xact_id()::text::bigint").Scan(&number))
	require.Contains(t, s.writers, number)
	require.False(t, s.seen)
	require.NoError(t, s.do("commit"))
	require.Equal(t, "writer", s.woken())
}

func TestProtocol_WaitsForATransactionThatStaysOpen(t *testing.T) {
	t.Parallel()
	s := newStage(t, newPool(t), "read committed")
	for _, statement := range append([]string{"begin", "create"}, sleeping...) {
		require.NoError(t, s.do(statement), statement)
	}
	for range 3 {
		left, err := executor.New(s.sleeper).OpenWriters(t.Context(), s.writers)
		require.NoError(t, err)
		require.NotEmpty(t, left, "the transaction is still open")
		s.writers = left
	}
	require.NoError(t, s.do("commit"))
	require.Equal(t, "writer", s.woken())
}
