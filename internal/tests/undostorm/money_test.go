package undostorm

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// bank is a service outside the database in which steps have their effects. A key is paid once and refunded once, even if it is sent
// again.
type bank struct {
	sync.Mutex
	paid, refunded map[uuid.UUID]bool
}

// amount of a key, which no two sums are likely to share.
func amount(key uuid.UUID) int { return 1 + int(key[10])<<16 + int(key[11])<<8 + int(key[15]) }

func (b *bank) note(keys map[uuid.UUID]bool, key uuid.UUID) {
	b.Lock()
	defer b.Unlock()
	keys[key] = true
}

func (b *bank) balance() (sum int) {
	for key := range b.paid {
		if !b.refunded[key] {
			sum += amount(key)
		}
	}
	return sum
}

// Sagas are cancelled, given up, reset, retried and forked, with and without p_cancel, in every state, while workers are lost and
// sessions are terminated. In the end each effect either stands or was undone once by its one owner, and the bank agrees with the
// tables. PGTASKER_STORM_TASKS and PGTASKER_STORM_FORKS make the storm longer.
func TestStorm_HasOneOwnerOfEachEffect(t *testing.T) {
	tasks, forks := pgtest.Number("PGTASKER_STORM_TASKS", 12), pgtest.Number("PGTASKER_STORM_FORKS", 24)
	s := &storm{pool: pgtest.New(t, pgtest.MaxConns(8)), pause: 300 * time.Millisecond}
	require.NoError(t, enginetest.Accelerate(t.Context(), s.pool, 20))
	b := &bank{paid: map[uuid.UUID]bool{}, refunded: map[uuid.UUID]bool{}}
	for _, policy := range []string{"continue", "halt", "fail"} {
		_, err := direct.New(s.pool).RegisterTaskTemplate(t.Context(), json.RawMessage(strings.NewReplacer("NAME", policy, "POLICY", policy).Replace(order)))
		require.NoError(t, err)
		_, err = s.pool.Exec(t.Context(), `select from tasker.create_tasks('storm', $1,
			array(select jsonb_build_object('lines', array[i, i + 1]) from generate_series(1, $2) as i))`, policy, tasks/3)
		require.NoError(t, err)
	}

	ctx, stop := context.WithTimeout(t.Context(), 30*time.Minute)
	defer stop()
	var others sync.WaitGroup
	for range 3 {
		others.Go(func() { s.pay(ctx, b) })
	}
	others.Go(func() { s.terminate(ctx) })
	made := s.forkAtRandom(ctx, forks)
	require.Eventually(t, func() bool {
		// A blocked task is cancelled, or its compensations are tried again.
		s.settle(ctx)
		var open int
		err := s.pool.QueryRow(ctx, "select count(*) from tasker.tasks where not complete").Scan(&open)
		return err == nil && open == 0
	}, 20*time.Minute, 20*time.Millisecond, "all tasks end")
	stop()
	others.Wait()
	s.pool.Reset() // it may hold sessions that the storm ended
	t.Logf("%d forks, %d payments, %d refunds, %d claims lost", made, len(b.paid), len(b.refunded), s.lost.Load())
	s.requireMoney(t, b)
	require.Positive(t, replaytest.Recorded(t, s.pool))
}

// pay works as workers do: each step pays under its UUID, each compensation refunds under the UUID that it was handed.
func (s *storm) pay(ctx context.Context, b *bank) {
	var held []direct.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{Results: held, ClaimRequest: direct.ClaimRequest{
			WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 1 + rand.IntN(6), Lease: time.Second,
		}})
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		held = nil
		for _, c := range reply.Claimed {
			claim := direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}
			n := rand.IntN(40)
			if n == 0 {
				s.lost.Add(1)
				continue
			}
			if c.Handler != "undo" {
				b.note(b.paid, c.StepUUID)
			} else {
				var undo struct {
					Step uuid.UUID `json:"step_uuid"`
				}
				if err := json.Unmarshal(c.Inputs, &undo); err == nil {
					b.note(b.refunded, undo.Step)
				}
			}
			switch {
			case n == 1:
				s.lost.Add(1)
			case n == 2:
				_, _ = direct.New(s.pool).ReleaseSteps(ctx, []direct.StepClaim{claim})
			case n < 10:
				held = append(held, direct.StepResult{StepClaim: claim, Error: "no", Permanent: n < 6})
			default:
				held = append(held, direct.StepResult{StepClaim: claim, Results: json.RawMessage(`{"n": 1}`)})
			}
		}
		time.Sleep(time.Duration(1+rand.IntN(5)) * time.Millisecond)
	}
}

// forkAtRandom makes the calls of operators, on random tasks in every state, until it has made the requested number of forks. It
// returns the number of forks.
func (s *storm) forkAtRandom(ctx context.Context, forks int) (made int) {
	for made < forks && ctx.Err() == nil {
		time.Sleep(time.Duration(1+rand.IntN(15)) * time.Millisecond)
		var task uuid.UUID
		if err := s.pool.QueryRow(ctx, "select task_uuid from tasker.tasks order by random() limit 1").Scan(&task); err != nil {
			continue
		}
		call := []string{
			"select tasker.fork_task($1, 'abcdef'::text, p_cancel => true)", "select tasker.fork_task($1, 'abcdef'::text)",
			"select tasker.fork_task($1, 'abcdef'::text, p_cancel => true)", "select tasker.cancel_task($1, 'storm')",
			"select tasker.give_up_task($1, 'storm')", "select tasker.reset_task($1, 'storm')",
			"select tasker.retry_step(s.workflow_step_uuid) from tasker.workflow_steps as s where s.task_uuid = $1 and s.state = 'error' limit 1",
			"select tasker.resolve_step_manually(s.workflow_step_uuid) from tasker.workflow_steps as s where s.task_uuid = $1 and s.state = 'error' and s.undo_no is null limit 1",
		}[rand.IntN(8)]
		from := []string{"a", "b", "c", "line", "d", "e", "f"}[rand.IntN(7)]
		if _, err := s.pool.Exec(ctx, strings.ReplaceAll(call, "abcdef", from), task); err == nil && strings.Contains(call, "fork_task") {
			made++
		}
	}
	return made
}

// settle cancels one blocked task, and tries a compensation again that has failed for good.
func (s *storm) settle(ctx context.Context) {
	_, _ = s.pool.Exec(ctx, `select tasker.cancel_task(t.task_uuid, 'storm')
		from (select t.task_uuid from tasker.tasks as t where t.state = 'blocked_by_failures' and coalesce(t.undo ->> 'phase', '') = '' limit 1) as t`)
	_, _ = s.pool.Exec(ctx, `select tasker.retry_step(s.workflow_step_uuid, 'storm')
		from tasker.workflow_steps as s join tasker.tasks as t using (task_uuid)
		where s.undo_no is not null and s.state = 'error' and not t.complete limit 1`)
}

// paidStep is a step that had an effect, or may have had.
type paidStep struct {
	Task, Step, Effect uuid.UUID
	Owned, Done        bool    // its effect belongs to the task, and it has a result or was resolved
	State              string  // of the task
	ForkedTo           *string // the fork that the task was cancelled for
	GivenUp            bool    // while it was undone
	Undone             *string // the state of the compensation that the task has for it
	Key                *uuid.UUID
}

// requireMoney checks the laws of effects, task by task, and compares their sum with the bank's sum.
func (s *storm) requireMoney(t *testing.T, b *bank) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), `select p.object || ': ' || p.problem from tasker.check_integrity() as p`)
	require.NoError(t, err)
	problems, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, problems)
	rows, err = s.pool.Query(t.Context(), `
		select s.task_uuid, s.workflow_step_uuid, coalesce(s.effect_uuid, s.workflow_step_uuid), s.owner_uuid is null,
		       s.state in ('complete', 'resolved_manually'), t.state::text, l.metadata ->> 'forked_to',
		       coalesce(t.undo ? 'next', false) or exists (select from tasker.workflow_steps as u where u.task_uuid = s.task_uuid and u.undo_no is not null and u.state <> 'complete'),
		       u.state::text, (u.inputs ->> 'step_uuid')::uuid
		  from tasker.workflow_steps as s
		  join tasker.tasks as t using (task_uuid)
		  left join tasker.workflow_steps as u on u.task_uuid = s.task_uuid and u.undo_no = s.step_no
		  left join tasker.task_transition_log as l on l.task_uuid = s.task_uuid and l.event = 'Cancel' and l.metadata ? 'forked_to'
		 where s.compensate_uuid is not null and s.for_each is null and s.undo_no is null
		   and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually'))`)
	require.NoError(t, err)
	steps, err := pgx.CollectRows(rows, pgx.RowToStructByPos[paidStep])
	require.NoError(t, err)

	type held struct{ Task, Effect uuid.UUID }
	owned, undone := map[held]bool{}, map[uuid.UUID]int{}
	for _, p := range steps {
		if p.Owned {
			owned[held{p.Task, p.Effect}] = true
		}
		if p.Undone != nil {
			require.Equal(t, p.Effect, *p.Key, "task %s: the compensation of %s gets the UUID of the effect", p.Task, p.Step)
			undone[p.Effect]++
		}
	}
	standing, stood := map[uuid.UUID]bool{}, map[string]int{}
	for _, p := range steps {
		switch {
		case !p.Owned:
			stood["owned by another task"]++
			require.Nil(t, p.Undone, "task %s (%s) undoes %s, which another task owns", p.Task, p.State, p.Effect)
		case p.State == "complete":
			stood["complete"]++
			require.Zero(t, undone[p.Effect], "task %s is complete, and %s was undone", p.Task, p.Effect)
			standing[p.Effect] = true
		case p.ForkedTo != nil && owned[held{uuid.MustParse(*p.ForkedTo), p.Effect}]:
			stood["taken over with p_cancel"]++
			require.Nil(t, p.Undone, "task %s undoes %s, which its fork owns", p.Task, p.Effect)
		case p.ForkedTo != nil:
			stood["repeated by a fork"]++
			require.Zero(t, undone[p.Effect], "task %s: its fork repeats %s, and it was undone", p.Task, p.Step)
			standing[p.Effect] = true
		case p.GivenUp:
			stood["given up"]++
			standing[p.Effect] = !b.refunded[p.Effect]
		default:
			stood["undone"]++
			require.NotNil(t, p.Undone, "task %s (%s): %s was not undone", p.Task, p.State, p.Effect)
			require.Equal(t, "complete", *p.Undone, "task %s (%s): %s was not undone", p.Task, p.State, p.Effect)
			require.True(t, b.refunded[p.Effect], "task %s (%s): %s was not refunded", p.Task, p.State, p.Effect)
		}
	}
	for effect, times := range undone {
		require.Equal(t, 1, times, "%s was undone once", effect)
	}
	for key := range b.refunded {
		require.NotZero(t, undone[key], "%s was refunded, and no task undid it", key)
	}
	sum := 0
	for key := range b.paid {
		var compensable bool
		require.NoError(t, s.pool.QueryRow(t.Context(), `select compensate_uuid is not null from tasker.workflow_steps
			where task_uuid = tasker.task_uuid_of($1) and step_no = tasker.step_no_of($1)`, key).Scan(&compensable))
		if standing[key] || !compensable {
			sum += amount(key)
		}
	}
	t.Logf("effects: %v", stood)
	require.Equal(t, sum, b.balance(), "the bank has what stands")
	require.NotZero(t, stood["undone"])
	require.NotZero(t, stood["taken over with p_cancel"])
	require.NotZero(t, stood["owned by another task"])
}
