package docs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// changesNoRun are functions that do not change runs. They change templates, settings, partitions, queues, totals or access.
const changesNoRun = `{
	acknowledge_incident, adopt_pgmq, analyze_parents, assume_person, assume_session, bind_role, bind_sql_role, create_selection, end_session, end_sessions, ensure_partitions,
	ensure_task_queue, gc_identities, map_access, note_cron_job, note_refused_program, open_session, refresh_session, sign_out, touch_session, unbind_sql_role, unmap_access,
	gc_queue_archives, get_queue_statistics, mark_awake, mark_sleeping, open_writers, pgmq_delete_messages,
	pgmq_acknowledge_message, pgmq_ensure_headers_column, pgmq_hide_message, pgmq_read_specific_message,
	pgmq_receive_messages, pgmq_send_batch_with_notify,
	pgmq_send_with_notify, rebuild_analytics, refresh_analytics, register_task_template,
	retire_task_template, set_retention, set_setting, setup_cron, uuid_generate_v7, warm_session
}`

func TestLocking_NamesEveryFunctionThatChangesARun(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	page, err := os.ReadFile(filepath.Join(root, "docs/locking.md"))
	require.NoError(t, err)

	rows, err := pool.Query(t.Context(), `
		select p.proname::text
		  from pg_proc as p
		 where p.pronamespace = 'tasker'::regnamespace
		   and p.provolatile = 'v'
		   and p.proname <> all ($1::text[])
		   and exists (
		     select
		       from aclexplode(p.proacl) as a
		      where a.grantee <> p.proowner
		        and a.privilege_type = 'EXECUTE'
		   )
		 order by p.proname`, changesNoRun)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)

	require.NotEmpty(t, names)
	for _, name := range names {
		require.Contains(t, string(page), "`"+name+"`", "docs/locking.md says nothing of it")
	}
}
