package executor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// away stands for a server that answers every call with an error.
type away struct{ err error }

func (a away) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, a.err
}
func (a away) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, a.err }
func (a away) QueryRow(context.Context, string, ...any) pgx.Row        { return awayRow(a) }

type awayRow struct{ err error }

func (r awayRow) Scan(...any) error { return r.err }

func TestWithReads_SendsElsewhereWhatOnlyReads(t *testing.T) {
	t.Parallel()
	primary, standby := errors.New("the primary"), errors.New("the standby")
	e := executor.New(away{primary}).WithReads(away{standby})

	for name, call := range map[string]func(ctx context.Context) error{
		"a row":     func(ctx context.Context) error { _, err := e.GetTask(ctx, uuid.New()); return err },
		"a list":    func(ctx context.Context) error { _, err := e.ListTasks(ctx, sqlfn.ListTasksParams{}); return err },
		"a wrapped": func(ctx context.Context) error { _, err := e.GetTaskExecutionContext(ctx, uuid.New()); return err },
		"a report":  func(ctx context.Context) error { _, err := e.GetSystemHealthCounts(ctx); return err },
		"the lag":   func(ctx context.Context) error { _, err := e.StandbyLag(ctx); return err },
	} {
		require.ErrorIs(t, call(t.Context()), standby, name)
	}
	for name, call := range map[string]func(ctx context.Context) error{
		"a write":        func(ctx context.Context) error { _, err := e.CancelTask(ctx, uuid.New(), "", ""); return err },
		"a claim":        func(ctx context.Context) error { _, err := e.ClaimSteps(ctx, sqlfn.ClaimStepsParams{}); return err },
		"a lease of one": func(ctx context.Context) error { _, err := e.GetNextReadyTasks(ctx, 1); return err },
		"maintenance":    func(ctx context.Context) error { _, err := e.RunMaintenance(ctx, ""); return err },
	} {
		require.ErrorIs(t, call(t.Context()), primary, name)
	}
}

// The primary notifies of changes: a standby may not have them yet.
func TestWithReads_WaitsOnThePrimary(t *testing.T) {
	t.Parallel()
	unknown := &pgconn.PgError{Code: "TK404", Message: "there is no such task"}
	c := executor.NewClient(away{unknown}).WithReads(away{errors.New("the standby")})
	_, err := c.Tasks().Wait(t.Context(), uuid.New())
	require.ErrorIs(t, err, executor.ErrNotFound)
}
