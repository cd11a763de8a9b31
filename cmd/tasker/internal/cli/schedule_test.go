package cli

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// newSchedules returns a database with the template shop/order, whose clock stands at a noon that partitions cover.
func newSchedules(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	execute(t, pool, "select tasker_test.freeze_with_partitions('2050-03-01 12:00+00')")
	must(t, pool, "apply", file(t, "order.yaml", order))
	return pool
}

func TestSchedule_IsSetShownPausedAndDeleted(t *testing.T) {
	t.Parallel()
	pool := newSchedules(t)
	require.Equal(t, result{exitDone, "", "there are no schedules\n"}, tasker(t, pool, "schedule", "list"))
	require.Equal(t, "done: schedule shop/nightly creates a task of order next at 2050-03-02 01:00:00Z (in 13h)\n", must(t, pool,
		"schedule", "set", "shop/nightly", "order", "--cron", "0 2 * * *", "--timezone", "Europe/Berlin", "--overlap", "skip", "-c", `{"n": 1}`))
	require.Equal(t, "done: schedule shop/often creates a task of order next at 2050-03-01 12:05:00Z (in 5m)\n", must(t, pool,
		"schedule", "set", "shop/often", "order@1.0.0", "--every", "5m", "--catch-up", "all", "--tag", "poll"))
	require.Equal(t, "done: schedule shop/often is paused\n", must(t, pool, "schedule", "pause", "shop/often", "--actor", "ann"))
	require.Equal(t, "nothing to do: schedule shop/often was paused already\n", must(t, pool, "schedule", "pause", "shop/often"))

	execute(t, pool, "select tasker_test.tick('13 hours')")
	require.Regexp(t, `shop/nightly +order +0 2 \* \* \* Europe/Berlin +in 1d +0s ago`,
		must(t, pool, "schedule", "list", "-n", "shop"))
	require.Regexp(t, `shop/often +order +every 5m +paused by ann`, must(t, pool, "schedule", "list"))
	shown := must(t, pool, "schedule", "show", "shop/nightly", "--next", "2")
	require.Contains(t, shown, "2050-03-03 01:00:00Z, 2050-03-04 01:00:00Z")
	require.Regexp(t, `(?m)^2050-03-02 01:00:00Z +2050-03-02 01:00:00Z +tick +made +[0-9a-f]{8}$`, shown)
	require.Regexp(t, `(?m)^overlap +skip$`, shown)

	require.Equal(t, "done: schedule shop/often ticks again\n", must(t, pool, "schedule", "resume", "shop/often"))
	require.Equal(t, "nothing to do: schedule shop/often was not paused\n", must(t, pool, "schedule", "resume", "shop/often"))
	require.Regexp(t, `^[0-9a-f-]{36} created\n$`, must(t, pool, "schedule", "run", "shop/often"))
	require.Equal(t, "done: schedule shop/often is backfilled from 2050-03-01 13:00:00Z until 2050-03-01 14:00:00Z\n", must(t, pool,
		"schedule", "backfill", "shop/often", "--since", "12h", "--until", "11h"))
	require.Contains(t, must(t, pool, "schedule", "list"), "is backfilled")
	require.Equal(t, "done: schedule shop/often is no longer backfilled\n", must(t, pool, "schedule", "backfill", "shop/often", "--stop"))
	require.Equal(t, "done: schedule shop/often is deleted\n", must(t, pool, "schedule", "delete", "shop/often"))
	require.Equal(t, "nothing to do: schedule shop/often does not exist\n", must(t, pool, "schedule", "delete", "shop/often"))
}

func TestSchedule_RefusesInvalidArguments(t *testing.T) {
	t.Parallel()
	pool := newSchedules(t)
	for _, test := range []struct {
		args []string
		code int
		err  string
	}{
		{[]string{"set", "nightly", "order", "--cron", "* * * * *"}, exitUsage, "a schedule is NAMESPACE/SCHEDULE"},
		{[]string{"set", "shop/s", "order"}, exitInvalid, "(TK422)"},
		{[]string{"set", "shop/s", "order", "--every", "1500ms"}, exitUsage, "--every is a whole number of seconds"},
		{[]string{"set", "shop/s", "other", "--every", "1m"}, exitNotFound, "(TK404)"},
		{[]string{"set", "shop/s", "order", "--every", "1m", "-c", "{"}, exitInvalid, "--context is not JSON"},
		{[]string{"set", "shop/s", "order", "--every", "1m", "--starts", "soon"}, exitUsage, "--starts is a time"},
		{[]string{"show", "shop/s"}, exitNotFound, "(TK404)"},
		{[]string{"run", "shop/s"}, exitNotFound, "(TK404)"},
		{[]string{"backfill", "shop/s"}, exitUsage, "either --since and --until, or --stop"},
	} {
		r := tasker(t, pool, append([]string{"schedule"}, test.args...)...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.err)
		require.Contains(t, r.err, test.err, test.args)
	}
}

func TestApply_SetsTheSchedulesOfAFile(t *testing.T) {
	t.Parallel()
	pool := newSchedules(t)
	path := file(t, "order.yaml", order+`schedules:
  - name: nightly
    cron: 0 2 * * *
    timezone: Europe/Berlin
    context: {region: eu}
    tags: [night]
    jitter_seconds: 60
    overlap: skip
  - name: often
    every_seconds: 300
`)
	require.Equal(t, "= shop/order@1.0.0 is already registered\n  2 schedules would be set: nightly, often\n", must(t, pool, "apply", path, "--dry-run"))
	require.Equal(t, "there are no schedules\n", tasker(t, pool, "schedule", "list").err)
	for range 2 {
		require.Equal(t, "= shop/order@1.0.0 is already registered\n  2 schedules set: nightly, often\n", must(t, pool, "apply", path))
	}
	require.Contains(t, must(t, pool, "schedule", "show", "shop/nightly"), `{"region": "eu"}`)

	bad := file(t, "order.yaml", order+"schedules:\n  - name: nightly\n    crom: 0 2 * * *\n")
	r := tasker(t, pool, "apply", bad)
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, `schedules[0].crom: a schedule has no such field`)
	require.Contains(t, r.err, `Did you mean "cron"?`)
	worse := file(t, "order.yaml", order+"schedules:\n  - name: nightly\n    cron: at noon\n")
	r = tasker(t, pool, "apply", worse)
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, `is no cron expression`)
}
