package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestPartition_StatusShowsWhatHoldsARange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	execute(t, pool, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	execute(t, pool, "select tasker_test.make_old_task('41 days', 'pending')")

	out := must(t, pool, "partition", "status")
	require.Regexp(t, `(?m)^2050-01-17 00:00:00Z  2050-01-24 00:00:00Z  held +\d+ +\d+  \d+\.\d kB  tasks: 1 not ended$`, out)
	require.Regexp(t, `(?m)^2050-02-28 00:00:00Z  2050-03-07 00:00:00Z  current +\d+ +\d+  \d+\.\d kB$`, out)
	require.Contains(t, out, "one week each, 2 ahead, kept for 21d; made by builtin: the built-in manager is configured\n")
	require.Contains(t, out, "! 2 ranges are past their retention; call tasker maintain retention\n")
	require.Contains(t, out, "! 1 ranges are past their retention but held; tasker partition status says why\n")

	out = must(t, pool, "maintain", "retention")
	require.Regexp(t, `(?m)^retention  1     .*held from 2050-01-17 00:00:00\+00: tasks: 1 not ended; dropped from 2050-01-24 00:00:00\+00: partitions _p20500124$`, out)

	require.Equal(t, "evacuated: 1 tasks moved to partitions _p20500117_e1\n", must(t, pool, "partition", "evacuate", "2050-01-17T00:00:00Z"))
	require.Equal(t, exitNotFound, tasker(t, pool, "partition", "evacuate", "2050-01-18T00:00:00Z").code)
	require.Equal(t, exitConflict, tasker(t, pool, "partition", "evacuate", "2050-02-28T00:00:00Z").code)
	require.Equal(t, exitUsage, tasker(t, pool, "partition", "evacuate", "yesterday").code)
}

func TestPartition_SetupChangesTheInterval(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	execute(t, pool, "select tasker_test.start_year('2050-03-02 12:00+00', '1 month', '90 days')")

	var report struct {
		Unit       string `json:"partition_unit"`
		Partitions []struct {
			Suffix string `json:"suffix"`
		} `json:"partitions"`
	}
	out := must(t, pool, "partition", "setup", "--interval", "7 days", "--premake", "5", "--json")
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, "week", report.Unit)
	require.Len(t, report.Partitions, 3)
	require.Equal(t, "p20500404", report.Partitions[2].Suffix)

	require.Equal(t, exitInvalid, tasker(t, pool, "partition", "setup", "--interval", "2 days").code)
	require.Equal(t, exitNotFound, tasker(t, pool, "partition", "setup", "--pg-cron").code)
	require.Contains(t, must(t, pool, "partition", "growth"), "there are no tasks yet\n")
}

func TestDoctor_WarnsWhenPartitionsEndWithinAWeek(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	execute(t, pool, "select tasker_test.start_year('2050-01-04 12:00+00', '7 days', '21 days')")
	require.Contains(t, tasker(t, pool, "doctor").out, "✓  partitions  ready until 2050-01-24")
	execute(t, pool, "select tasker_test.pass('14 days')")
	require.Contains(t, tasker(t, pool, "doctor").out, "!  partitions  ready until 2050-01-24")
}
