// Command growth measures the cost of partitions and history. It makes the same calls, in turns, on databases that differ in
// their numbers of ranges and of steps of ended tasks. Then it measures the removal of a full range.
//
//	make bench-growth
//	go run -C bench ./growth -steps 1000000,10000000 -ranges 1,18,90
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

// The diamond of the design has one step, five steps in parallel, and a step that joins them.
const diamond = `{
  "namespace": "bench", "name": "diamond", "identity_strategy": "always_unique",
  "steps": [
    {"name": "top"},
    {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]},
    {"name": "c", "dependencies": ["top"]}, {"name": "d", "dependencies": ["top"]},
    {"name": "e", "dependencies": ["top"]},
    {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}
  ]
}`

// subject is one database that is compared with others.
type subject struct {
	pool          *pgxpool.Pool
	ranges, steps int
}

func (s subject) String() string { return fmt.Sprintf("%d ranges, %d steps", s.ranges, s.steps) }

func main() {
	steps := flag.String("steps", "1000000", "how many steps of history, one number or several")
	ranges := flag.String("ranges", "1,8,18,90", "how many ranges they lie in")
	seconds := flag.Int("seconds", 4, "how long each turn of the diamond takes, about; 0 leaves it out")
	turns := flag.Int("turns", 3, "how often the diamond is run on each")
	lock := flag.String("lock", "", "a file to lock while it measures, as flock(1) does, but not while it loads")
	drop := flag.Bool("drop", true, "whether to drop a range and to delete another")
	flag.Parse()

	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		for _, n := range numbers(*steps) {
			var subjects []subject
			for _, r := range numbers(*ranges) {
				pool, err := server.New(ctx)
				if err != nil {
					return err
				}
				s := subject{pool: pool, ranges: r, steps: n}
				start := time.Now()
				if err := s.load(ctx); err != nil {
					return fmt.Errorf("load %s: %w", s, err)
				}
				fmt.Printf("%s: loaded in %s\n", s, time.Since(start).Round(time.Second))
				subjects = append(subjects, s)
			}
			unlock, err := exclusive(*lock)
			if err != nil {
				return err
			}
			if err := compare(ctx, subjects, *turns, time.Duration(*seconds)*time.Second); err != nil {
				return err
			}
			if *drop {
				if err := discard(ctx, subjects); err != nil {
					return err
				}
			}
			unlock()
			if err := server.Clear(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// exclusive locks a file until unlock is called, or the program ends. The name "" locks no file.
func exclusive(path string) (unlock func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}

func numbers(list string) (all []int) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			panic(err)
		}
		all = append(all, n)
	}
	return all
}

// load makes ranges of one day each, up to today, and fills them with ended diamonds and the edges of these. The history is
// left out, because no measured call reads it.
func (s subject) load(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := executor.New(conn).RegisterTaskTemplate(ctx, json.RawMessage(diamond)); err != nil {
		return err
	}
	for _, sql := range []string{
		`update tasker.partition_config set partition_interval = '1 day', retention = '1000 days', premake = 1, backend = 'builtin'`,
		`set role tasker_owner`,
		`select tasker.drop_partition_range(starts_at) from tasker.partition_ranges`,
		fmt.Sprintf(`select tasker.create_partition_range(d, d + interval '1 day')
			from generate_series(date_trunc('day', now(), 'UTC') - interval '%d days', date_trunc('day', now(), 'UTC'), '1 day') as d`, s.ranges-1),
		`reset role`,
		// Switch off triggers and foreign keys, since the rows are already as the engine would leave them.
		`set session_replication_role = replica`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	for r := range s.ranges {
		for _, sql := range []string{insertTasks, insertSteps} {
			if _, err := conn.Exec(ctx, sql, s.steps/7/s.ranges, s.ranges-1-r); err != nil {
				return err
			}
		}
	}
	for _, sql := range []string{`set session_replication_role = origin`, `vacuum analyze`, `checkpoint`} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

const (
	insertTasks = `
		insert into tasker.tasks (
		  task_uuid, named_task_uuid, correlation_id, state, complete, total_steps, requested_at, started_at, completed_at, context
		)
		select (lpad(to_hex((extract(epoch from x.at) * 1000)::bigint), 12, '0')
		        || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex((random() * 17592186044415)::bigint), 11, '0') || '0000')::uuid,
		       k.named_task_uuid, gen_random_uuid(), 'complete', true, 7, x.at, x.at, x.at, '{"order": 4711}'
		  from tasker.named_tasks as k
		 cross join (
		   select date_trunc('day', now(), 'UTC') - $2::int * interval '1 day' as begins,
		          case $2::int when 0 then now() - date_trunc('day', now(), 'UTC') else interval '1 day' end as width
		 ) as d
		 cross join generate_series(0, $1::int - 1) as n
		 cross join lateral (select d.begins + d.width * 0.99 * (n::float8 / $1::int) as at) as x
		 where k.name = 'diamond'`
	insertSteps = `
		insert into tasker.workflow_steps (
		  task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, total_parents, satisfied_parents, claim_no, attempts,
		  transition_count, processed_at, results
		)
		select t.task_uuid, s.step_no, tasker.step_uuid(t.task_uuid, s.step_no), s.named_step_uuid, s.step_name, 'complete', s.total_parents, s.total_parents, 1, 1,
		       4, t.completed_at, '{"ok": true}'
		  from tasker.tasks as t
		  join tasker.named_tasks_named_steps as s on s.named_task_uuid = t.named_task_uuid
		 where t.task_uuid >= tasker.uuid_v7_floor(date_trunc('day', now(), 'UTC') - $2::int * interval '1 day')
		   and t.task_uuid < tasker.uuid_v7_floor(date_trunc('day', now(), 'UTC') - ($2::int - 1) * interval '1 day')
		   and $1::int > 0`
)
