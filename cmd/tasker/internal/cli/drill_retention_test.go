package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Retention is held by one old task: the first look says so, and two commands find the range and free it. The range is counted in
// the database, and the task is still there.
func TestDrill_RetentionIsHeld(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	execute(t, pool, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	execute(t, pool, "select tasker_test.make_old_task('41 days', 'pending')")
	must(t, pool, "maintain", "retention")
	judgeTwice(t, pool)

	require.Regexp(t, `(?m)^act now +retention +.*1 range is kept past its retention`, must(t, pool, "incidents", "--wide"))
	require.Contains(t, must(t, pool, "incidents", "show", "retention"), "tasker partition status")

	found := regexp.MustCompile(`(?m)^(\S+ \S+)  .* held .*1 not ended$`).FindStringSubmatch(must(t, pool, "partition", "status"))
	require.NotNil(t, found)
	must(t, pool, "partition", "evacuate", strings.Replace(found[1], " ", "T", 1))

	must(t, pool, "maintain", "retention")
	judgeTwice(t, pool)
	require.Equal(t, "0", answer(t, pool, `select count(*)::text from tasker.partition_ranges as r, tasker.partition_config as c where r.ends_at <= tasker.clock() - c.retention and r.suffix not like '%e%'`))
	require.NotContains(t, tasker(t, pool, "incidents", "--wide").out, "past its retention", "the incident has ended")
	require.Equal(t, "1", answer(t, pool, `select count(*)::text from tasker.list_tasks(p_state => 'open')`), "the task that held it is still open")
}

// What a rule tells people to do can be done: its commands and its functions exist.
func TestRules_NameCommandsAndFunctionsThatExist(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rules, err := executor.New(pool).ListIncidentRules(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, rules)
	for _, r := range rules {
		for _, m := range regexp.MustCompile(`\btasker ([a-z-]+(?: [a-z-]+)?)`).FindAllStringSubmatch(r.NextStep, -1) {
			named := strings.Fields(m[1])
			// A second word may be one of the sentence, if the first is a command that has no others.
			help := tasker(t, pool, named[0], "--help").out
			known := strings.Contains(help, "tasker "+named[0])
			if known && strings.Contains(help, "[command]") && len(named) == 2 {
				known = strings.Contains(tasker(t, pool, named[0], named[1], "--help").out, "tasker "+m[1])
			}
			require.True(t, known, "%s/%s: %s", r.Kind, r.Rule, m[0])
		}
		for _, m := range regexp.MustCompile(`\btasker\.(\w+)\(`).FindAllStringSubmatch(r.NextStep, -1) {
			require.Equal(t, "true", answer(t, pool, `select exists (select from pg_proc where pronamespace = 'tasker'::regnamespace and proname = $1)::text`, m[1]), r.NextStep)
		}
	}
}
