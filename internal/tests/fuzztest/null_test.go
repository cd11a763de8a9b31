package fuzztest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// changing are the parts in which two equal calls may differ: identifiers, times and measurements.
var changing = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d[T ][0-9:.+Z]+|\d+\.\d+|"(bytes|pgmq_send[a-z_]*|[a-z_]*_(bytes|no|count|id|ms|at|pid))": \d+`)

// refuses has the arguments for which null is an error although they have a default, and why.
var refuses = map[string]string{
	"tasker.map_access p_role_name":  "a right is given by name",
	"tasker.map_access p_namespaces": "a right is given by name: a caller whose list is missing must not give all namespaces",
}

// unlike has the functions whose equal calls may answer differently, each with the reason.
var unlike = map[string]string{
	"tasker.analyze_parents": "each call takes the next table, and a rollback does not undo that",
	"tasker.open_writers":    "the answer names the transactions of other sessions of the server",
	"tasklib.open_writers":   "likewise",
}

// accepted has arguments with which functions answer whose usual arguments they refuse.
var accepted = map[string]map[string]string{
	"p_worker_uuid":  {"": "'01980000-0000-7000-8000-00000000000e'"},
	"p_schedule":     {"": "'daily'"},
	"p_subscription": {"": "'fuzz'"},
	"p_reader_uuid":  {"": "'01980000-0000-7000-8000-00000000000f'"},
	"p_place":        {"": "'0/0'"},
	"p_identity_key": {"": "'key'"},
	"p_from":         {"": "now() - interval '2 days'"},
	"p_until":        {"": "now()", "tasker.acknowledge_incident": leftOut},
	"p_namespaces":   {"": "'{fuzz}'"},
	"p_from_step":    {"": "'a'"},
	"p_step_name":    {"": "'a'"},
	"p_early":        {"tasker.complete_step_by_name": "true"},
	"p_cron":         {"tasker.set_schedule": "'0 7 * * *'"},
	"p_notes":        {"tasker.requeue_dlq_entries": "'why'"},
	"p_position":     {"": "1"},
	"p_occurrence":   {"": "1"},
	"p_channels":     {"": "'{tasker_steps_ready.fuzz}'"},
	"p_sleeper_uuid": {"": "gen_random_uuid()"},
	"p_lane":         {"": "'normal'"},
	"p_version":      {"tasker.retire_task_template": "(select max(version) from public.fuzz_versions)"},
	"p_reason":       {"": "'why'"},
	"p_name":         {"tasker.set_setting": "'result_bytes'", "tasker.create_token": "'other'", "tasker.retire_task_template": "'keyed'", "tasklib.set_setting": "'completed_ttl_seconds'", "tasker.send_signal_by_key": "'go'"},
	"p_value":        {"tasker.set_setting": "'1000000'", "tasklib.set_setting": "'60'", "tasker.keep_step_result": "'{}'"},
	"p_task_name":    {"tasker.send_signal_by_key": "'keyed'"},
	"p_ids":          {"": "array[gen_random_uuid()]"},
	"p_claim_nos":    {"tasklib.complete_tasks": "array[1]", "tasklib.extend_locks": "array[1]", "tasklib.fail_tasks": "array[1]"},
	"p_names":        {"": "'{chain}'"},
	"p_before":       {"tasklib.purge": "now() - interval '1 day'"},
	"p_roles":        {"": "'{tasklib_worker}'"},
	"p_retry_count":  {"": "1"},
	"p_id":           {"": "(select id from tasklib_ids)"},
	"p_from_state":   {"tasker.transition_task_state_atomic": "'steps_in_process'"},
	"p_to_state":     {"tasker.transition_task_state_atomic": "'evaluating_results'"},
}

// TestNull_IsTheDefault calls each function with its obligatory arguments, and then again with null for each argument that has a default.
// A caller whose language always sends every argument must get the same answer as a caller who leaves the argument out.
func TestNull_IsTheDefault(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(2))
	bound := fmt.Sprintf("fuzz_bound_%x", rand.Uint64())
	prepare(t, pool, bound)
	_, err := pool.Exec(t.Context(), `
		select tasker.set_schedule('fuzz', 'daily', 'chain', '0 7 * * *');
		select tasker.subscribe('fuzz');
		select tasker.set_limit('fuzz', 'chain', 5);
		select tasker.create_token('chain', sha256('chain'), 'tasker_reader', '{fuzz}');
		select tasker.register_task_template('{"namespace": "fuzz", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
		select tasker.create_task('fuzz', 'keyed', '{}', p_identity_key => 'key');
		create table public.fuzz_versions as select k.version from tasker.named_tasks as k where k.name = 'keyed';
		grant select on public.fuzz_versions to public;
		create view public.tasklib_ids as select s.id from tasklib.submit_task('chain') as s;
		grant select on public.tasklib_ids to public`)
	require.NoError(t, err)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()

	tried := map[string]bool{}
	answered := 0
	for _, f := range granted(t, pool, bound) {
		if tried[f.Name] || f.Role == bound {
			continue
		}
		tried[f.Name] = true
		given, some := map[string]string{}, false
		for _, a := range f.Arguments {
			value, found := accepted[a.Name][f.Name]
			if !found && !a.Optional {
				value, found = accepted[a.Name][""]
			}
			switch {
			case found:
				given[a.Name] = value
			case a.Optional:
				given[a.Name] = leftOut
				some = true
			}
		}
		if _, found := unlike[f.Name]; found || !some {
			continue
		}
		want := answer(t.Context(), conn.Conn(), f.Role, f.call(given))
		if !strings.HasPrefix(want, "TK") {
			answered++
		} else {
			t.Logf("%s refuses these arguments: %s", f.Name, cut(want))
		}
		for _, a := range f.Arguments {
			if _, found := refuses[f.Name+" "+a.Name]; found || given[a.Name] != leftOut {
				continue
			}
			given[a.Name] = "null::" + a.Kind
			if got := answer(t.Context(), conn.Conn(), f.Role, f.call(given)); got != want {
				t.Errorf("%s: null for %s is not its default\n  default: %s\n  null:    %s", f.Name, a.Name, cut(want), cut(got))
			}
			given[a.Name] = leftOut
		}
	}
	require.Greater(t, answered, 150, "functions that answered")
	t.Logf("%d functions with defaults answered", answered)
}

// answer makes a call in a transaction that is rolled back, and returns its rows, or its error.
func answer(ctx context.Context, conn *pgx.Conn, role, call string) string {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "set local role "+role+"; set local statement_timeout = '20s'"); err != nil {
		return err.Error()
	}
	var rows string
	err = tx.QueryRow(ctx, "select coalesce(jsonb_agg(to_jsonb(r) order by to_jsonb(r)), '[]')::text from ("+call+") as r").Scan(&rows)
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return changing.ReplaceAllString(refused.Code+": "+refused.Message, "…")
	} else if err != nil {
		return err.Error()
	}
	return changing.ReplaceAllString(rows, "…")
}
