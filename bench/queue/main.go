// Command queue compares this project's pgmq with the real pgmq. Both get the same calls on the same queues, on one server, in
// turns.
//
//	PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go run -C bench ./queue
//	PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go run -C bench ./queue -slice 100ms -depths 0,10000
//
// A read hides the returned messages for an hour, as consumers do, so the number of hidden messages grows during a measurement.
// Each figure is the median of the slices.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/internal/pgmqown"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

var (
	slice     = flag.Duration("slice", 300*time.Millisecond, "how long each turn lasts")
	turns     = flag.Int("turns", 3, "turns of each side")
	depths    = flag.String("depths", "0,100000,1000000", "visible messages in the queue before a turn")
	invisible = flag.Int("invisible", 100_000, "hidden messages before the first visible one, for the last table")
	calls     = flag.String("calls", "", "only calls whose name contains this")
	clients   = flag.String("clients", "1,4,8", "connections at work at the same time")
)

// message makes a message of about 270 bytes.
const message = `jsonb_build_object('task_uuid', gen_random_uuid(), 'step_uuid', gen_random_uuid(), 'correlation_id', gen_random_uuid(), 'note', repeat('x', 120))`

// operations are the measured calls. $1 is the id of a message in the queue, if the queue has messages.
var operations = []struct {
	name, sql string
	takes     int // messages that a call hides or removes
}{
	{"send", `select pgmq.send('bench', ` + message + `) where $1::bigint is not null`, 0},
	{"send_batch(100)", `select count(*) from pgmq.send_batch('bench', (select array_agg(` + message + `) from generate_series(1, 100))) where $1::bigint is not null`, 0},
	{"read(1)", `select * from pgmq.read('bench', 3600, 1) where $1::bigint is not null`, 1},
	{"read(100)", `select * from pgmq.read('bench', 3600, 100) where $1::bigint is not null`, 100},
	{"pop", `select * from pgmq.pop('bench') where $1::bigint is not null`, 1},
	{"delete", `select pgmq.delete('bench', $1::bigint)`, 1},
	{"archive", `select pgmq.archive('bench', $1::bigint)`, 1},
}

type side struct {
	name string
	pool *pgxpool.Pool
	next atomic.Int64 // the id for the next call
	left int          // visible messages; the queue is filled again when half of them are left
}

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Stop()) }()

	sides := []*side{{name: "pgmq"}, {name: "ours"}}
	for i, s := range sides {
		name, err := session.CreateMigrated(ctx)
		if err != nil {
			return err
		}
		config, err := pgxpool.ParseConfig(session.URL(name))
		if err != nil {
			return err
		}
		config.MaxConns = 16
		if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return err
		}
		defer func() {
			s.pool.Close()
			err = errors.Join(err, session.Drop(ctx, name))
		}()
		if i == 1 {
			if err := pgmqown.Install(ctx, s.pool); err != nil {
				return err
			}
		}
		var kind string
		if err := s.pool.QueryRow(ctx, `select tasker.pgmq_kind()`).Scan(&kind); err != nil {
			return err
		}
		if want := []string{"extension", "own"}[i]; kind != want {
			return fmt.Errorf("%s is of kind %s, not %s: PGTASKER_TEST_PGBIN=$(tools/pgmq.sh)", s.name, kind, want)
		}
	}

	table := [][]string{{"call", "messages", "clients", "pgmq/s", "ours/s", "ratio"}}
	for _, depth := range numbers(*depths) {
		for _, operation := range operations {
			if !strings.Contains(operation.name, *calls) {
				continue
			}
			if err := measure(ctx, &table, sides, operation.name, operation.sql, operation.takes, depth, 0); err != nil {
				return err
			}
		}
	}
	lab.Table(table)

	fmt.Printf("\nbehind %d invisible messages, 100000 visible ones after them\n", *invisible)
	table = [][]string{{"call", "messages", "clients", "pgmq/s", "ours/s", "ratio"}}
	for _, operation := range operations[2:5] {
		if !strings.Contains(operation.name, *calls) {
			continue
		}
		if err := measure(ctx, &table, sides, operation.name, operation.sql, operation.takes, 100_000, *invisible); err != nil {
			return err
		}
	}
	lab.Table(table)
	return nil
}

func numbers(list string) (numbers []int) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// measure adds a row for each number of clients.
func measure(ctx context.Context, table *[][]string, sides []*side, name, sql string, takes, depth, hidden int) error {
	for _, s := range sides {
		s.left = -1
	}
	for _, n := range numbers(*clients) {
		rates := make([][]float64, len(sides))
		for range *turns {
			for i, s := range sides {
				if s.left <= depth/2 || depth == 0 {
					if err := s.fill(ctx, depth, hidden); err != nil {
						return err
					}
				}
				calls, rate, err := s.turn(ctx, sql, n)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", name, s.name, err)
				}
				rates[i] = append(rates[i], rate)
				s.left -= takes * calls
			}
		}
		theirs, ours := middle(rates[0]), middle(rates[1])
		*table = append(*table, []string{
			name, strconv.Itoa(depth), strconv.Itoa(n),
			fmt.Sprintf("%.0f", theirs), fmt.Sprintf("%.0f", ours), fmt.Sprintf("%.2f", ours/theirs),
		})
	}
	return nil
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// fill creates the queue again, with hidden messages before the visible messages.
func (s *side) fill(ctx context.Context, depth, hidden int) error {
	s.next.Store(int64(hidden))
	s.left = depth
	_, err := s.pool.Exec(ctx, fmt.Sprintf(`
		set client_min_messages = error;
		select pgmq.drop_queue('bench');
		select pgmq.create('bench');
		insert into pgmq.q_bench (vt, message)
		select clock_timestamp() + case when n <= %[2]d then interval '1 hour' else interval '0' end, %[3]s
		  from generate_series(1, %[1]d + %[2]d) as n`, depth, hidden, message))
	if err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, `vacuum analyze pgmq.q_bench`)
	return err
}

// turn lets clients call until the slice of time is over. It returns the number of calls, and the calls per second.
func (s *side) turn(ctx context.Context, sql string, clients int) (done int, rate float64, err error) {
	var (
		wg    sync.WaitGroup
		calls atomic.Int64
		fail  atomic.Pointer[error]
		ready sync.WaitGroup
		start = make(chan time.Time)
	)
	ready.Add(clients)
	for range clients {
		wg.Go(func() {
			conn, err := s.pool.Acquire(ctx)
			if err != nil {
				fail.Store(&err)
				ready.Done()
				return
			}
			defer conn.Release()
			for range 3 { // plans and caches
				if _, err = conn.Exec(ctx, sql, int64(-1)); err != nil {
					fail.Store(&err)
				}
			}
			ready.Done()
			for until := <-start; err == nil && time.Now().Before(until); calls.Add(1) {
				if _, err = conn.Exec(ctx, sql, s.next.Add(1)); err != nil {
					fail.Store(&err)
				}
			}
		})
	}
	ready.Wait()
	begin := time.Now()
	until := begin.Add(*slice)
	for range clients {
		select {
		case start <- until:
		case <-time.After(time.Second): // a client that has failed
		}
	}
	wg.Wait()
	if err := fail.Load(); err != nil {
		return 0, 0, *err
	}
	return int(calls.Load()), float64(calls.Load()) / time.Since(begin).Seconds(), nil
}
