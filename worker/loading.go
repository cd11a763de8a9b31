package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
)

// A run is the source of its steps. While the database cannot be reached, it waits.
var _ source = (*run)(nil)

func (r *run) world() durable.World { return runWorld{r} }

func (r *run) loadContext(ctx context.Context, taskUUID uuid.UUID) (*value, error) {
	loaded, err := r.shared.get(ctx, taskUUID.String(), func() (any, int, error) {
		var raw json.RawMessage
		err := r.persist(ctx, "loading a task's context", func(ctx context.Context) (err error) {
			raw, err = loadContext(ctx, r.db, taskUUID)
			return err
		})
		return &value{raw: raw}, len(raw), err
	})
	if err != nil {
		return nil, err
	}
	return loaded.(*value), nil
}

func (r *run) loadResults(ctx context.Context, stepUUID uuid.UUID, sharedBy string) (values, error) {
	load := func() (any, int, error) {
		var results values
		err := r.persist(ctx, "loading parents' results", func(ctx context.Context) error {
			raw, err := loadResults(ctx, r.db, stepUUID)
			results = asValues(raw)
			return err
		})
		return results, results.bytes(), err
	}
	var loaded any
	var err error
	if sharedBy == "" {
		loaded, _, err = load()
	} else {
		loaded, err = r.shared.get(ctx, sharedBy, load)
	}
	if err != nil {
		return nil, err
	}
	return loaded.(values), nil
}

func (r *run) loadAncestor(ctx context.Context, stepUUID uuid.UUID, name string) (raw json.RawMessage, found bool, err error) {
	err = r.persist(ctx, "loading the result of a step before", func(ctx context.Context) (err error) {
		raw, found, err = loadAncestor(ctx, r.db, stepUUID, name)
		return err
	})
	return raw, found, err
}

func (r *run) loadTask(ctx context.Context, taskUUID uuid.UUID) (task executor.TaskDetail, err error) {
	err = r.persist(ctx, "loading the task of a payload", func(ctx context.Context) (err error) {
		task, err = r.db.GetTask(ctx, taskUUID)
		return err
	})
	return task, err
}

func (r *run) saveCheckpoint(ctx context.Context, claim direct.StepClaim, checkpoint json.RawMessage) error {
	at := time.Now()
	var answer gen.LeaseAnswer
	err := r.persist(ctx, "saving a checkpoint", func(ctx context.Context) (err error) {
		answer, err = r.db.CheckpointStep(ctx, claim, checkpoint, r.config.Lease)
		return err
	})
	if err != nil {
		return err
	}
	switch answer {
	case gen.LeaseAnswerSaved:
		r.steps.renew([]direct.StepClaim{claim}, at)
		return nil
	case gen.LeaseAnswerStale, gen.LeaseAnswerCancelled:
		return r.endStep(claim, answer == gen.LeaseAnswerCancelled)
	default:
		return fmt.Errorf("the database answered a checkpoint with %q, which this worker does not know", answer)
	}
}

func (r *run) beginTx(ctx context.Context) (tx pgx.Tx, err error) {
	if r.begin == nil {
		return nil, durable.ErrNoTransactions
	}
	return r.places.Begin(ctx, func(ctx context.Context) (pgx.Tx, error) {
		err := r.once(ctx, "beginning a transaction", func(ctx context.Context) (err error) {
			tx, err = r.begin(ctx)
			return err
		})
		return tx, err
	})
}

func (r *run) recordIn(ctx context.Context, claim direct.StepClaim, call func(ctx context.Context) error) error {
	r.steps.finish(claim) // The caller knows that the lease is no longer extended.
	return r.once(ctx, "recording a result in its transaction", call)
}

func (*run) insists() bool { return true }

func (r *run) pause(ctx context.Context, d time.Duration) error {
	r.watch.Pause(ctx, d)
	return ctx.Err()
}

// alone is the source of a step that runs outside a worker. It returns errors at once.
type alone struct {
	db    database
	lease time.Duration
	begin func(ctx context.Context) (pgx.Tx, error) // begins a transaction; nil if the handler can have none
}

func (d alone) world() durable.World { return directWorld{d} }

func (d alone) beginTx(ctx context.Context) (pgx.Tx, error) {
	if d.begin == nil {
		return nil, durable.ErrNoTransactions
	}
	return d.begin(ctx)
}

func (alone) recordIn(ctx context.Context, _ direct.StepClaim, call func(ctx context.Context) error) error {
	return call(ctx)
}

func (alone) insists() bool { return false }

func (alone) pause(ctx context.Context, d time.Duration) error { return pause(ctx, d) }

func (d alone) loadContext(ctx context.Context, taskUUID uuid.UUID) (*value, error) {
	if d.db == nil {
		return &value{}, nil
	}
	raw, err := loadContext(ctx, d.db, taskUUID)
	return &value{raw: raw}, err
}

func (d alone) loadResults(ctx context.Context, stepUUID uuid.UUID, _ string) (values, error) {
	if d.db == nil {
		return nil, nil
	}
	raw, err := loadResults(ctx, d.db, stepUUID)
	return asValues(raw), err
}

func (d alone) loadAncestor(ctx context.Context, stepUUID uuid.UUID, name string) (json.RawMessage, bool, error) {
	if recording, ok := durable.From(ctx).(durable.Recording); ok {
		return recording.Ancestor(name)
	}
	if d.db == nil {
		return nil, false, nil
	}
	return loadAncestor(ctx, d.db, stepUUID, name)
}

func (d alone) loadTask(ctx context.Context, taskUUID uuid.UUID) (executor.TaskDetail, error) {
	if d.db == nil {
		return executor.TaskDetail{}, errNoTasks
	}
	return d.db.GetTask(ctx, taskUUID)
}

func (d alone) saveCheckpoint(ctx context.Context, claim direct.StepClaim, checkpoint json.RawMessage) error {
	if d.db == nil {
		return nil
	}
	answer, err := d.db.CheckpointStep(ctx, claim, checkpoint, d.lease)
	switch {
	case err != nil:
		return err
	case answer == gen.LeaseAnswerCancelled:
		return ErrCancelled
	case answer != gen.LeaseAnswerSaved:
		return ErrLost
	}
	return nil
}

func loadContext(ctx context.Context, db database, taskUUID uuid.UUID) (json.RawMessage, error) {
	task, err := db.GetTask(ctx, taskUUID)
	return task.Context, err
}

// loadAncestor returns the result of the step with this name above the given step, and whether such a result exists.
func loadAncestor(ctx context.Context, db database, stepUUID uuid.UUID, name string) (json.RawMessage, bool, error) {
	rows, err := db.GetAncestorResult(ctx, stepUUID, name)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	return rows[0].Results, true, nil
}

// resultsPage is the number of parents whose results the first page has. If the results are small, later pages have more
// results, up to resultsPageMost.
const (
	resultsPage     = 20
	resultsPageMost = 1000
)

func loadResults(ctx context.Context, db database, stepUUID uuid.UUID) (map[string]json.RawMessage, error) {
	results := map[string]json.RawMessage{}
	maps := map[string]bool{}
	rows := int32(resultsPage)
	for after := int32(0); ; {
		page, err := db.GetParentResults(ctx, stepUUID, after, rows)
		if err != nil {
			return nil, err
		}
		bytes := 0
		for _, parent := range page {
			after = parent.StepNo
			bytes += len(parent.Results)
			if parent.Map == nil {
				results[parent.Name] = parent.Results
				continue
			}
			name := *parent.Map
			// The elements of a map arrive in their order.
			sep := byte(',')
			if !maps[name] {
				maps[name], sep = true, '['
			}
			element := parent.Results
			if element == nil {
				element = json.RawMessage("null")
			}
			results[name] = append(append(results[name], sep), element...)
		}
		if len(page) < int(rows) {
			for name := range maps {
				results[name] = append(results[name], ']')
			}
			return results, nil
		}
		if bytes < 1<<20 {
			rows = min(2*rows, resultsPageMost)
		} else {
			rows = resultsPage
		}
	}
}
