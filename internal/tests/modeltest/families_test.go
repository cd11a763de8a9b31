package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

// TestFamilies_KeepTheirInvariants makes random calls on random families of three levels, one call after another. After
// each call the laws between a step and its task hold, and in the end every task that was not cancelled is complete.
func TestFamilies_KeepTheirInvariants(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)

	rounds(t, 3, 1000, func(t *testing.T, seed uint64, r *rand.Rand) {
		f := &families{
			T: t, pool: pool, e: direct.New(pool), r: r, worker: uuid.New(),
			namespace: enginetest.Namespaces[r.IntN(2)].Name, name: fmt.Sprintf("f%d", seed), lapsed: map[uuid.UUID]bool{},
		}
		f.register()
		for range 30 + r.IntN(40) {
			f.act()
			f.requireLaws()
		}
		f.drain()
	})
	replaytest.Recorded(t, pool)
}

// families is one round of the test.
type families struct {
	*testing.T
	pool            *pgxpool.Pool
	e               *direct.Executor
	r               *rand.Rand
	worker          uuid.UUID
	namespace, name string
	root            uuid.UUID
	held            []gen.ClaimedStep
	// places is the number of steps with the round's limit that may run at the same time.
	places int32
	// lapsed has the tasks that an operator has reset without the tasks above them. They may run although no step waits for
	// them.
	lapsed map[uuid.UUID]bool
	// graphs is set if the tasks of the families also have maps and waits (graphs_test.go).
	graphs *graphs
}

// register registers a template for each level, each with some steps that start a task of the next level, and creates a task of
// the first level.
func (f *families) register() {
	f.Helper()
	for level := 2; level >= 0; level-- {
		var steps []map[string]any
		for n := range 1 + f.r.IntN(4) {
			step := map[string]any{"name": fmt.Sprintf("s%d", n), "join": []string{"all", "settled"}[f.r.IntN(2)]}
			if n > 0 && f.r.IntN(2) == 0 {
				step["dependencies"] = []string{fmt.Sprintf("s%d", f.r.IntN(n))}
			}
			step["retry"] = map[string]any{"max_attempts": 1 + f.r.IntN(2), "base_seconds": 1}
			if level < 2 && f.r.IntN(2) == 0 {
				step["task"] = map[string]any{"name": fmt.Sprintf("%s_%d", f.name, level+1), "abandon": f.r.IntN(5) == 0}
				if f.r.IntN(3) == 0 {
					step["timeout"], step["on_timeout"] = 30, []string{"fail", "skip", "complete"}[f.r.IntN(3)]
				}
			} else {
				f.limit(step)
			}
			steps = append(steps, step)
		}
		raw, err := json.Marshal(map[string]any{
			"namespace": f.namespace, "name": fmt.Sprintf("%s_%d", f.name, level), "identity_strategy": "always_unique",
			"on_failure": []string{"fail", "fail", "continue", "halt"}[f.r.IntN(4)], "steps": steps,
		})
		require.NoError(f, err)
		_, err = f.e.RegisterTaskTemplate(f.Context(), raw)
		require.NoError(f, err)
	}
	f.create("{}")
}

// limit sometimes makes a step, or the elements of a map, wait for the limit of the round.
func (f *families) limit(step map[string]any) {
	if f.r.IntN(2) == 0 {
		step["limit"] = f.name
	}
}

// create creates the first task, at times with a deadline.
func (f *families) create(taskContext string) {
	f.Helper()
	f.places = 1 + f.r.Int32N(2)
	_, err := f.e.SetLimit(f.Context(), sqlfn.SetLimitParams{Namespace: f.namespace, Name: f.name, Concurrency: &f.places})
	require.NoError(f, err)
	options := executor.TaskOptions{}
	if f.r.IntN(4) == 0 {
		now, err := f.e.Clock(f.Context())
		require.NoError(f, err)
		options.Deadline = now.Add(time.Minute)
	}
	created, err := f.e.CreateTask(f.Context(), executor.TaskRequest{Namespace: f.namespace, Name: f.name + "_0", Context: json.RawMessage(taskContext), TaskOptions: options})
	require.NoError(f, err)
	f.root = created.TaskUUID
}

// act makes one call as a worker or an operator, or lets time pass.
func (f *families) act() {
	f.Helper()
	switch f.r.IntN(10) {
	case 0, 1, 2, 3:
		f.work(8)
	case 4:
		_, err := enginetest.Pass(f.Context(), f.pool, time.Duration(f.r.IntN(20))*time.Second)
		require.NoError(f, err)
	case 5, 6:
		_, err := f.e.FireDueTimers(f.Context(), 1+f.r.Int32N(5))
		require.NoError(f, err)
	default:
		f.operate()
	}
}

// work reports the claimed steps, some of them as failures, and claims more steps.
func (f *families) work(failures int) {
	f.Helper()
	var results []direct.StepResult
	for _, c := range f.held {
		result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Results: json.RawMessage(`{"n": 1}`)}
		if f.graphs != nil {
			result.Results = f.graphs.result(f.r)
		}
		if failures > 0 && f.r.IntN(failures) == 0 {
			result.Results, result.Error = nil, "no"
		}
		results = append(results, result)
	}
	reply, err := f.e.ExchangeSteps(f.Context(), direct.Exchange{
		Results: results, ClaimRequest: direct.ClaimRequest{
			WorkerUUID: f.worker, Namespaces: []string{f.namespace}, Limit: 1 + f.r.IntN(4), Lease: time.Hour,
		},
	})
	require.NoError(f, err)
	f.held = reply.Claimed
	if f.graphs != nil {
		f.requireArrays(reply.Claimed)
	}
}

// operate makes a call of an operator on a step or a task of the family. A call that does not apply is refused.
func (f *families) operate() {
	f.Helper()
	family, err := f.e.GetTaskTree(f.Context(), f.root, 0)
	require.NoError(f, err)
	task := family[f.r.IntN(len(family))].TaskUUID
	steps, err := f.e.ListSteps(f.Context(), task)
	require.NoError(f, err)
	step := steps[f.r.IntN(len(steps))].WorkflowStepUUID
	switch f.r.IntN(8) {
	case 0:
		if f.r.IntN(3) == 0 {
			_, err = f.e.CancelTask(f.Context(), task, "", "")
		}
	case 1, 2:
		_, err = f.e.ResetTask(f.Context(), task, "", "")
		f.lapsed[task] = true
	case 3, 4:
		_, err = f.e.RetryStep(f.Context(), step, "", "")
	case 5:
		_, err = f.e.ResolveStepManually(f.Context(), step, "", "")
	case 6:
		_, err = f.e.CompleteStepManually(f.Context(), sqlfn.CompleteStepManuallyParams{StepUUID: step, Results: json.RawMessage(`{}`), Reason: "a test"})
	case 7:
		_, err = f.e.GiveUpTask(f.Context(), task, "", "")
	}
	if err != nil && !errors.Is(err, executor.ErrConflict) {
		require.NoError(f, err)
	}
}

// requireLaws checks the laws between each step and the task that it started, and the laws of each single task.
func (f *families) requireLaws() {
	f.Helper()
	family, err := f.e.GetTaskTree(f.Context(), f.root, 0)
	require.NoError(f, err)
	var tasks []uuid.UUID
	for _, t := range family {
		tasks = append(tasks, t.TaskUUID)
	}
	found, err := enginetest.Violations(f.Context(), f.pool, tasks)
	require.NoError(f, err)
	require.Empty(f, found)
	var running int32
	require.NoError(f, f.pool.QueryRow(f.Context(), `select count(*) from tasker.workflow_steps as s join tasker.limits as l using (limit_no)
		where l.name = $1 and s.state = 'in_progress'`, f.name).Scan(&running))
	require.LessOrEqual(f, running, f.places, "steps that run under the limit")
	var broken []string
	require.NoError(f, f.pool.QueryRow(f.Context(), `
		select array_agg(x.law || ' ' || x.task_uuid)
		  from (
		    select s.task_uuid, v.law
		      from tasker.workflow_steps as s
		      join tasker.tasks as p on p.task_uuid = s.task_uuid
		      left join tasker.tasks as c on c.task_uuid = s.child_task_uuid
		      left join lateral (select array_agg(m.kind::text) as kinds from tasker.timers as m where m.task_uuid = s.task_uuid and m.step_no = s.step_no) as own on true
		      left join lateral (select array_agg(m.kind::text) as kinds from tasker.timers as m where m.task_uuid = c.task_uuid and m.step_no = 0) as its on true
		     cross join lateral (values
		       ('waits for a task that is not started and not noted', s.state = 'suspended' and c.task_uuid is null and not coalesce('start_child' = any (own.kinds), false)),
		       ('waits for a task that has ended, and no note tells it', s.state = 'suspended' and c.complete
		         and not coalesce('start_child' = any (own.kinds), false) and not coalesce('child_ended' = any (its.kinds), false)),
		       ('waits no longer for a task that runs', s.state <> 'suspended' and not c.complete and c.task_uuid <> all ($2)
		         and not s.await @> '{"task": {"abandon": true}}' and not coalesce('cancel_child' = any (own.kinds), false)),
		       ('waits under a task that has ended', s.state = 'suspended' and p.complete),
		       ('has a note to start a task, and does not wait', s.state <> 'suspended' and coalesce('start_child' = any (own.kinds), false)),
		       ('has a task that is not its own', c.parent_step_uuid <> s.workflow_step_uuid),
		       ('has another result than its task', s.state = 'complete' and c.state = 'complete' and s.results is distinct from tasker.task_result(c.task_uuid, 1000000)
		         and not exists (select from tasker.workflow_step_transition_log as l where l.task_uuid = s.task_uuid and l.step_no = s.step_no
		           and (l.event = 'CompleteManually' or l.event = 'EnqueueForOrchestration' and l.reason is not null)))
		     ) as v (law, broken)
		     where s.task_uuid = any ($1) and s.await ? 'task' and v.broken
		  ) as x`, tasks, f.lapsedTasks()).Scan(&broken))
	require.Empty(f, broken)
	if f.graphs != nil {
		f.requireMaps(tasks)
	}
}

func (f *families) lapsedTasks() []uuid.UUID {
	lapsed := []uuid.UUID{}
	for task := range f.lapsed {
		lapsed = append(lapsed, task)
	}
	return lapsed
}

// drain lets workers and time continue without failures, and an operator reset the first task, until it is complete or
// cancelled.
func (f *families) drain() {
	f.Helper()
	for turn := 0; ; turn++ {
		require.Less(f, turn, 1000, "the family does not end")
		f.work(0)
		pass := time.Second
		if f.graphs != nil {
			pass = 20 * time.Second // for steps that wait for a time
		}
		_, err := enginetest.Pass(f.Context(), f.pool, pass)
		require.NoError(f, err)
		_, err = f.e.FireDueTimers(f.Context(), 100)
		require.NoError(f, err)
		_, err = f.e.Orchestrate(f.Context(), 100)
		require.NoError(f, err)
		f.requireLaws()
		detail, err := f.e.GetTask(f.Context(), f.root)
		require.NoError(f, err)
		if detail.State == state.TaskComplete || detail.State == state.TaskCancelled || detail.State == state.TaskResolvedManually {
			break
		}
		if turn%10 == 9 {
			// Tasks are reset from the top, since resetting a task resets the tasks that its steps wait for.
			family, err := f.e.GetTaskTree(f.Context(), f.root, 0)
			require.NoError(f, err)
			for _, t := range family {
				if *t.State == state.TaskError || *t.FailedSteps > 0 {
					_, err = f.e.ResetTask(f.Context(), t.TaskUUID, "", "")
					if err != nil && !errors.Is(err, executor.ErrConflict) {
						require.NoError(f, err)
					}
					f.lapsed[t.TaskUUID] = true
				}
			}
		}
	}
}
