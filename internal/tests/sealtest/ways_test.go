package sealtest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/workertest"
)

const keyed = `{"namespace": "shop", "name": "keyed", "identity_strategy": "caller_provided", "encrypted": {}, "on_failure": "fail",
  "steps": [{"name": "do", "handler": "part"}, {"name": "ok", "await": {"signal": "ok"}}]}`

// way is a way by which a payload gets into the database. It returns the task that has the payload.
type way struct {
	name string
	send func(db executor.DBTX) (uuid.UUID, error)
}

// ways are all ways: done is a task that has ended, and step its step.
func ways(t *testing.T, done, step uuid.UUID) []way {
	const context = `{"customer": 7, "card": "` + secret + `"}`
	part := executor.TaskRequest{Namespace: "shop", Name: "part", Context: json.RawMessage(context)}
	return []way{
		{"a task", func(db executor.DBTX) (uuid.UUID, error) {
			made, err := executor.New(db).CreateTask(t.Context(), part)
			return made.TaskUUID, err
		}},
		{"many tasks", func(db executor.DBTX) (task uuid.UUID, err error) {
			made, err := executor.New(db).CreateTasks(t.Context(), executor.TasksRequest{
				Namespace: "shop", Name: "part", Contexts: []json.RawMessage{json.RawMessage(`{"card": "` + secret + ` of many"}`)},
			})
			if err == nil {
				task = made[0].TaskUUID
			}
			return task, err
		}},
		{"a schedule", func(db executor.DBTX) (task uuid.UUID, err error) {
			schedule := sqlfn.SetScheduleParams{
				Namespace: "shop", Schedule: "nightly", TaskName: "part", Cron: "0 2 * * *", Timezone: "UTC", Context: json.RawMessage(context),
				CatchUp: "one", CatchUpLimit: 1, Overlap: "allow",
			}
			if _, err = executor.New(db).SetSchedule(t.Context(), schedule); err != nil {
				return task, err
			}
			tick, err := executor.New(db).RunScheduleNow(t.Context(), "shop", "nightly", sqlfn.By{Actor: "ann", Reason: "now"})
			if err == nil {
				task = *tick.TaskUUID
			}
			return task, err
		}},
		{"a schedule of a template's file", func(db executor.DBTX) (task uuid.UUID, err error) {
			file, err := template.Load(strings.NewReader(`{"namespace": "shop", "name": "part", "encrypted": {"clear": ["customer", "lines"]}, "on_failure": "fail", "steps": [{"name": "do", "handler": "part"}],
			  "schedules": [{"name": "hourly", "cron": "0 * * * *", "context": ` + context + `}]}`))
			if err != nil {
				return task, err
			}
			_, err = file[0].SetSchedules(t.Context(), db)
			return done, err
		}},
		{"a signal that starts its task", func(db executor.DBTX) (uuid.UUID, error) {
			answer, err := executor.New(db).SendSignalByKey(t.Context(), executor.TaskKey{Namespace: "shop", Name: "keyed", IdentityKey: "k"},
				executor.Signal{Name: "ok", Payload: json.RawMessage(`"` + secret + `"`)}, &executor.SignalStart{Context: json.RawMessage(context)})
			return answer.TaskUUID, err
		}},
		{"a result by hand in place of another", func(db executor.DBTX) (uuid.UUID, error) {
			_, err := executor.New(db).RerunStep(t.Context(), sqlfn.RerunStepParams{StepUUID: step, Reason: "it was wrong", Results: json.RawMessage(`"` + secret + ` by hand"`)})
			return done, err
		}},
	}
}

// TestEncrypted_EachWayIsEncryptedByTheClientOrRefused sends payloads with a codec and without.
func TestEncrypted_EachWayIsEncryptedByTheClientOrRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(keyed))
	require.NoError(t, err)
	keys := keysOf(t, "k1", "k1")
	coded := executor.WithCodec(pool, keys)
	w := newWorker(t, pool, keys, &fates{})
	done := create(t, executor.NewClient(coded), "part", 99)
	step := workertest.Run(t, pool, w, done).Step(t, "do").WorkflowStepUUID
	for _, way := range ways(t, done, step) {
		_, err := way.send(pool)
		require.ErrorIs(t, err, executor.ErrInvalid, way.name)
		require.ErrorContains(t, err, "is not encrypted", way.name)
		task, err := way.send(coded)
		require.NoError(t, err, way.name)
		report := workertest.Run(t, pool, w, task)
		require.Equal(t, state.TaskComplete, report.State, "%s: %v", way.name, report)
	}
	for _, table := range []string{"tasks", "workflow_steps", "step_log", "task_log", "task_signals", "schedules", "schedule_ticks", "administration_log"} {
		var n int
		require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker."+table+" as x where x::text like '%zebra%'").Scan(&n), table)
		require.Zero(t, n, table)
	}
	_, err = executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "started", "encrypted": {}, "start_on": [{"event": "paid"}], "steps": [{"name": "do"}]}`))
	require.ErrorContains(t, err, "starts tasks with a context from the payload of an event, which is not encrypted")
}

// TestEncrypted_AScheduleKeepsItsCiphertextUntilTheKeyRotates sets one schedule again.
func TestEncrypted_AScheduleKeepsItsCiphertextUntilTheKeyRotates(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool)
	stored := func(current string) string {
		t.Helper()
		_, err := executor.NewClient(executor.WithCodec(pool, keysOf(t, current, "k1", "k2"))).Schedules().Set(t.Context(), executor.ScheduleRequest{
			Name: "nightly", Task: executor.TemplateRef{Namespace: "shop", Name: "part"}, Cron: "0 2 * * *", Context: json.RawMessage(`{"customer": 7, "card": "` + secret + `"}`),
		}, executor.By{Actor: "ann"})
		require.NoError(t, err)
		var text string
		require.NoError(t, pool.QueryRow(t.Context(), "select s.context::text from tasker.schedules as s").Scan(&text))
		return text
	}
	first := stored("k1")
	require.Contains(t, first, `"kid": "k1"`)
	require.Equal(t, first, stored("k1"), "the same context is no change")
	require.Contains(t, stored("k2"), `"kid": "k2"`)
}
