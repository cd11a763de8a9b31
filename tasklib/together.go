package tasklib

import (
	"context"
	"encoding/json"
	"weak"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// pools has the running calls of Submit, by pool.
var pools = together.Pools[gen.SubmitTaskParams, Submission]{Make: newSubmissions}

func newSubmissions(pool weak.Pointer[pgxpool.Pool]) *together.Calls[gen.SubmitTaskParams, Submission] {
	return &together.Calls[gen.SubmitTaskParams, Submission]{
		Alone: func(ctx context.Context, p gen.SubmitTaskParams) (Submission, error) {
			return submit(ctx, pool.Value(), p)
		},
		Shared: func(ctx context.Context, all []gen.SubmitTaskParams) ([]Submission, error) {
			db := pool.Value()
			if db == nil {
				return nil, context.Canceled // every caller has gone, and with them the pool
			}
			return submitMany(ctx, together.Impatient{Pool: db}, shared(all))
		},
		Apart: pgerr.RolledBack,
	}
}

// sharing returns the common part of submissions that may share a call: everything except their arguments. Another transaction may hold the
// key of a submission, so submissions with keys do not share calls.
func sharing(p gen.SubmitTaskParams) (string, bool) {
	p.Kwargs = nil
	key, err := json.Marshal(p)
	return string(key), p.DedupKey == nil && err == nil
}

func shared(all []gen.SubmitTaskParams) gen.SubmitTasksParams {
	first, n := all[0], len(all)
	p := gen.SubmitTasksParams{
		Name: first.Name, Kwargs: make([]json.RawMessage, n), DelaySeconds: repeat(first.DelaySeconds, n),
		Priorities: repeat(first.Priority, n), DedupKept: first.DedupKept,
	}
	for i, one := range all {
		p.Kwargs[i] = one.Kwargs
	}
	if first.MaxRetries != nil {
		p.MaxRetries = repeat(*first.MaxRetries, n)
	}
	if first.TimeoutSeconds != nil {
		p.TimeoutSeconds = repeat(*first.TimeoutSeconds, n)
	}
	if first.Tags != nil {
		p.Tags = repeat(first.Tags, n)
	}
	if first.LimitKey != nil {
		p.LimitKeys = repeat(*first.LimitKey, n)
	}
	return p
}

func submit(ctx context.Context, db executor.DBTX, p gen.SubmitTaskParams) (Submission, error) {
	s, err := NewFunctions(db).SubmitTask(ctx, p)
	return Submission{ID: s.ID, Created: s.Created}, err
}

func submitMany(ctx context.Context, db executor.DBTX, p gen.SubmitTasksParams) ([]Submission, error) {
	rows, err := NewFunctions(db).SubmitTasks(ctx, p)
	if err != nil {
		return nil, err
	}
	submissions := make([]Submission, len(rows))
	for i, row := range rows {
		submissions[i] = Submission{ID: row.ID, Created: row.Created}
	}
	return submissions, nil
}
