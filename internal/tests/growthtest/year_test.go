package growthtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// The year has weekly ranges with thirteen weeks of retention, and passes a day at a time. Every day some tasks are created,
// most of them end, and maintenance runs. At times maintenance does not run for three weeks.
func TestYear_RangesComeAndGoAndNothingActiveIsLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	exec(t, pool, `select tasker_test.start_year('2050-01-03 09:00+00', '7 days', '91 days')`)
	exec(t, pool, `update tasker.named_tasks set identity_strategy = 'caller_provided' where name = 'old'`)

	const days = 357 // 51 weeks
	open := map[int]string{}
	var made, dropped, identities, heldDays int
	for day := range days {
		task := scan[string](t, pool, `
			select task_uuid::text from tasker.create_task('test', 'old', p_identity_key => $1)`, key(day))
		if day%30 == 29 {
			open[day] = task // its step never runs
		} else {
			finish(t, pool, task)
		}
		exec(t, pool, `select tasker_test.pass('1 day')`)

		if asleep := day%100 >= 60 && day%100 < 81; asleep {
			continue
		}
		for _, duty := range maintain(t, e) {
			switch duty.Duty {
			case "partitions":
				made += int(*duty.LastDone)
			case "identities":
				identities += int(*duty.LastDone)
			case "retention":
				dropped += int(*duty.LastDone)
				if !duty.MoreDue && duty.LastDetail != nil {
					require.NotContains(t, *duty.LastDetail, "busy", "day %d", day)
					heldDays += strings.Count(*duty.LastDetail, "held from")
				}
			}
		}

		if day%5 != 0 {
			continue
		}
		status, err := e.PartitionStatus(t.Context())
		require.NoError(t, err)
		require.Equal(t, status.Held, status.Expired, "day %d: each expired range is held", day)
		require.GreaterOrEqual(t, status.Ahead, int32(2), "day %d", day)
		require.LessOrEqual(t, status.Ranges-status.Held, int32(1+13+1+2), "day %d", day)
	}
	requireSound(t, pool)

	// Each open task must still exist, and so must each task of the last 91 days.
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

	// The identity of a deleted task can be used again. The identity of a held task cannot.
	require.False(t, scan[bool](t, pool, `select created from tasker.create_task('test', 'old', p_identity_key => $1)`, key(29)))
	require.True(t, scan[bool](t, pool, `select created from tasker.create_task('test', 'old', p_identity_key => $1)`, key(3)))

	// The open tasks of all held ranges move into one range.
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

	// The open tasks can be completed, and when they have ended, their range is dropped, too.
	for _, task := range open {
		finish(t, pool, task)
	}
	last := maintain(t, e, "retention")
	require.Len(t, last, 2, "one call drops the range, and one finds none")
	require.EqualValues(t, 1, *last[0].LastDone)
	status, err := e.PartitionStatus(t.Context())
	require.NoError(t, err)
	require.Empty(t, status.Problems)
	t.Logf("%d days: %d ranges made, %d dropped, %d times one was held, %d identities collected, %d evacuated into one",
		days, made, dropped, heldDays, identities, len(held))
}

func key(day int) string { return fmt.Sprintf("day %d", day) }

// finish completes the single step of a task.
func finish(t *testing.T, pool *pgxpool.Pool, task string) {
	t.Helper()
	exec(t, pool, `select tasker_test.complete_step(tasker_test.step($1, 'only'))`, task)
	exec(t, pool, `select tasker_test.move_task($1, 'evaluating_results', 'complete')`, task)
}

// maintain runs these duties, or all duties that limit growth.
func maintain(t testing.TB, e *direct.Executor, duties ...string) []gen.MaintenanceDuty {
	t.Helper()
	if len(duties) == 0 {
		duties = []string{"partitions", "retention", "identities", "archives"}
	}
	done, err := e.Maintain(t.Context(), duties...)
	require.NoError(t, err)
	for _, duty := range done {
		require.Nil(t, duty.LastError, duty.Duty)
	}
	return done
}
