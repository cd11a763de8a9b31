// Package replaytest exports the tasks of a database after a test, and replays them.
package replaytest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/replay"
	"github.com/pgtasker/pgtasker/worker"
)

// Same exports every task, or a sample, and replays it with the handlers of w, which did the task's work. Nothing may diverge. Same returns
// the number of steps that ran.
func Same(t testing.TB, db executor.DBTX, w *worker.Worker) int {
	t.Helper()
	ran := 0
	each(t, db, func(e *replay.Export) {
		report, err := replay.Task(context.Background(), w, e, replay.Options{})
		require.NoError(t, err)
		require.Empty(t, report.Divergences)
		for _, step := range report.Steps {
			if step.Ran {
				ran++
			}
		}
	})
	return ran
}

// Recorded exports every task, or a sample, of a test whose work was done by calls of SQL. It replays each task with handlers that repeat
// the record: they make the calls that a function kept, and return the result or the error. Nothing may diverge. Recorded returns the
// number of steps that ran.
func Recorded(t testing.TB, db executor.DBTX) int {
	t.Helper()
	ran := 0
	each(t, db, func(e *replay.Export) { ran += recorded(t, executor.New(db), e) })
	t.Logf("%d steps replayed", ran)
	return ran
}

// sample is the largest number of exported tasks of a test. They are evenly spread over the time in which the tasks were created.
// PGTASKER_REPLAY_TASKS sets it.
const sample = 150

// each exports the tasks of a database, or a sample if there are more tasks, and logs both numbers.
func each(t testing.TB, db executor.DBTX, do func(*replay.Export)) {
	t.Helper()
	functions, schema := executor.New(db), readSchema(t)
	var tasks []uuid.UUID
	var before uuid.UUID
	for {
		page, err := functions.ListTasks(context.Background(), sqlfn.ListTasksParams{Before: before, Limit: 1000})
		require.NoError(t, err)
		for _, task := range page {
			tasks = append(tasks, task.TaskUUID)
			before = task.TaskUUID
		}
		if len(page) < 1000 {
			break
		}
	}
	require.NotEmpty(t, tasks)
	most := pgtest.Number("PGTASKER_REPLAY_TASKS", sample)
	chosen := min(len(tasks), most)
	for i := range chosen {
		task, err := functions.GetTask(context.Background(), tasks[i*len(tasks)/chosen])
		require.NoError(t, err)
		raw, err := functions.ExportTask(context.Background(), task.TaskUUID, true, nil)
		require.NoError(t, err)
		var document any
		require.NoError(t, json.Unmarshal(raw, &document))
		require.Empty(t, schema.Problem("$", document), "the document is as its schema describes it")
		e := &replay.Export{}
		require.NoError(t, json.Unmarshal(raw, e))
		require.Len(t, e.Steps, int(task.TotalSteps), "the document has every step of the graph")
		do(e)
	}
	t.Logf("%d of %d tasks exported and replayed", chosen, len(tasks))
}

func recorded(t testing.TB, db *executor.SqlFunctionExecutor, e *replay.Export) (ran int) {
	steps := map[uuid.UUID]replay.Step{}
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	for _, s := range e.Steps {
		steps[s.StepUUID] = s
		if inner.Of(w).Handles(s.Handler) {
			continue
		}
		worker.Handle(w, s.Handler, func(ctx context.Context, job *worker.Job[json.RawMessage]) (json.RawMessage, error) {
			s := steps[job.StepUUID]
			require.JSONEq(t, string(e.Task.Context), string(job.Input))
			parents, err := worker.Results[json.RawMessage](job)
			if err != nil {
				return nil, err
			}
			if s.UndoNo == nil && s.MapNo == nil {
				requireParents(t, db, s, parents)
			}
			if err := repeat(ctx, job, s); err != nil {
				return nil, err
			}
			if s.LastError != nil && !s.State.SatisfiesDependencies() {
				return nil, errors.New(*s.LastError)
			}
			return s.Results, nil
		})
	}
	report, err := replay.Task(context.Background(), w, e, replay.Options{})
	require.NoError(t, err)
	require.Empty(t, report.Divergences)
	for _, step := range report.Steps {
		if step.Ran {
			ran++
		}
	}
	return ran
}

// repeat makes the calls that a function kept.
func repeat(ctx context.Context, job *worker.Job[json.RawMessage], s replay.Step) error {
	if s.Function == nil {
		return nil
	}
	for _, k := range s.Function.Kept {
		switch name := k.Name; {
		case name == "$now":
			worker.Now(ctx, job)
		case name == "$rand":
			worker.Rand(ctx, job)
		case name == "$sleep":
			worker.Sleep(ctx, job, time.Hour)
		case len(name) > 7 && name[:7] == "$await.":
			if _, err := worker.Await(ctx, job, worker.Signal[json.RawMessage](name[7:]), worker.Waiting{}); err != nil {
				return err
			}
		case len(name) > 7 && name[:7] == "$event.":
			if _, err := worker.Await(ctx, job, worker.Event[json.RawMessage](name[7:]), worker.Waiting{}); err != nil {
				return err
			}
		case len(name) > 9 && name[:9] == "$changed.":
			worker.Changed(ctx, job, name[9:])
		default:
			_, err := worker.Once(ctx, job, name, func(context.Context, uuid.UUID) (json.RawMessage, error) {
				return nil, errors.New("a recorded call is made again")
			})
			var kept *worker.KeptError
			if err != nil && !errors.As(err, &kept) {
				return err
			}
		}
	}
	return nil
}

// requireParents requires the results that the database has for a step's parents.
func requireParents(t testing.TB, db *executor.SqlFunctionExecutor, s replay.Step, parents map[string]json.RawMessage) {
	t.Helper()
	want := map[string]json.RawMessage{}
	var after int32
	for {
		page, err := db.GetParentResults(context.Background(), s.StepUUID, after, 1000)
		require.NoError(t, err)
		for _, row := range page {
			after = row.StepNo
			if row.Map == nil {
				want[row.Name] = row.Results
				continue
			}
			var elements []json.RawMessage
			if before := want[*row.Map]; before != nil {
				require.NoError(t, json.Unmarshal(before, &elements))
			}
			element := row.Results
			if element == nil {
				element = json.RawMessage("null")
			}
			want[*row.Map], err = json.Marshal(append(elements, element))
			require.NoError(t, err)
		}
		if len(page) < 1000 {
			break
		}
	}
	require.Len(t, parents, len(want), s.Name)
	for name, result := range want {
		if result == nil {
			result = json.RawMessage("null")
		}
		require.JSONEq(t, string(result), string(parents[name]), "%s of %s", name, s.Name)
	}
}
