package fuzztest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// hostile changes how texts, times and plans are read and written.
const hostile = `
	set local standard_conforming_strings = off; set local escape_string_warning = off; set local quote_all_identifiers = on;
	set local datestyle = 'German'; set local intervalstyle = 'sql_standard'; set local timezone = 'Pacific/Kiritimati';
	set local bytea_output = 'escape'; set local extra_float_digits = -15; set local transform_null_equals = on;
	set local array_nulls = off; set local search_path = pg_temp, public; set local enable_indexscan = off; set local work_mem = '64kB';`

// longest is how long a call may take. The machine may be busy with other tests.
const longest = 20 * time.Second

func TestFuzz_EveryAnswerIsRowsOrAnErrorOfClassTK(t *testing.T) {
	t.Parallel()
	run(t, "")
}

func TestFuzz_EveryAnswerIsRowsOrAnErrorOfClassTKUnderHostileSettings(t *testing.T) {
	t.Parallel()
	run(t, hostile)
}

// run tries the functions of each role, or the functions that PGTASKER_FUZZ_ONLY names (tasker.add_steps). If PGTASKER_SOAK is set, it
// makes every call: each argument of each function with each value, as each role, and some random mixtures. Otherwise it makes as many of
// these calls as 20 seconds allow, in random order.
func run(t *testing.T, settings string) {
	pool := pgtest.New(t, pgtest.MaxConns(2))
	seed := uint64(1)
	if text := os.Getenv("PGTASKER_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	whole := os.Getenv("PGTASKER_SOAK") != ""
	r := rand.New(rand.NewPCG(seed, 0))
	bound := fmt.Sprintf("fuzz_bound_%x", rand.Uint64())
	prepare(t, pool, bound)

	functions := granted(t, pool, bound)
	if only := os.Getenv("PGTASKER_FUZZ_ONLY"); only != "" {
		functions = slices.DeleteFunc(functions, func(f function) bool { return !slices.Contains(strings.Split(only, " "), f.Name) })
	} else {
		require.Greater(t, len(functions), 400, "functions times roles")
	}
	var queue []attempt
	for _, f := range functions {
		mixtures := 2
		if whole {
			mixtures = 4
		}
		for place, text := range f.calls(r, mixtures) {
			queue = append(queue, attempt{f.Role, text, place})
		}
	}
	r.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	tried, bad, until := 0, 0, time.Now().Add(20*time.Second)
	var slowest time.Duration
	var what attempt
	for _, a := range queue {
		if !whole && time.Now().After(until) {
			break
		}
		tried++
		if whole && tried%5000 == 0 {
			t.Logf("%d of %d calls; the longest took %v: as %s: %s", tried, len(queue), slowest, what.role, cut(what.text))
		}
		began := time.Now()
		problem := a.try(t.Context(), conn.Conn(), settings)
		if took := time.Since(began).Round(time.Millisecond); took > slowest {
			slowest, what = took, a
		}
		if problem != "" {
			bad++
			t.Errorf("as %s: %s\n  %s", a.role, a.text, problem)
		}
		if bad >= 50 {
			break
		}
	}
	t.Logf("%d of %d calls of %d functions, seed %d", tried, len(queue), len(functions), seed)
	t.Logf("the longest call took %v of the %v that one may take: as %s: %s", slowest, longest, what.role, cut(what.text))
	require.Greater(t, tried, min(100, len(queue)-1))
}

type attempt struct {
	role, text string
	place      int
}

// try makes the call and returns the defect of its answer.
func (a attempt) try(ctx context.Context, conn *pgx.Conn, settings string) string {
	began := time.Now()
	text := fmt.Sprintf("begin; set local statement_timeout = '%dms'; set local lock_timeout = '5s'; %s set local role %s; %s",
		longest.Milliseconds(), settings, a.role, a.text)
	_, err := conn.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol)
	if _, rollback := conn.Exec(ctx, "rollback"); rollback != nil {
		return "the connection is lost: " + rollback.Error()
	}
	var answer *pgconn.PgError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &answer):
		return "no answer: " + err.Error()
	case !strings.HasPrefix(answer.Code, "TK"):
		return fmt.Sprintf("%s: %s, after %v\n  %s", answer.Code, cut(answer.Message), time.Since(began).Round(time.Millisecond), answer.Where)
	case answer.Hint == "":
		return fmt.Sprintf("%s has no hint: %s", answer.Code, cut(answer.Message))
	case len(answer.Message)+len(answer.Detail)+len(answer.Hint) > 6000:
		return fmt.Sprintf("%s has a message of %d, a detail of %d and a hint of %d bytes: %s",
			answer.Code, len(answer.Message), len(answer.Detail), len(answer.Hint), cut(answer.Message))
	}
	return ""
}

func cut(text string) string { return text[:min(len(text), 300)] }

// prepare creates the objects that valid arguments name. It creates a task with a chain of three steps in a namespace
// with a queue. Two of the steps have compensations, and the first step is claimed. Another task of the template is
// being undone, and its compensation is claimed.
func prepare(t *testing.T, pool *pgxpool.Pool, bound string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		do $do$
		declare
			v_task   uuid;
			v_undone uuid;
			v_entry  uuid;
		begin
			perform from tasker.register_task_template('{"namespace": "fuzz", "name": "chain", "steps": [
				{"name": "a", "compensate": "undo"}, {"name": "b", "dependencies": ["a"], "compensate": "undo"}, {"name": "c", "dependencies": ["b"]}]}');
			perform tasker.ensure_task_queue('worker_fuzz_queue');
			perform tasker.pgmq_send_with_notify('worker_fuzz_queue', '{}');
			select c.task_uuid into v_task from tasker.create_task('fuzz', 'chain', '{}') as c;
			perform from tasker.claim_steps('{fuzz}', '01980000-0000-7000-8000-00000000000b');
			select c.task_uuid into v_undone from tasker.create_task('fuzz', 'chain', '{"undone": true}') as c;
			perform from tasker.claim_step(tasker.step_uuid(v_undone, 1), '01980000-0000-7000-8000-00000000000b') as c
				cross join lateral tasker.complete_steps(array[c.step_uuid], array[c.claim_no], array['{"a": 1}']::jsonb[]);
			perform tasker.cancel_task(v_undone, 'fuzz');
			perform tasker.fire_due_timers();
			perform tasker.fire_due_timers();
			perform from tasker.claim_step(tasker.step_uuid(v_undone, 4), '01980000-0000-7000-8000-00000000000b');
			v_entry := tasker.create_dlq_entry(v_task, 'manual_dlq');
			perform tasklib.register_task('chain');
			create table public.fuzz_ids as
				select v_task as task, s.workflow_step_uuid as step, s.claim_no, v_entry as entry,
				       v_undone as undone, tasker.step_uuid(v_undone, 1) as ended_step, tasker.step_uuid(v_undone, 4) as undo_step
				  from tasker.workflow_steps as s
				 where s.task_uuid = v_task and s.state = 'in_progress';
			grant select on public.fuzz_ids to public;
		end;
		$do$`)
	require.NoError(t, err)
	var undone string
	require.NoError(t, pool.QueryRow(t.Context(), `select concat_ws(' ', s.name, s.state, t.undo ->> 'phase')
		from public.fuzz_ids as f join tasker.tasks as t on t.task_uuid = f.undone
		join tasker.workflow_steps as s on s.task_uuid = f.undone and s.workflow_step_uuid = f.undo_step`).Scan(&undone))
	require.Equal(t, "undo a in_progress undo", undone)

	// Roles belong to the cluster, and other databases of the cluster are fuzzed at the same time.
	_, err = pool.Exec(t.Context(), fmt.Sprintf(`create role %[1]s;
		grant tasker_submitter, tasker_worker, tasker_operator to %[1]s;
		select tasker.bind_role('%[1]s', '{fuzz}')`, bound))
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := pool.Exec(context.Background(), "drop role "+bound)
		require.NoError(t, err)
	})
}

// granted returns the functions that each role may call.
func granted(t *testing.T, pool *pgxpool.Pool, bound string) []function {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		select p.oid::regproc::text, r.rolname::text, coalesce((
			select jsonb_agg(jsonb_build_object(
					'name', a.name, 'type', format_type(a.type, null), 'optional', a.no > p.pronargs - p.pronargdefaults
				) order by a.no)
			from unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) with ordinality as a (name, type, no)
		), '[]')
		from pg_proc as p
		cross join pg_roles as r
		where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
			and p.prokind = 'f'
			and p.prorettype <> 'trigger'::regtype
			and (r.rolname ~ '^(tasker|tasklib)_(submitter|worker|orchestrator|operator|reader)$' or r.rolname = $1)
			and has_function_privilege(r.oid, p.oid, 'execute')
		order by 1, 2`, bound)
	require.NoError(t, err)
	functions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[function])
	require.NoError(t, err)
	return functions
}
