// Command feed measures the cost of one subscription to PostgreSQL. Tasks are created and worked on in four databases in turns.
// One database has a subscription, whose events are all read after each turn. In another database one plain query reads the
// same events, which is the least that a reader of the logs can pay.
//
//	make bench-feed
//
// The command prints ratios of the processor time and of the instructions of all sessions, the reader's included, to a database
// without a subscription. The ratios beside them are of a second database without a subscription, and show the noise. The
// command also prints the instructions of the writing sessions alone, and the rows that were written.
package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var (
	turns = flag.Int("turns", 11, "how many paired turns")
	tasks = flag.Int("tasks", 30, "how many tasks of seven steps in a turn")
	batch = flag.Int("batch", 1000, "how many events a read returns at most")
	acks  = flag.Int("acks", 1000, "after how many events each they are acknowledged; executor.Subscribe does so after each read")
)

const template = `{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
  {"name": "top"},
  {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]}, {"name": "c", "dependencies": ["top"]},
  {"name": "d", "dependencies": ["top"]}, {"name": "e", "dependencies": ["top"]},
  {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}]}`

// arm is one of the databases.
type arm struct {
	name         string
	subscription bool
	follow       func(*arm, context.Context) error // reads the logged events, nil if nothing reads them
	pool         *pgxpool.Pool
	work, reader *pgxpool.Conn
	counters     [2]*lab.Instructions
	read         int64 // instructions of the reader
	events       int
}

func main() {
	flag.Parse()
	lab.RunServer(run)
}

func run(ctx context.Context, server *lab.Server) error {
	arms := []*arm{{name: "none"}, {name: "none again"}, {name: "one", subscription: true, follow: (*arm).subscriber}, {name: "none, rows read", follow: (*arm).rows}}
	for _, a := range arms {
		var err error
		if a.pool, err = server.New(ctx); err != nil {
			return err
		}
		if err = a.prepare(ctx); err != nil {
			return err
		}
		defer a.work.Release()
		defer a.reader.Release()
		if _, err := a.turn(ctx); err != nil { // plans
			return err
		}
	}
	rows := make([]int64, len(arms))
	for i, a := range arms {
		n, err := a.written(ctx)
		if err != nil {
			return err
		}
		rows[i], a.events, a.read = -n, 0, 0
	}
	cpu, instructions, writing := make([][]float64, len(arms)), make([][]float64, len(arms)), make([][]float64, len(arms))
	for turn := range *turns {
		took := make([]used, len(arms))
		for k := range arms {
			i := (turn + k) % len(arms) // each arm goes first equally often
			var err error
			if took[i], err = arms[i].turn(ctx); err != nil {
				return err
			}
		}
		for i := range arms {
			cpu[i] = append(cpu[i], float64(took[i].cpu)/float64(took[0].cpu))
			instructions[i] = append(instructions[i], float64(took[i].instructions)/float64(took[0].instructions))
			writing[i] = append(writing[i], float64(took[i].writing)/float64(took[0].writing))
		}
	}
	steps := float64(*turns * *tasks * 7)
	table := [][]string{{"subscriptions", "CPU, median", "least", "most", "instructions", "of writing", "instructions an event", "rows a step", "events a step"}}
	for i, a := range arms {
		n, err := a.written(ctx)
		if err != nil {
			return err
		}
		slices.Sort(cpu[i])
		slices.Sort(instructions[i])
		slices.Sort(writing[i])
		table = append(table, []string{
			a.name, fmt.Sprintf("%.3f", cpu[i][len(cpu[i])/2]), fmt.Sprintf("%.3f", cpu[i][0]), fmt.Sprintf("%.3f", cpu[i][len(cpu[i])-1]),
			fmt.Sprintf("%.3f", instructions[i][len(instructions[i])/2]), fmt.Sprintf("%.3f", writing[i][len(writing[i])/2]),
			fmt.Sprintf("%.0f", float64(a.read)/float64(max(a.events, 1))),
			fmt.Sprintf("%.2f", float64(rows[i]+n)/steps), fmt.Sprintf("%.2f", float64(a.events)/steps),
		})
	}
	lab.Table(table)
	return nil
}

func (a *arm) prepare(ctx context.Context) (err error) {
	if _, err = a.pool.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
		return err
	}
	if _, err = a.pool.Exec(ctx, "create table public.place (xact bigint, at timestamptz, events bigint); insert into public.place values (0, now(), 0)"); err != nil {
		return err
	}
	if a.subscription {
		if _, err = a.pool.Exec(ctx, "select from tasker.subscribe('all')"); err != nil {
			return err
		}
	}
	if a.work, err = a.pool.Acquire(ctx); err != nil {
		return err
	}
	if a.reader, err = a.pool.Acquire(ctx); err != nil {
		return err
	}
	for i, conn := range []*pgxpool.Conn{a.work, a.reader} {
		// Without counters, such as in most virtual machines, the column stays empty.
		if a.counters[i], err = lab.CountInstructions(conn); err != nil {
			a.counters[i] = nil
		}
	}
	return nil
}

// written returns how many rows were inserted and updated in the database.
func (a *arm) written(ctx context.Context) (rows int64, err error) {
	for _, conn := range []*pgxpool.Conn{a.work, a.reader} { // flushes counts that the sessions have not reported yet
		if _, err := conn.Exec(ctx, "select pg_stat_force_next_flush()"); err != nil {
			return 0, err
		}
	}
	err = a.pool.QueryRow(ctx, "select tup_inserted + tup_updated from pg_stat_database where datname = current_database()").Scan(&rows)
	return rows, err
}

// used is the cost of a turn.
type used struct {
	cpu          time.Duration
	instructions int64
	writing      int64 // instructions of the session that creates tasks and works on them
}

// turn creates tasks and works on them, then reads the subscription, and returns the costs of the work and of the reading.
func (a *arm) turn(ctx context.Context) (u used, err error) {
	read := func(sign int64) error {
		for i, conn := range []*pgxpool.Conn{a.work, a.reader} {
			cpu, err := lab.BackendCPU(ctx, conn)
			if err != nil {
				return err
			}
			u.cpu += time.Duration(sign) * cpu
			if a.counters[i] != nil {
				n, err := a.counters[i].Read()
				if err != nil {
					return err
				}
				u.instructions += sign * n
				if conn == a.reader {
					a.read += sign * n
				} else {
					u.writing += sign * n
				}
			}
		}
		return nil
	}
	if err := read(-1); err != nil {
		return u, err
	}
	if err := a.run(ctx); err != nil {
		return u, err
	}
	if a.follow != nil {
		if err := a.follow(a, ctx); err != nil {
			return u, err
		}
	}
	return u, read(1)
}

func (a *arm) run(ctx context.Context) error {
	for range *tasks {
		if _, err := a.work.Exec(ctx, "select from tasker.create_task('bench', 'diamond', '{}')"); err != nil {
			return err
		}
	}
	e := direct.New(a.work)
	exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10}}
	for {
		reply, err := e.ExchangeSteps(ctx, exchange)
		if err != nil {
			return err
		}
		if len(reply.Claimed) == 0 {
			return nil
		}
		exchange.Results = nil
		for _, c := range reply.Claimed {
			exchange.Results = append(exchange.Results, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
	}
}

var reader = uuid.New()

// subscriber reads and acknowledges events until no event is left.
func (a *arm) subscriber(ctx context.Context) error {
	e := direct.New(a.reader)
	for {
		events, err := e.ReadEvents(ctx, sqlfn.ReadEventsParams{Subscription: "all", ReaderUUID: reader, Limit: int32(*batch), LeaseSeconds: 30})
		if err != nil || len(events) == 0 {
			return err
		}
		a.events += len(events)
		for part := range slices.Chunk(events, *acks) {
			_, err = e.AcknowledgeEvents(ctx, sqlfn.AcknowledgeEventsParams{
				Subscription: "all", ReaderUUID: reader, Place: part[len(part)-1].Place, Events: int32(len(part)),
			})
			if err != nil {
				return err
			}
		}
	}
}

// plain finds the same events as the subscription, with the same columns, but keeps no position. The query assumes that no
// other session writes meanwhile, so it needs no snapshots, window, filter or lists.
const plain = `
  with log as (
    select
      l.task_uuid, l.step_no, l.sort_key, 'step' as kind, l.event, l.from_state::text as from_state, l.to_state::text as to_state,
      l.claim_no, l.execution_time_ms, l.worker_uuid, l.actor, l.reason, l.metadata, l.created_at
      from tasker.workflow_step_transition_log as l
     where l.created_at >= $1
       and l.xact > $2
    union all
    select
      l.task_uuid, 0, c.sort_key, 'task', c.event, c.from_state, c.to_state, null, null, l.processor_uuid, l.actor, l.reason,
      l.metadata, l.created_at
      from tasker.task_transition_log as l
     cross join lateral (
       select l.sort_key, l.event, l.from_state::text, l.to_state::text
       union all
       select 0, 'Create', null, 'pending'
        where l.sort_key = 1
     ) as c (sort_key, event, from_state, to_state)
     where l.created_at >= $1
       and l.xact > $2
  )
  select
    tasker.transition_uuid(l.task_uuid, l.step_no, l.sort_key), l.kind, l.event, l.created_at, n.name, k.name, k.version, l.task_uuid,
    t.correlation_id, w.workflow_step_uuid, w.name, l.sort_key, l.from_state, l.to_state, l.claim_no, l.execution_time_ms,
    l.worker_uuid, l.actor, l.reason, coalesce(l.metadata, '{}')
    from log as l
    join tasker.tasks as t
      on t.task_uuid = l.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
    left join tasker.workflow_steps as w
      on w.task_uuid = l.task_uuid
     and w.step_no = l.step_no
   order by l.created_at, l.task_uuid, l.step_no, l.sort_key`

// rows reads all new events by one query. It notes its progress as often as the subscriber acknowledges.
func (a *arm) rows(ctx context.Context) error {
	var xact int64
	var at time.Time
	if err := a.reader.QueryRow(ctx, "select xact, at from public.place").Scan(&xact, &at); err != nil {
		return err
	}
	rows, err := a.reader.Query(ctx, plain, at, xact)
	if err != nil {
		return err
	}
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	a.events += n
	for range (n + *acks - 1) / *acks {
		if _, err := a.reader.Exec(ctx, "update public.place set events = events + $1", *acks); err != nil {
			return err
		}
	}
	_, err = a.reader.Exec(ctx, `
		update public.place set (xact, at) = (
		  select max(l.xact), max(l.created_at) from tasker.step_log as l where l.created_at >= $1
		)`, at)
	return err
}
