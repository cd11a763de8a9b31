package growthtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A year of weekly ranges with thirteen weeks of retention, a day at a time: every day some tasks are made,
// most of them end, housekeeping runs; now and then it does not run for three weeks.
func TestYear_RangesComeAndGoAndNothingActiveIsLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	exec(t, pool, `select tasker_test.start_year('2050-01-03 09:00+00', '7 days', '91 days')`)
	exec(t, pool, `update tasker.named_tasks set identity_strategy = 'caller_provided' where name = 'old'`)

	const days = 357 // 51 weeks
	open := map[int]string{}
	var made, dropped, identities, heldDays int
	for day := range days {
		task := scan[string](t, pool, `
			select task_uuid::text from tasker.create_task('test', 'old', p_identity_key => $1)`, key(day))
		if day%30 == 29 {
			open[day] = task // and its step never runs
		} else {
			finish(t, pool, task)
		}
		exec(t, pool, `select tasker_test.pass('1 day')`)

		if asleep := day%100 >= 60 && day%100 < 81; asleep {
			continue
		}
		for _, job := range maintain(t, e) {
			switch job.Job {
			case "partitions":
				made += int(*job.LastDone)
			case "identities":
				identities += int(*job.LastDone)
			case "retention":
				dropped += int(*job.LastDone)
				if !job.MoreDue && job.LastDetail != nil {
					require.NotContains(t, *job.LastDetail, "busy", "day %d", day)
					heldDays += strings.Count(*job.LastDetail, "held from")
				}
			}
		}

		if day%5 != 0 {
			continue
		}
		status, err := e.PartitionStatus(t.Context())
		require.NoError(t, err)
		require.Equal(t, status.Held, status.Expired, "day %d: whatever is past its age is held", day)
		require.GreaterOrEqual(t, status.Ahead, int32(2), "day %d", day)
		require.LessOrEqual(t, status.Ranges-status.Held, int32(1+13+1+2), "day %d", day)
	}
	requireSound(t, pool)

	// What must still be there is there: each open task, each task of the last 91 days.
	for day, task := range open {
		require.Equal(t, "steps_in_process", scan[string](t, pool, `select tasker.get_current_task_state($1)::text`, task), "of day %d", day)
	}
	require.Zero(t, scan[int](t, pool, `select count(*) from tasker.tasks as t, lateral tasker_test.violations(t.task_uuid)`))
	require.GreaterOrEqual(t, scan[int](t, pool, `
		select count(*) from tasker.tasks where requested_at >= tasker.clock() - interval '91 days'`), 90)
	require.Equal(t,
		scan[int](t, pool, `select count(*) from tasker.tasks`), scan[int](t, pool, `select count(*) from tasker.task_identities`),
		"an identity for each task that is left, and no other")
	require.Positive(t, identities)
	require.Positive(t, dropped)

	// An identity whose task is gone is free; one whose task is held is not.
	require.False(t, scan[bool](t, pool, `select created from tasker.create_task('test', 'old', p_identity_key => $1)`, key(29)))
	require.True(t, scan[bool](t, pool, `select created from tasker.create_task('test', 'old', p_identity_key => $1)`, key(3)))

	// The stragglers of all the ranges that are held move into one.
	held, err := e.HeldPartitions(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(held), 5)
	for _, hold := range held {
		outcome, err := e.EvacuatePartition(t.Context(), hold.StartsAt, 0)
		require.NoError(t, err)
		require.Equal(t, "evacuated", outcome.Outcome, outcome.Detail)
	}
	again, err := e.HeldPartitions(t.Context())
	require.NoError(t, err)
	require.Len(t, again, 1)
	requireSound(t, pool)
	require.Zero(t, scan[int](t, pool, `select count(*) from tasker.tasks as t, lateral tasker_test.violations(t.task_uuid)`))

	// They can be worked on, and when they have ended it goes too.
	for _, task := range open {
		finish(t, pool, task)
	}
	last := maintain(t, e, "retention")
	require.Len(t, last, 2, "one drops it, one finds no more")
	require.EqualValues(t, 1, *last[0].LastDone)
	status, err := e.PartitionStatus(t.Context())
	require.NoError(t, err)
	require.Empty(t, status.Problems)
	t.Logf("%d days: %d ranges made, %d dropped, %d times one was held, %d identities collected, %d evacuated into one",
		days, made, dropped, heldDays, identities, len(held))
}

func key(day int) string { return fmt.Sprintf("day %d", day) }

// finish does the one step of a task.
func finish(t *testing.T, pool *pgxpool.Pool, task string) {
	t.Helper()
	exec(t, pool, `select tasker_test.complete_step(tasker_test.step($1, 'only'))`, task)
	exec(t, pool, `select tasker_test.move_task($1, 'evaluating_results', 'complete')`, task)
}

// maintain does the duties that see to growth, or those named.
func maintain(t testing.TB, e *executor.SqlFunctionExecutor, jobs ...string) []executor.MaintenanceJob {
	t.Helper()
	if len(jobs) == 0 {
		jobs = []string{"partitions", "retention", "identities", "archives"}
	}
	done, err := e.Maintain(t.Context(), jobs...)
	require.NoError(t, err)
	for _, job := range done {
		require.Nil(t, job.LastError, job.Job)
	}
	return done
}
