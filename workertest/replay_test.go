package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/replay"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type parcelOrder struct {
	Weight int    `json:"weight"`
	Email  string `json:"email"`
}

// parcels is a worker of two versions of the same code: the newer one mends the price of heavy parcels.
func parcels(t testing.TB, cents int, mended bool) *worker.Worker {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "price", func(_ context.Context, job *worker.Job[parcelOrder]) (map[string]any, error) {
		return map[string]any{"cents": job.Input.Weight * cents, "email": job.Input.Email}, nil
	})
	worker.Handle(w, "label", func(_ context.Context, job *worker.Job[parcelOrder]) (string, error) {
		price, err := worker.Result[struct{ Cents int }](job, "price")
		if err != nil {
			return "", err
		}
		if price.Cents > 1000 && !mended {
			return "", worker.Permanent(errors.New("no label for a heavy parcel"))
		}
		return fmt.Sprintf("%d cents", price.Cents), nil
	})
	return w
}

// exported runs tasks and returns a folder with their documents.
func exported(t *testing.T, blank []string, weights ...int) string {
	t.Helper()
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "parcel", "steps": [
		{"name": "price"}, {"name": "label", "dependencies": ["price"]}]}`))
	require.NoError(t, err)
	folder := t.TempDir()
	var lines []byte
	for _, weight := range weights {
		task, err := e.CreateTask(t.Context(), executor.TaskRequest{
			Namespace: "shop", Name: "parcel", Context: fmt.Appendf(nil, `{"weight": %d, "email": "ada@example.org"}`, weight),
		})
		require.NoError(t, err)
		workertest.Run(t, pool, parcels(t, 10, false), task.TaskUUID)
		raw, err := e.ExportTask(t.Context(), task.TaskUUID, true, blank)
		require.NoError(t, err)
		lines = append(append(lines, raw...), '\n')
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tasks.ndjson"), lines, 0o600))
	return folder
}

func TestReplay_AFailedStepIsRedUntilItIsMended(t *testing.T) {
	t.Parallel()
	folder := exported(t, nil, 200)
	red := workertest.Replay(t, parcels(t, 10, false), folder)
	require.Equal(t, "no label for a heavy parcel", red.Outcome(t, "label").Err)
	require.Equal(t, "no label for a heavy parcel", red.Outcome(t, "label").Recorded)
	green := workertest.Replay(t, parcels(t, 10, true), folder)
	require.Empty(t, green.Outcome(t, "label").Err)
	require.JSONEq(t, `"2000 cents"`, string(green.Outcome(t, "label").Result))
	require.Equal(t, state.TaskBlockedByFailures, green.Tasks[0].Task.State)
}

func TestReplay_FailsTheTestWhereTheCodeDiverges(t *testing.T) {
	t.Parallel()
	folder := exported(t, nil, 1, 2)
	seen := &recorder{TB: t}
	workertest.Replay(seen, parcels(t, 11, false), folder)
	require.Len(t, seen.errors, 2)
	require.Contains(t, seen.errors[0], `tasks.ndjson:1: task `)
	require.Contains(t, seen.errors[0], `of shop/parcel@0.1.0, step "price": its result has another value: $.cents is 11, and was 10 (`)
	require.Regexp(t, `replay_test\.go:\d+\)$`, seen.errors[0])
	require.Contains(t, seen.errors[1], `$.cents is 22, and was 20`)

	// The other steps have their recorded results.
	workertest.Replayer{Steps: []string{"label"}}.Replay(t, parcels(t, 11, false), folder)
	workertest.Replayer{FunctionsOnly: true}.Replay(t, parcels(t, 11, false), folder)
}

func TestReplay_WhatWasBlankedIsNotCompared(t *testing.T) {
	t.Parallel()
	folder := exported(t, []string{"$.**.email"}, 1)
	raw, err := os.ReadFile(filepath.Join(folder, "tasks.ndjson"))
	require.NoError(t, err)
	require.NotContains(t, string(raw), "ada@")
	workertest.Replay(t, parcels(t, 10, false), folder)
}

func TestAccept_DivergencesAreReportedNoMore(t *testing.T) {
	t.Parallel()
	folder := exported(t, nil, 1, 2)
	var exports []*replay.Export
	var reports []replay.Report
	collect := func(e *replay.Export, r replay.Report) { exports, reports = append(exports, e), append(reports, r) }
	require.NoError(t, replay.Files(t.Context(), parcels(t, 11, false), replay.Options{}, collect, folder))
	require.NoError(t, replay.Accept(exports, reports))

	again := workertest.Replay(t, parcels(t, 11, false), folder)
	require.Equal(t, 1, again.Reports[0].Accepted)
	seen := &recorder{TB: t}
	workertest.Replay(seen, parcels(t, 12, false), folder)
	require.Len(t, seen.errors, 2, "another value is another divergence")
	require.NoError(t, replay.Read(folder, func(e *replay.Export) error {
		require.Len(t, e.Accepted, 1)
		return nil
	}))
}

func TestRead_SaysWhatIsNoExport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, says string }{
		{"a.json", `{}`, "the document is not an exported task"},
		{"a.json", `{"format": "pgtasker.task", "version": 2}`, "version 2 of the format; this program reads version 1"},
		{"a.ndjson", "\n{\n", "a.ndjson:2: unexpected end of JSON input"},
		{"a.txt", "", "has no exported task"},
	} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, c.name), []byte(c.content), 0o600))
		require.ErrorContains(t, replay.Read(folder, func(*replay.Export) error { return nil }), c.says)
	}
}

// recorder records the errors of a test instead of failing it.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// A replay has no database, and so no transaction: it says so of the step, and replays the steps after it.
func TestReplay_LeavesOutHandlersWithATransaction(t *testing.T) {
	t.Parallel()
	folder := exported(t, nil, 20)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.HandleTx(w, "price", func(context.Context, pgx.Tx, *worker.Job[parcelOrder]) (map[string]any, error) {
		return nil, errors.New("it runs")
	})
	worker.Handle(w, "label", func(_ context.Context, job *worker.Job[parcelOrder]) (string, error) {
		price, err := worker.Result[struct{ Cents int }](job, "price")
		return fmt.Sprintf("%d cents", price.Cents), err
	})
	report := workertest.Replay(t, w, folder)
	require.Equal(t, "its handler writes in a transaction, and a replay has no database", report.Reports[0].Steps[0].Skipped)
	require.True(t, report.Outcome(t, "label").Ran)
	require.Empty(t, report.Outcome(t, "label").Err)
}
