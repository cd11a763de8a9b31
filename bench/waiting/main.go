// Command waiting measures the cost of waiting steps. It compares a database without waiting steps with a database that has
// 1,000,000 waiting steps:
//
//	make bench-waiting
//
// The first measurement is an exchange without waits: its statements, buffers and time. The second is a signal: its buffers,
// its time, and the time until the next handler runs in a worker. The third is a page of the inbox. The fourth is the number
// of due sleepers that are woken per second.
package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

var (
	suspended = flag.Int("suspended", 1_000_000, "how many steps wait")
	signals   = flag.Int("signals", 300, "signals whose delay is measured, each time")
	exchanges = flag.Int("exchanges", 300, "exchanges that are measured, each time")
	sleepers  = flag.Int("sleepers", 20_000, "steps that sleep and are woken")
)

func main() {
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		b := &bench{pool: pool, e: executor.New(pool)}
		if err := b.register(ctx); err != nil {
			return err
		}
		none, err := b.measure(ctx)
		if err != nil {
			return err
		}
		if err := b.fill(ctx, *suspended); err != nil {
			return err
		}
		many, err := b.measure(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"beside waiting steps", "0", fmt.Sprint(*suspended)}}
		for i, name := range figures {
			rows = append(rows, []string{name, none[i], many[i]})
		}
		lab.Table(rows)
		fmt.Println()
		return b.wake(ctx, *sleepers)
	})
}

// figures are the figures of a measurement, in order.
var figures = []string{
	"statements inside an exchange of one plain step",
	"buffers of such an exchange, p50",
	"such an exchange, p50", "p95",
	"buffers of send_signal, p50",
	"send_signal, p50", "p95",
	"signal to the next handler, p50", "p95",
	"a page of 100 of the inbox, p50",
}

type bench struct {
	pool *pgxpool.Pool
	e    *executor.SqlFunctionExecutor
}

// templates has a plain step, the steps that wait while others work, and the steps that are measured.
var templates = []string{
	`{"namespace": "plain", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "job"}]}`,
	`{"namespace": "plain", "name": "order", "identity_strategy": "always_unique", "steps": [
		{"name": "approve", "await": [{"signal": "approved"}, {"signal": "rejected"}], "timeout": "30d"},
		{"name": "ship", "dependencies": ["approve"]}]}`,
	`{"namespace": "live", "name": "order", "identity_strategy": "always_unique", "steps": [
		{"name": "approve", "await": [{"signal": "approved"}, {"signal": "rejected"}], "timeout": "30d"},
		{"name": "ship", "dependencies": ["approve"]}]}`,
	`{"namespace": "sleep", "name": "nap", "identity_strategy": "always_unique", "steps": [
		{"name": "nap", "await": {"for": "30d"}}, {"name": "rise", "dependencies": ["nap"]}]}`,
}

func (b *bench) register(ctx context.Context) error {
	for _, t := range templates {
		if _, err := b.e.RegisterTaskTemplate(ctx, []byte(t)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measure(ctx context.Context) (found []string, err error) {
	for _, one := range []func(context.Context) ([]string, error){b.exchange, b.send, b.react, b.inbox} {
		figures, err := one(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, figures...)
	}
	return found, nil
}

// fill makes tasks that wait. It copies one task, by set and without triggers.
func (b *bench) fill(ctx context.Context, count int) error {
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var original uuid.UUID
	if err := conn.QueryRow(ctx, "select task_uuid from tasker.create_task('plain', 'order')").Scan(&original); err != nil {
		return err
	}
	copies, err := copyStatements(ctx, conn)
	if err != nil {
		return err
	}
	began := time.Now()
	const chunk = 50_000
	for done := 0; done < count; done += chunk {
		sql := fmt.Sprintf(`
			set session_replication_role = replica;
			create temporary table made on commit drop as
			select encode(overlay(overlay(uuid_send(gen_random_uuid())
			         placing int8send(((extract(epoch from a.at) * 1000)::bigint << 16) | x'7000'::bigint) from 1 for 8)
			         placing '\x0000' from 15 for 2), 'hex')::uuid as task_uuid
			  from (select now() - interval '24 hours' * random() as at from generate_series(1, %d)) as a
			 order by a.at;
			%s
			set session_replication_role = origin`, min(chunk, count-done), strings.ReplaceAll(copies, "$1", "'"+original.String()+"'"))
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	for _, sql := range []string{"vacuum (analyze)", "checkpoint"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	fmt.Printf("%d tasks with a step that waits made in %s\n", count, time.Since(began).Round(time.Second))
	return b.sound(ctx)
}

// copyStatements returns the statements that copy the rows of task $1 for each task of the table "made".
func copyStatements(ctx context.Context, conn *pgxpool.Conn) (sql string, err error) {
	err = conn.QueryRow(ctx, `
		select string_agg(format(
		         'insert into tasker.%1$I (%2$s) select %3$s from tasker.%1$I as o cross join made as m where o.task_uuid = $1;', c.name, c.columns, c.copies
		       ), E'\n' order by c.position)
		  from (
		    select t.name, t.position,
		           string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
		           string_agg(case
		             when a.attname in ('task_uuid', 'correlation_id') then 'm.task_uuid'
		             when a.attname = 'workflow_step_uuid' then 'tasker.step_uuid(m.task_uuid, o.step_no)'
		             else 'o.' || quote_ident(a.attname)
		           end, ', ' order by a.attnum) as copies
		      from unnest(array['tasks', 'workflow_steps', 'task_log', 'step_log', 'waits', 'timers'])
		           with ordinality as t (name, position)
		      join pg_attribute as a on a.attrelid = format('tasker.%I', t.name)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
		     group by t.name, t.position
		  ) as c`).Scan(&sql)
	return sql, err
}

// sound returns an error if the copied rows differ from the rows that the engine writes.
func (b *bench) sound(ctx context.Context) error {
	var problems string
	err := b.pool.QueryRow(ctx, `
		select coalesce(string_agg(concat_ws(' ', p.object, p.problem), '; '), '')
		  from tasker.check_integrity(p_since => (select requested_at - interval '5 minutes' from tasker.tasks order by task_uuid limit 1 offset 1000),
		                              p_until => (select requested_at from tasker.tasks order by task_uuid limit 1 offset 1000), p_limit => 5) as p`).Scan(&problems)
	if err == nil && problems != "" {
		err = fmt.Errorf("the rows that were made are not sound: %s", problems)
	}
	return err
}
