package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPgtap_AFileThatCountsBuffersHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	requirePgtap(t)
	dir := t.TempDir()
	// The first file leaves a table behind. Both of the first files see the table. The file that counts buffers does
	// not.
	writeTest(t, filepath.Join(dir, "a.sql"), "commit; create table public.left_behind (); begin; select plan(1); select pass();")
	writeTest(t, filepath.Join(dir, "b.sql"), "select plan(1); select has_table('public'::name, 'left_behind'::name); -- shares")
	writeTest(t, filepath.Join(dir, "c.sql"), "select plan(1); select hasnt_table('public'::name, 'left_behind'::name); -- counts buffers")
	got := finish(t, pgtestCommand(t, "pgtap", "-j", "1", dir))
	require.Zero(t, got.code, got.stdout+got.stderr)
	require.Contains(t, got.stdout, "Result: PASS")
}

// Files that share a session do not see more of each other than files with sessions of their own.
func TestSessions_FilesLeaveNothingToEachOther(t *testing.T) {
	t.Parallel()
	requirePgtap(t)
	dir := t.TempDir()
	writeTest(t, filepath.Join(dir, "a.sql"), `select plan(1);
		prepare left_behind as select 1; listen left_behind; create temporary table left_behind ();
		select pg_advisory_lock(7); select 'a' as left_behind \gset
		select is(:'left_behind'::text, 'a');
		commit; set enable_seqscan = off; set role tasker_reader; begin;`)
	writeTest(t, filepath.Join(dir, "b.sql"), `select plan(7);
		select is_empty('select from pg_prepared_statements'); select is_empty('select pg_listening_channels()');
		select is(current_setting('enable_seqscan'), 'on'); select is(current_user, session_user);
		select hasnt_table('left_behind'::name);
		select is_empty($$ select from pg_locks as l where l.locktype = 'advisory' and l.pid = pg_backend_pid() $$);
		\if :{?left_behind}
		select fail('psql still has a variable');
		\else
		select pass();
		\endif`)
	writeTest(t, filepath.Join(dir, "c.sql"), `select plan(1); select nonsense;`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d.sql"), []byte("begin; select plan(1); select pass();"), 0o600))
	writeTest(t, filepath.Join(dir, "e.sql"), `select plan(1); select pass();`)
	got := finish(t, pgtestCommand(t, "pgtap", "-j", "1", dir))
	require.Equal(t, 1, got.code, got.stdout+got.stderr)
	for name, failed := range map[string]bool{"a": false, "b": false, "c": true, "d": true, "e": false} {
		require.Equal(t, failed, strings.Contains(got.stdout, name+".sql "), "%s.sql: %s", name, got.stdout+got.stderr)
	}
	require.Contains(t, got.stderr, "DISCARD ALL cannot run inside a transaction block", "a file must end its transaction")
}

// A session that runs files has a database that no other session uses meanwhile. It is started again when it has
// ended.
func TestSessions_EachHasADatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	psql := filepath.Join(dir, "psql")
	require.NoError(t, os.WriteFile(psql, []byte(`#!/bin/sh
while read -r what with; do
  case "$what $with" in
    '\echo '*) echo "$with" ;;
    *ends*) exit 3 ;;
    '\i '*) echo "$PGDATABASE" ;;
  esac
done`), 0o700))
	s, err := startSessions(t.Context(), filepath.Join(dir, "socket"), psql, dir, os.Environ(), []string{"one", "two"})
	require.NoError(t, err)
	one, two := <-s.free, <-s.free
	defer func() {
		s.free <- one
		s.free <- two
		require.NoError(t, s.close())
	}()
	for _, step := range []struct {
		in   *tapSession
		file string
		want answer
	}{
		{one, "a.sql", answer{Out: "one\n"}},
		{two, "a.sql", answer{Out: "two\n"}},
		{one, "ends.sql", answer{Code: 3}},
		{one, "b.sql", answer{Out: "one\n"}},
	} {
		got, err := s.run(t.Context(), step.in, request{File: step.file})
		require.NoError(t, err)
		require.Equal(t, step.want, got)
	}
}
