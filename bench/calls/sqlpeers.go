package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// stepPeers prepares the engines in SQL whose steps are compared with a SQL step: absurd and pgflow. No registry has their SQL
// alone, so ABSURD and PGFLOW name checkouts of their sources. The table leaves out an engine without a checkout. pgflow needs
// the real extension pgmq.
func stepPeers(ctx context.Context, server *lab.Server) (list []load, arms []*arm, err error) {
	for _, open := range []func(context.Context, *lab.Server) (load, *arm, error){openAbsurd, openPgflow} {
		l, a, err := open(ctx, server)
		if err != nil {
			for _, opened := range arms { // a pool with an acquired connection does not close
				opened.conn.Release()
			}
			return nil, nil, err
		}
		if a != nil {
			list, arms = append(list, l), append(arms, a)
		}
	}
	return list, arms, nil
}

// openPeer opens a database with these files of SQL, run in order.
func openPeer(ctx context.Context, server *lab.Server, name, before string, files []string, after string) (*arm, error) {
	pool, err := server.NewEmpty(ctx)
	if err != nil {
		return nil, err
	}
	a := &arm{name: name, today: true, pool: pool}
	if a.conn, err = pool.Acquire(ctx); err != nil {
		return nil, err
	}
	if err := a.install(ctx, before, files, after); err != nil {
		a.conn.Release()
		return nil, err
	}
	return a, nil
}

// install runs texts and files of SQL in order.
func (a *arm) install(ctx context.Context, before string, files []string, after string) (err error) {
	sql := []string{before}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sql = append(sql, string(text))
	}
	for i, text := range append(sql, after) {
		if _, err := a.conn.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s, text %d: %w", a.name, i, err)
		}
	}
	a.conn.Conn().Config().DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	if a.executed, err = lab.CountInstructions(a.conn); err != nil {
		fmt.Fprintln(os.Stderr, "no instructions:", err)
	}
	return nil
}

// openAbsurd measures steps of absurd. A task of absurd is a function whose steps follow each other, so the diamond becomes a
// chain of seven steps.
func openAbsurd(ctx context.Context, server *lab.Server) (load, *arm, error) {
	dir := os.Getenv("ABSURD")
	if dir == "" {
		fmt.Fprintln(os.Stderr, "no absurd: ABSURD does not name a checkout of it")
		return load{}, nil, nil
	}
	a, err := openPeer(ctx, server, "absurd", "select 1", []string{filepath.Join(dir, "sql", "absurd.sql")}, "select absurd.create_queue('bench')")
	return load{name: fmt.Sprintf("absurd: a step of seven, %d tasks a claim", sqlBatch), before: func(ctx context.Context, a *arm) error {
		for range 30 {
			if _, err := a.conn.Exec(ctx, `select absurd.spawn_task('bench', 'diamond', '{"order": 4711}')`); err != nil {
				return err
			}
		}
		return nil
	}, work: drainAbsurd}, a, err
}

var diamondSteps = []string{"top", "a", "b", "c", "d", "e", "bottom"}

// drainAbsurd claims tasks, keeps the result of each step by one call, and completes the tasks.
func drainAbsurd(ctx context.Context, a *arm) (done int, err error) {
	type run struct{ run, task uuid.UUID }
	for {
		rows, err := a.conn.Query(ctx, "select c.run_id, c.task_id, c.params from absurd.claim_task('bench', 'bench', 60, $1) as c", sqlBatch)
		if err != nil {
			return done, err
		}
		runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r run, err error) {
			var params json.RawMessage
			return r, row.Scan(&r.run, &r.task, &params)
		})
		if err != nil || len(runs) == 0 {
			return done, err
		}
		for _, r := range runs {
			for _, step := range diamondSteps {
				if _, err := a.conn.Exec(ctx, `select absurd.set_task_checkpoint_state('bench', $1, $2, '{"ok": true}', $3, 60)`, r.task, step, r.run); err != nil {
					return done, err
				}
				done++
			}
			if _, err := a.conn.Exec(ctx, `select absurd.complete_run('bench', $1, '{"ok": true}')`, r.run); err != nil {
				return done, err
			}
		}
	}
}

// openPgflow runs the diamond by pgflow. pgflow's steps do not need the functions of Supabase for messages to browsers and for
// calls by HTTP. In this database these functions are missing or do nothing.
func openPgflow(ctx context.Context, server *lab.Server) (load, *arm, error) {
	dir := os.Getenv("PGFLOW")
	if dir == "" {
		fmt.Fprintln(os.Stderr, "no pgflow: PGFLOW does not name a checkout of it")
		return load{}, nil, nil
	}
	probe, err := server.NewEmpty(ctx)
	if err != nil {
		return load{}, nil, err
	}
	var pgmq bool
	if err := probe.QueryRow(ctx, "select exists (select from pg_available_extensions as e where e.name = 'pgmq')").Scan(&pgmq); err != nil {
		return load{}, nil, err
	}
	if !pgmq {
		fmt.Fprintln(os.Stderr, "no pgflow: the server does not have the extension pgmq")
		return load{}, nil, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "pkgs", "core", "schemas", "*.sql"))
	if err != nil || len(files) == 0 {
		return load{}, nil, errors.Join(err, fmt.Errorf("PGFLOW=%s has no pkgs/core/schemas", dir))
	}
	slices.Sort(files)
	files = slices.DeleteFunc(files, func(file string) bool {
		name := filepath.Base(file)
		return name[:4] == "0010" || name[:4] == "0200" || // extensions, and grants to roles of Supabase
			strings.HasSuffix(name, "_cron.sql") // pg_cron's jobs, which start its workers
	})
	a, err := openPeer(ctx, server, "pgflow", `
		create extension pgmq;
		create schema realtime;
		create function realtime.send(jsonb, text, text, boolean) returns void language sql as $$ select $$;
		set check_function_bodies = off`, files, `
		reset check_function_bodies;
		select pgflow.create_flow('diamond');
		select pgflow.add_step('diamond', 'top');
		select pgflow.add_step('diamond', s, array['top']) from unnest('{a,b,c,d,e}'::text[]) as s;
		select pgflow.add_step('diamond', 'bottom', '{a,b,c,d,e}');
		insert into pgflow.workers (worker_id, queue_name, function_name) values ('00000000-0000-0000-0000-000000000001', 'diamond', 'bench')`)
	return load{name: fmt.Sprintf("pgflow: %d messages a read", sqlBatch), before: func(ctx context.Context, a *arm) error {
		_, err := a.conn.Exec(ctx, `select pgflow.start_flow('diamond', '{"order": 4711}') from generate_series(1, 30)`)
		return err
	}, work: drainPgflow}, a, err
}

// drainPgflow reads messages, starts their steps and completes each step by one call, as pgflow's worker does.
func drainPgflow(ctx context.Context, a *arm) (done int, err error) {
	type started struct {
		run   uuid.UUID
		step  string
		index int32
	}
	for {
		rows, err := a.conn.Query(ctx, "select m.msg_id from pgmq.read('diamond', 60, $1) as m", sqlBatch)
		if err != nil {
			return done, err
		}
		messages, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil || len(messages) == 0 {
			return done, err
		}
		rows, err = a.conn.Query(ctx, "select t.run_id, t.step_slug, t.task_index, t.input from pgflow.start_tasks('diamond', $1, '00000000-0000-0000-0000-000000000001') as t", messages)
		if err != nil {
			return done, err
		}
		steps, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s started, err error) {
			var input json.RawMessage
			return s, row.Scan(&s.run, &s.step, &s.index, &input)
		})
		if err != nil {
			return done, err
		}
		for _, s := range steps {
			if _, err := a.conn.Exec(ctx, `select from pgflow.complete_task($1, $2, $3, '{"ok": true}')`, s.run, s.step, s.index); err != nil {
				return done, err
			}
			done++
		}
	}
}
