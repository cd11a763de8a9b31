package otelworker_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

// The span of a handler with a transaction ends with the transaction.
func TestOutcome_OfAHandlerWithATransaction(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    func(ctx context.Context, l *lab, tx pgx.Tx, job *worker.Job[none]) error
		want worker.Outcome
	}{
		"committed": {func(context.Context, *lab, pgx.Tx, *worker.Job[none]) error { return nil }, worker.OutcomeSuccess},
		"refused at the commit": {func(ctx context.Context, _ *lab, tx pgx.Tx, _ *worker.Job[none]) error {
			_, err := tx.Exec(ctx, `create temporary table t (n int primary key, of int references t deferrable initially deferred) on commit drop;
				insert into t values (1, 2)`)
			return err
		}, worker.OutcomeFailure},
		"cancelled meanwhile": {func(ctx context.Context, l *lab, _ pgx.Tx, job *worker.Job[none]) error {
			_, err := l.CancelTask(ctx, job.TaskUUID, "", "")
			return err
		}, worker.OutcomeLost},
		"lost to another transaction": {func(ctx context.Context, l *lab, tx pgx.Tx, _ *worker.Job[none]) error {
			_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001'; end $$")
			return err
		}, worker.OutcomeRolledBack},
		"failed": {func(context.Context, *lab, pgx.Tx, *worker.Job[none]) error { return errors.New("no") }, worker.OutcomeFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			w := l.newWorker(worker.Config{PollOnly: true}, l.config()) // no notification comes before the handler returns
			worker.HandleTx(w, "do_work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (string, error) {
				return "", c.f(ctx, l, tx, job)
			})
			stop := l.start(w)
			_, err := l.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job"})
			require.NoError(t, err)
			span := l.span()
			require.Equal(t, string(c.want), attributes(span)[otelworker.OutcomeKey])
			stop()
		})
	}
}
