package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// work claims the ready steps and completes each, or fails it if failure is not empty.
func work(t *testing.T, pool *pgxpool.Pool, failure string) {
	t.Helper()
	e := direct.New(pool)
	steps, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10})
	require.NoError(t, err)
	require.NotEmpty(t, steps)
	for _, step := range steps {
		result := direct.StepResult{
			StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
			Error:     failure, Permanent: true, Results: json.RawMessage(`{"paid": true}`),
		}
		if failure == "" {
			_, err = e.CompleteSteps(t.Context(), []direct.StepResult{result})
		} else {
			result.Results = nil
			_, err = e.FailSteps(t.Context(), []direct.StepResult{result})
		}
		require.NoError(t, err)
	}
}

// newBlocked returns a database and a task in it whose first step has failed for good.
func newBlocked(t *testing.T) (*pgxpool.Pool, string) {
	t.Helper()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	work(t, pool, "no stock")
	return pool, task
}

func TestTaskOperations_SayWhatBecameOfTheTask(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, state, again string }{
		{"cancel", "cancelled", "nothing to do: task %s is cancelled\n"},
		{"give-up", "error", "nothing to do: task %s is error\n"},
		{"resolve", "resolved_manually", "nothing to do: task %s is resolved_manually\n"},
		{"reset", "steps_in_process", "nothing to do: task %s is steps_in_process\n"},
	} {
		t.Run(test.command, func(t *testing.T) {
			t.Parallel()
			pool, task := newBlocked(t)
			require.Equal(t, fmt.Sprintf("done: task %s is %s\n", task, test.state),
				must(t, pool, "task", test.command, task, "--reason", "the reason", "--actor", "ann"))
			require.Equal(t, fmt.Sprintf(test.again, task), must(t, pool, "task", test.command, task))
			require.Regexp(t, "by ann: the reason", must(t, pool, "task", "history", task))
		})
	}
}

func TestTaskOperations_RefuseWhatTheStateForbids(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	for _, command := range []string{"give-up", "resolve"} {
		r := tasker(t, pool, "task", command, task)
		require.Equal(t, exitConflict, r.code)
		require.Contains(t, r.err, "(TK409)\n")
	}
	must(t, pool, "task", "cancel", task)
	require.Equal(t, exitConflict, tasker(t, pool, "task", "reset", task).code)
	require.Equal(t, exitConflict, tasker(t, pool, "step", "complete", task, "ship").code)
}

func TestStepRetry_OfATaskRunsAllFailedStepsAgain(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	require.Equal(t, "done: step reserve is enqueued, task "+task+" is steps_in_process\n", must(t, pool, "step", "retry", task, "--all"))
	require.Equal(t, "nothing to do: no step has failed or waits for its next attempt\n", must(t, pool, "step", "retry", task, "--all"))
	require.Equal(t, "[]\n", must(t, pool, "step", "retry", task, "--all", "--json"))
	work(t, pool, "")
	require.Contains(t, must(t, pool, "task", "show", task), "●    reserve  complete")

	r := tasker(t, pool, "step", "retry", "0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000", "--all")
	require.Equal(t, exitNotFound, r.code)
	r = tasker(t, pool, "step", "retry", task, "reserve", "--all")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--all goes without NAME")
}

// A step is retried, a task is reset: the hint of the former name leads to both.
func TestTaskRetry_IsNoCommand(t *testing.T) {
	t.Parallel()
	r := run(t.Context(), nil, "", "task", "retry", "5b1d2c3a")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, `there is no command "tasker task retry"`)
	require.Contains(t, r.err, "tasker task reset")
	require.Contains(t, r.err, "tasker step retry")
}

func TestStepOperations_SayWhatBecameOfStepAndTask(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, want string }{
		{"retry", "done: step reserve is enqueued, task %s is steps_in_process\n"},
		{"resolve", "done: step reserve is resolved_manually, task %s is steps_in_process\n"},
		{"complete", "done: step reserve is complete, task %s is steps_in_process\n"},
	} {
		t.Run(test.command, func(t *testing.T) {
			t.Parallel()
			pool, task := newBlocked(t)
			want := fmt.Sprintf(test.want, task)
			require.Equal(t, want, must(t, pool, "step", test.command, task, "reserve", "-r", "the reason", "--actor", "ann"))
			require.Equal(t, strings.Replace(want, "done", "nothing to do", 1), must(t, pool, "step", test.command, stepOf(task, 1)))
			require.Regexp(t, "by ann: the reason", must(t, pool, "task", "history", task))
		})
	}
}

func TestStepComplete_TakesResults(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	r := tasker(t, pool, "step", "complete", task, "reserve", "--results", "{")
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, "tasker: --results is not JSON\n")
	must(t, pool, "step", "complete", task, "reserve", "--results", "@"+file(t, "r.json", `{"shelf": 12}`))
	require.Contains(t, must(t, pool, "step", "show", task, "reserve"), "\nresults\n{\n  \"shelf\": 12\n}\n")
}

func TestTaskHistory_TellsTheStory(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	execute(t, pool, "select tasker_test.pass('90 s')")
	work(t, pool, "no stock")
	execute(t, pool, "select tasker_test.pass('2 h')")
	must(t, pool, "task", "cancel", task, "-r", "sold out")
	out := must(t, pool, "task", "history", task)
	require.Regexp(t, `(?m)^TIME +AFTER +WHAT$`, out)
	require.Regexp(t, `(?m)^20.* +\+1m30s +.*step "reserve" was claimed`, out)
	require.Regexp(t, `(?m)step "reserve" reported a failure.*: no stock$`, out)
	require.Regexp(t, `(?m)\+2h1m +.*was cancelled by .*: sold out`, out)
	require.Equal(t, 3, strings.Count(must(t, pool, "task", "history", task, "--limit", "2"), "\n"))

	out = must(t, pool, "step", "history", task, "reserve")
	require.Regexp(t, `(?m)^20.* +step "reserve" became ready$`, out)
	require.Regexp(t, `(?m)\+1m30s +.*step "reserve" was claimed`, out)
	require.Regexp(t, `(?m)step "reserve" reported a failure.*: no stock$`, out)
	require.NotRegexp(t, `(?m)task |step "[^r]`, out)
	require.Equal(t, exitNotFound, tasker(t, pool, "step", "history", task, "sweep").code)
}

func TestNamespace_PausesAndResumes(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	require.Equal(t, "done: namespace shop is paused\n", must(t, pool, "namespace", "pause", "shop", "--actor", "ann"))
	require.Equal(t, "nothing to do: namespace shop is paused\n", must(t, pool, "namespace", "pause", "shop"))
	require.Contains(t, must(t, pool, "namespace", "list"), " by ann")
	task := createTask(t, pool, "shop/order")
	require.Contains(t, must(t, pool, "step", "explain", task, "reserve"), "paused")
	require.Equal(t, "done: namespace shop is running\n", must(t, pool, "namespace", "resume", "shop"))
	require.Equal(t, "nothing to do: namespace shop is running\n", must(t, pool, "namespace", "resume", "shop"))
	require.Equal(t, exitNotFound, tasker(t, pool, "namespace", "pause", "nowhere").code)
}
