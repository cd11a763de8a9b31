package racetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// brood is a parent whose map starts a task for each of three elements, two at once, and tolerates one failure. A worker has the steps
// of the first two children: the family's child, and other.
type brood struct {
	*family
	other      uuid.UUID
	otherStep  uuid.UUID
	otherClaim int32
}

// actions lists the actions that can happen to a map of tasks at the same time. The actions of a family happen to the parent and
// to the first child.
func (b *brood) actions() map[string]func(ctx context.Context, f *family, e *direct.Executor) error {
	report := func(failure string) func(context.Context, *family, *direct.Executor) error {
		return func(ctx context.Context, _ *family, e *direct.Executor) error {
			return (&family{a: b.otherStep, claim: b.otherClaim}).end(ctx, e, failure)
		}
	}
	erased := func(task uuid.UUID) func(context.Context, *family, *direct.Executor) error {
		return func(ctx context.Context, _ *family, e *direct.Executor) error {
			_, err := e.EraseTask(ctx, sqlfn.EraseTaskParams{TaskUUID: task, Reason: "asked for"})
			return err
		}
	}
	actions := map[string]func(ctx context.Context, f *family, e *direct.Executor) error{
		"another child ends": report(""), "another child fails": report("no stock"), "the parent is erased": erased(b.parent), "the child is erased": erased(b.child),
	}
	for _, name := range []string{
		"the child ends", "the child fails", "the word is given", "the parent is cancelled", "the child is cancelled", "the parent is reset", "the child is reset",
	} {
		actions[name] = familyActions[name]
	}
	return actions
}

// broodPairs lists the pairs of actions by the state of the map before them. Each pair runs in both orders.
var broodPairs = map[string][][2]string{
	// Both children run.
	"": {
		{"the child ends", "another child ends"},
		{"the child ends", "another child fails"},
		{"the child fails", "another child fails"},
		{"the child ends", "the parent is cancelled"},
		{"the child fails", "the parent is cancelled"},
		{"the child fails", "the child is cancelled"},
		{"the child ends", "the parent is reset"},
		{"the child ends", "the child is reset"},
		{"the child is cancelled", "another child fails"},
		{"the child is cancelled", "the parent is cancelled"},
		{"the child is reset", "the parent is cancelled"},
		{"the parent is erased", "the parent is cancelled"},
	},
	// The parent has not been told of the end, so the map has not gone on to the third element.
	"the child ends": {
		{"the word is given", "the word is given"},
		{"the word is given", "another child ends"},
		{"the word is given", "another child fails"},
		{"the word is given", "the parent is cancelled"},
		{"the word is given", "the parent is reset"},
		{"the word is given", "the child is reset"},
		{"the word is given", "the child is erased"},
		{"the parent is cancelled", "the child is erased"},
	},
	// The failure is tolerated when the parent is told.
	"the child fails": {
		{"the word is given", "the word is given"},
		{"the word is given", "another child ends"},
		{"the word is given", "another child fails"},
		{"the word is given", "the parent is cancelled"},
		{"the word is given", "the parent is reset"},
		{"the word is given", "the child is reset"},
		{"the word is given", "the child is erased"},
		{"the child is reset", "the parent is cancelled"},
		{"the child is reset", "the child is erased"},
		{"the child is reset", "another child fails"},
	},
	// The parent's end has not been told to the children.
	"the parent is cancelled": {
		{"the word is given", "the child ends"},
		{"the word is given", "the child is reset"},
		{"the word is given", "the child is erased"},
		{"the word is given", "the parent is erased"},
		{"the child fails", "the parent is erased"},
		{"the child is reset", "the parent is erased"},
	},
}

func TestTaskMapPairs_EndSoundInEveryOrder(t *testing.T) {
	t.Parallel()
	for _, before := range sorted(broodPairs) {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			for _, template := range []string{
				`{"namespace": "plain", "name": "parcel", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [{"name": "a"}]}`,
				`{"namespace": "plain", "name": "order", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [
				  {"name": "each", "for_each": "$.lines", "task": {"name": "parcel"}, "max_parallel": 2, "allow_failures": 1, "retry": {"max_attempts": 1}},
				  {"name": "after", "dependencies": ["each"]}]}`,
			} {
				_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
				require.NoError(t, err)
			}
			for _, pair := range broodPairs[before] {
				for turn := range 4 {
					first, second, commit := pair[turn%2], pair[1-turn%2], turn < 2
					if !commit && before != "" || turn%2 == 1 && first == second {
						continue // a rollback is tried only while both children run
					}
					t.Run(fmt.Sprintf("%s, then %s, commit %v", first, second, commit), func(t *testing.T) {
						b := newBrood(t, pool)
						if before != "" {
							require.NoError(t, b.actions()[before](t.Context(), b.family, direct.New(pool)))
						}
						b.race(b.actions()[first], b.actions()[second], commit)
						b.requireBounds()
						b.requireEnd()
					})
				}
			}
		})
	}
}

func newBrood(t *testing.T, pool *pgxpool.Pool) *brood {
	t.Helper()
	e := direct.New(pool)
	b := &brood{family: &family{T: t, pool: pool}}
	made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "order", Context: json.RawMessage(`{"lines": [{"n": 0}, {"n": 1}, {"n": 2}]}`)})
	require.NoError(t, err)
	b.parent = made.TaskUUID
	for range 2 { // the map starts its instances, and these start their tasks
		_, err = e.FireDueTimers(t.Context(), 100)
		require.NoError(t, err)
	}
	steps, err := e.ListSteps(t.Context(), b.parent)
	require.NoError(t, err)
	require.Len(t, steps, 4)
	b.kid = steps[2].WorkflowStepUUID
	for i, of := range []struct {
		task, step *uuid.UUID
		claim      *int32
	}{{&b.child, &b.a, &b.claim}, {&b.other, &b.otherStep, &b.otherClaim}} {
		require.NotNil(t, steps[2+i].ChildTaskUUID)
		*of.task, *of.step = *steps[2+i].ChildTaskUUID, *steps[2+i].ChildTaskUUID
		of.step[15] = 1
		claimed, err := e.ClaimStep(t.Context(), *of.step, uuid.New(), time.Hour)
		require.NoError(t, err)
		*of.claim = claimed.ClaimNo
	}
	return b
}

// requireBounds checks that the map has at most two open elements, and has failed only if it has two failures.
func (b *brood) requireBounds() {
	b.Helper()
	var open, failed int
	var state string
	require.NoError(b, b.pool.QueryRow(b.Context(), `
		select count(*) filter (where s.state in ('suspended', 'waiting_for_retry')), count(*) filter (where s.last_error is not null and s.state in ('cancelled', 'error')),
		       (select m.state::text from tasker.workflow_steps as m where m.task_uuid = $1 and m.step_no = 1)
		  from tasker.workflow_steps as s where s.task_uuid = $1 and s.map_no = 1`, b.parent).Scan(&open, &failed, &state))
	require.LessOrEqual(b, open, 2, "elements whose task is open")
	if state == "error" {
		require.GreaterOrEqual(b, failed, 2, "failures of a map that tolerates one")
	}
}

// requireEnd lets workers finish all tasks, and checks the results of a map that is complete: one for each element, in their order.
func (b *brood) requireEnd() {
	b.Helper()
	e, ended := direct.New(b.pool), 0
	for turn := 0; ; turn++ {
		require.Less(b, turn, 20, "the tasks do not end")
		_, err := b.pool.Exec(b.Context(), `
			select from (select array_agg(s.workflow_step_uuid) as steps, array_agg(s.claim_no) as claims, array_agg(jsonb_build_object('n', t.context -> 'n')) as results
			  from tasker.workflow_steps as s join tasker.tasks as t using (task_uuid) where s.state = 'in_progress') as h
			 cross join lateral tasker.complete_steps(h.steps, h.claims, h.results) as a where h.steps is not null`)
		require.NoError(b, err)
		claimed, err := e.ClaimSteps(b.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10, Lease: time.Hour})
		require.NoError(b, err)
		for _, c := range claimed {
			if c.Name == "after" {
				b.requireResults(c.ParentResults)
			}
		}
		b.requireBounds()
		_, err = enginetest.Pass(b.Context(), b.pool, 2*time.Second)
		require.NoError(b, err)
		var left int
		require.NoError(b, b.pool.QueryRow(b.Context(), "select count(*) from tasker.tasks as t where not t.complete").Scan(&left))
		remains, err := enginetest.Remains(b.Context(), b.pool)
		require.NoError(b, err)
		if left+remains > 0 {
			continue
		}
		if ended++; ended > 1 {
			break
		}
	}
	b.settle()
}

// parcelResult is the result of a child.
type parcelResult struct {
	A struct {
		N *int `json:"n"`
	} `json:"a"`
}

// requireResults compares the results of the map with its elements: the result of the element's task, or null for a tolerated failure.
func (b *brood) requireResults(parents json.RawMessage) {
	b.Helper()
	var results struct {
		Each []*parcelResult `json:"each"`
	}
	require.NoError(b, json.Unmarshal(parents, &results), string(parents))
	require.Len(b, results.Each, 3, string(parents))
	failed := 0
	for i, r := range results.Each {
		switch {
		case r == nil:
			failed++
		case r.A.N != nil: // the worker of the race gave no number
			require.Equal(b, i, *r.A.N, string(parents))
		}
	}
	require.LessOrEqual(b, failed, 1, "failures that the map tolerates: %s", parents)
}
