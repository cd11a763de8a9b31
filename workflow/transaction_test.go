package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

// noted writes what a function got in its transaction, and fails its first attempt after that.
func noted(ctx context.Context, tx pgx.Tx, job *workflow.Job[claim], got ...any) (string, error) {
	text := fmt.Sprint(append([]any{job.Name}, got...)...)
	if _, err := tx.Exec(ctx, "insert into public.notes values ($1)", text); err != nil {
		return "", err
	}
	if job.Attempt == 1 {
		return "", errors.New("not yet")
	}
	return job.Name, nil
}

func notes(t *testing.T, db interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
},
) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), "select text from public.notes")
	require.NoError(t, err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	slices.Sort(texts)
	return texts
}

// Each constructor hands its function a transaction beside its arguments, and each step writes once.
func TestTx_EveryConstructorHandsOverATransaction(t *testing.T) {
	t.Parallel()
	type job = workflow.Job[claim]
	w := workflow.New[claim]("shop", "transactions", "1")
	a := workflow.RootTx(w, "a", func(ctx context.Context, tx pgx.Tx, j *job) (string, error) { return noted(ctx, tx, j) })
	b := workflow.After1Tx(w, "b", a, func(ctx context.Context, tx pgx.Tx, j *job, a string) (string, error) { return noted(ctx, tx, j, a) })
	c := workflow.After2Tx(w, "c", a, b, func(ctx context.Context, tx pgx.Tx, j *job, a, b string) (string, error) {
		return noted(ctx, tx, j, a, b)
	})
	d := workflow.After3Tx(w, "d", a, b, c, func(ctx context.Context, tx pgx.Tx, j *job, a, b, c string) (string, error) {
		return noted(ctx, tx, j, a, b, c)
	})
	workflow.After4Tx(w, "e", a, b, c, d, func(ctx context.Context, tx pgx.Tx, j *job, a, b, c, d string) (string, error) {
		return noted(ctx, tx, j, a, b, c, d)
	})
	workflow.DoTx(w, "h", a, func(ctx context.Context, tx pgx.Tx, j *job) error {
		_, err := noted(ctx, tx, j)
		return err
	})
	workflow.Do1Tx(w, "i", a, func(ctx context.Context, tx pgx.Tx, j *job, a string) error {
		_, err := noted(ctx, tx, j, a)
		return err
	})
	list := workflow.After1(w, "list", a, func(context.Context, *job, string) ([]int, error) { return []int{1, 2}, nil })
	each := workflow.EachTx(w, "j", list, func(ctx context.Context, tx pgx.Tx, j *job, n int) (string, error) { return noted(ctx, tx, j, n) })
	workflow.EachAllowingTx(w, "k", list, 1, func(ctx context.Context, tx pgx.Tx, j *job, n int) (string, error) {
		text, err := noted(ctx, tx, j, n)
		if n == 2 {
			err = worker.Permanent(errors.New("no"))
		}
		return text, err
	})
	last := workflow.After1(w, "last", each, func(_ context.Context, _ *job, all []string) (int, error) { return len(all), nil })

	pool := pgtest.New(t)
	tx := begin(t, pool)
	_, err := tx.Exec(t.Context(), "create table public.notes (text text)")
	require.NoError(t, err)
	report := workertest.RunWorkflow(t, tx, w, claim{Number: 7})
	require.Equal(t, state.TaskComplete, report.State, report.String())
	require.Equal(t, 2, workertest.ResultOf(t, report, last))
	require.Equal(t, []string{"a", "ba", "cab", "dabc", "eabcd", "h", "ia", "j[0]1", "j[1]2", "k[0]1"}, notes(t, tx))
}

func TestCompensateTx_UndoesInTheTransactionOfItsResult(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "undone", "1", workflow.FailOnFailure())
	type job = workflow.Job[claim]
	list := workflow.Root(w, "list", func(context.Context, *job) ([]int, error) { return []int{1, 2}, nil })
	each := workflow.Each(w, "each", list, func(_ context.Context, _ *job, n int) (int, error) { return 10 * n, nil })
	booked := workflow.After1(w, "book", each, func(context.Context, *job, []int) (int, error) { return 7, nil })
	workflow.Do(w, "fail", booked, func(context.Context, *job) error { return worker.Permanent(errors.New("no")) })
	workflow.CompensateTx(booked, func(ctx context.Context, tx pgx.Tx, j *job, undo workflow.Undoing[int]) error {
		_, err := noted(ctx, tx, j, " ", undo.Step, undo.Result)
		return err
	})
	workflow.CompensateEachTx(each, func(ctx context.Context, tx pgx.Tx, j *job, undo workflow.Undoing[int]) error {
		_, err := noted(ctx, tx, j, " ", undo.Result)
		return err
	})
	pool := pgtest.New(t)
	tx := begin(t, pool)
	_, err := tx.Exec(t.Context(), "create table public.notes (text text)")
	require.NoError(t, err)
	report := workertest.RunWorkflow(t, tx, w, claim{Number: 7})
	require.Equal(t, state.TaskError, report.State, report.String())
	require.Equal(t, []string{"undo book book7", "undo each[0] 10", "undo each[1] 20"}, notes(t, tx))
}
