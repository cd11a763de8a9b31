package racetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const (
	claimAll    = "select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 10)"
	completeAll = `select count(*) from (select array_agg(tasker.step_uuid(q.task_uuid, q.step_no)) as steps, array_agg(q.claim_no) as claims
		from tasker.step_queue as q where q.lane = 'running') as c cross join lateral tasker.complete_steps(c.steps, c.claims) as a`
)

// pausable creates a task of two steps, the second after the first.
func pausable(t *testing.T) (*pgxpool.Pool, string) {
	t.Helper()
	pool := pgtest.New(t)
	replayed(t, pool)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique",
		"steps": [{"name": "charge"}, {"name": "send", "dependencies": ["charge"]}]}')`)
	require.NoError(t, err)
	return pool, text(t, pool, "select task_uuid::text from tasker.create_task('shop', 'order')")
}

func TestPauses_AClaimThatIsNotCommittedKeepsItsStepAndTheNextStepIsHeld(t *testing.T) {
	t.Parallel()
	pool, task := pausable(t)
	claimer := begin(t, pool)
	require.Equal(t, 1, counted(t, claimer, claimAll))
	pauser := begin(t, pool)
	answer := async(t, pauser, "select tasker.pause_task('"+task+"')::text")
	pgtest.WaitBlocked(t, pool, pauser.Conn().PgConn().PID())
	require.NoError(t, claimer.Commit(t.Context()))
	require.Equal(t, outcome{text: "true"}, <-answer)
	require.NoError(t, pauser.Commit(t.Context()))
	require.Equal(t, "in_progress", text(t, pool, "select s.state::text from tasker.workflow_steps as s where s.name = 'charge'"))
	require.Equal(t, 1, counted(t, pool, completeAll))
	require.Zero(t, counted(t, pool, claimAll), "the next step is held")
	require.Equal(t, "true", text(t, pool, "select tasker.resume_task('"+task+"')::text"))
	require.Equal(t, 1, counted(t, pool, claimAll))
	require.Zero(t, counted(t, pool, "select count(*) from tasker.check_integrity()"))
}

func TestPauses_AClaimThatIsRolledBackLeavesItsStepToThePause(t *testing.T) {
	t.Parallel()
	pool, task := pausable(t)
	claimer := begin(t, pool)
	require.Equal(t, 1, counted(t, claimer, claimAll))
	pauser := begin(t, pool)
	answer := async(t, pauser, "select tasker.pause_task('"+task+"')::text")
	pgtest.WaitBlocked(t, pool, pauser.Conn().PgConn().PID())
	require.NoError(t, claimer.Rollback(t.Context()))
	require.Equal(t, outcome{text: "true"}, <-answer)
	require.Zero(t, counted(t, pool, claimAll), "a claim skips the steps that the pause holds")
	require.NoError(t, pauser.Commit(t.Context()))
	require.Zero(t, counted(t, pool, claimAll))
	require.Zero(t, counted(t, pool, "select count(*) from tasker.check_integrity()"))
}

// The second of two calls on a task waits for the first call, and acts on the task as the first call has left it.
func TestPauses_ActsOnATaskWaitForEachOther(t *testing.T) {
	t.Parallel()
	pool, _ := pausable(t) // of all pairs, each with a task of its own
	acts := map[string]string{
		"pause": "select tasker.pause_task('%s')::text", "resume": "select tasker.resume_task('%s')::text", "change": "select tasker.change_task('%s', 7)::text",
		"cancel": "select tasker.cancel_task('%s')::text", "complete": strings.Replace(completeAll, "q.lane = 'running'", "q.lane = 'running' and q.task_uuid = '%s'", 1),
	}
	for first, then := range map[string]map[string]string{
		"pause":    {"pause": "false", "resume": "true", "change": "true", "cancel": "true"},
		"resume":   {"pause": "true", "resume": "false", "change": "true", "cancel": "true"},
		"change":   {"pause": "true", "resume": "false", "change": "false", "cancel": "true"},
		"cancel":   {"pause": "TK409", "resume": "TK409", "change": "TK409", "cancel": "false"},
		"complete": {"pause": "true", "resume": "false", "change": "true", "cancel": "true"},
	} {
		for second, want := range then {
			t.Run(first+" then "+second, func(t *testing.T) {
				t.Parallel()
				task := text(t, pool, "select task_uuid::text from tasker.create_task('shop', 'order')")
				switch first {
				case "resume":
					_, err := pool.Exec(t.Context(), "select tasker.pause_task($1)", task)
					require.NoError(t, err)
				case "complete":
					require.Equal(t, 1, counted(t, pool, fmt.Sprintf("select count(*) from tasker.claim_step(tasker.step_uuid('%s', 1), gen_random_uuid())", task)))
				}
				actor, other := begin(t, pool), begin(t, pool)
				_, err := actor.Exec(t.Context(), fmt.Sprintf(acts[first], task))
				require.NoError(t, err)
				answer := async(t, other, fmt.Sprintf(acts[second], task))
				pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
				require.NoError(t, actor.Commit(t.Context()))
				if o := <-answer; want == "TK409" {
					require.ErrorContains(t, o.err, want)
					require.NoError(t, other.Rollback(t.Context()))
				} else {
					require.Equal(t, outcome{text: want}, o)
					require.NoError(t, other.Commit(t.Context()))
				}
			})
		}
	}
}
