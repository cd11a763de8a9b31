package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Charts, in both languages, of a template with a map, a wait, a child task and conditions, and of a task of it that runs.
// go test -run Charts -update writes testdata/charts again.
func TestShow_ChartsTemplatesAndTasks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	for _, template := range []string{
		`{"namespace": "shop", "name": "parcel", "identity_strategy": "always_unique", "steps": [{"name": "pack"}]}`,
		`{"namespace": "shop", "name": "order", "steps": [
		  {"name": "lines", "description": "a \"list\""},
		  {"name": "reserve", "dependencies": ["lines"], "for_each": {"step": "lines", "path": "$.all"}},
		  {"name": "gift", "for_each": "$.gifts", "handler": "wrap"},
		  {"name": "charge", "dependencies": ["reserve"]},
		  {"name": "approve", "dependencies": ["charge"], "await": [{"signal": "approved"}, {"for": 259200}]},
		  {"name": "ship", "dependencies": [{"step": "approve", "when": "$.payload.ok == true && $.by == \"signal\""}], "task": {"name": "parcel"}},
		  {"name": "refund", "dependencies": [{"step": "approve", "when": "!($.payload.ok == true)"}, "gift"], "join": "any"}]}`,
	} {
		_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
	id := createTask(t, pool, "shop/order", "-c", `{"gifts": [1, 2]}`)
	run := func(handler, results string) {
		t.Helper()
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{Namespaces: []string{"shop"}, Limit: 10, Handlers: []string{handler}})
		require.NoError(t, err)
		var done []direct.StepResult
		for _, c := range claimed {
			done = append(done, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Results: json.RawMessage(results)})
		}
		_, err = e.CompleteSteps(t.Context(), done)
		require.NoError(t, err)
		execute(t, pool, "select tasker.fire_due_timers()")
	}
	execute(t, pool, "select tasker.fire_due_timers()")
	run("lines", `{"all": [1, 2, 3]}`)
	run("reserve", `{}`)
	run("charge", `{}`)
	_, err := e.SendSignal(t.Context(), uuid.MustParse(id), executor.Signal{Name: "approved", Payload: json.RawMessage(`{"ok": true}`)})
	require.NoError(t, err)
	execute(t, pool, "select tasker.fire_due_timers()")

	for _, format := range chartFormats {
		golden(t, pool, "template."+format, "template", "show", "shop/order", "--format", format)
		golden(t, pool, "task."+format, "task", "show", id, "--format", format)
		golden(t, pool, "task-all."+format, "task", "show", id, "--all", "--format", format)
	}
	golden(t, pool, "template.txt", "template", "show", "shop/order", "--wide")
	require.Contains(t, tasker(t, pool, "template", "show", "shop/order", "--format", "svg").err, `"svg" is neither mermaid nor dot`)
}

// Charts of a template whose steps have compensations, and of a task that is undone: one compensation has failed for good,
// the steps of the map's instances are complete.
func TestShow_ChartsCompensations(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "trip", "steps": [
		{"name": "hotel", "compensate": "cancel_hotel"},
		{"name": "leg", "dependencies": ["hotel"], "for_each": "$.legs", "compensate": "cancel_leg"},
		{"name": "pay", "dependencies": ["leg"], "retry": {"retryable": false}},
		{"name": "mail", "dependencies": ["pay"]}]}`))
	require.NoError(t, err)
	id := createTask(t, pool, "shop/trip", "-c", `{"legs": [1, 2]}`)
	run := func(handler, failure string) {
		t.Helper()
		for range 3 {
			execute(t, pool, "select tasker.fire_due_timers()")
		}
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{Namespaces: []string{"shop"}, Limit: 10, Handlers: []string{handler}})
		require.NoError(t, err)
		require.NotEmpty(t, claimed, handler)
		for _, c := range claimed {
			_, err = e.ExchangeSteps(t.Context(), direct.Exchange{
				Results:      []direct.StepResult{{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Error: failure, Permanent: failure != ""}},
				ClaimRequest: direct.ClaimRequest{WorkerUUID: c.StepUUID, Namespaces: []string{"shop"}, Handlers: []string{"none"}, Limit: 1},
			})
			require.NoError(t, err)
		}
	}
	run("hotel", "")
	run("leg", "")
	must(t, pool, "task", "cancel", id, "--reason", "ill")
	run("cancel_leg", "")
	run("cancel_hotel", "the hotel does not answer")
	for _, format := range chartFormats {
		golden(t, pool, "undo-template."+format, "template", "show", "shop/trip", "--format", format)
		golden(t, pool, "undo-task."+format, "task", "show", id, "--format", format)
		golden(t, pool, "undo-task-all."+format, "task", "show", id, "--all", "--format", format)
	}
	golden(t, pool, "undo-template.txt", "template", "show", "shop/trip", "--wide")
}

// golden compares the output of a command with testdata/charts; all ids have the same digits there.
func golden(t *testing.T, pool *pgxpool.Pool, name string, args ...string) {
	t.Helper()
	got := regexp.MustCompile(`\b[0-9a-f]{8}\b`).ReplaceAllString(must(t, pool, args...), "5b1d2c3a")
	got = regexp.MustCompile(`(?m)^registered.*$`).ReplaceAllString(got, "registered")
	path := filepath.Join("testdata", "charts", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
