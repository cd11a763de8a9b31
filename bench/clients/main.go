// Command clients compares workers of several languages with the worker in Go, in the same run. The workers run diamonds of
// empty handlers at default settings, over PostgreSQL directly or over HTTP.
//
//	go run -C bench ./clients 'ts=node ../clients/typescript/build/test/drain.js' 'ts-http=node ../clients/typescript/build/test/drain.js http'
//
// With -elements the command measures maps instead: for each worker it compares elements whose context has -bytes bytes with
// elements whose context is small.
//
//	go run -C bench ./clients -elements 2000 -bytes 800000 'ts=node ../clients/typescript/build/test/drain.js'
//
// The last lines have the medians of all turns, and their ratios to the worker in Go, which runs in each turn.
// A command gets DATABASE_URL, TASKER_URL and TASKER_TOKEN, and runs the handlers a, b, c and d of namespace bench until SIGTERM.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/worker"
)

const envWork = "PGTASKER_BENCH_WORK"

// statements says whether each turn prints the calls of its worker and their times.
var statements bool

func main() {
	if os.Getenv(envWork) != "" {
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	tasks := flag.Int("tasks", 1000, "diamonds in a turn")
	turns := flag.Int("turns", 3, "turns of each worker, one after the other")
	elements := flag.Int("elements", 0, "elements of a map, instead of diamonds")
	bytes := flag.Int("bytes", 800_000, "size of the context of the map's task")
	flag.BoolVar(&statements, "statements", false, "print the statements of each turn, by pg_stat_statements")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		handler, err := serve.New(ctx, pool, serve.Config{Loopback: true, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		defer handler.Close()
		server := httptest.NewServer(handler)
		defer server.Close()
		token, hash := bearer.New()
		e := executor.New(pool)
		if _, err = e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique",
			"steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["a"]}, {"name": "d", "dependencies": ["b", "c"]}]}`)); err != nil {
			return err
		}
		if _, err = e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "bench", "name": "map", "identity_strategy": "always_unique",
			"steps": [{"name": "a", "for_each": "$.lines"}, {"name": "d", "dependencies": ["a"]}]}`)); err != nil {
			return err
		}
		if _, err = e.CreateToken(ctx, sqlfn.CreateTokenParams{Name: "bench", TokenHash: hash, RoleName: "tasker_worker", Namespaces: []string{"bench"}}); err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		env := append(os.Environ(), "DATABASE_URL="+pool.Config().ConnString(), "TASKER_URL="+server.URL, "TASKER_TOKEN="+token)
		observing := pool.Config()
		observing.MaxConns, observing.ConnConfig.RuntimeParams["application_name"] = 1, "observer"
		observer, err := pgxpool.NewWithConfig(ctx, observing)
		if err != nil {
			return err
		}
		defer observer.Close()
		workers := append([]string{"go=" + self}, flag.Args()...)
		if *elements > 0 {
			return maps(ctx, pool, observer, workers, env, *elements, *bytes, *turns)
		}
		measured := make([][]measurement, len(workers))
		for turn := range *turns {
			for i, w := range workers {
				name, command, _ := strings.Cut(w, "=")
				m, err := drain(ctx, pool, observer, strings.Fields(command), env, diamonds, 4**tasks, *tasks)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				measured[i] = append(measured[i], m)
				fmt.Printf("%d  %-12s %s\n", turn+1, name, m)
			}
		}
		for i, w := range workers {
			name, _, _ := strings.Cut(w, "=")
			m := median(measured[i], func(int) measurement { return measurement{1, 1, 1} })
			ratio := median(measured[i], func(turn int) measurement { return measured[0][turn] })
			fmt.Printf("all %-11s %s   of Go: %4.2f of the steps/s, %4.2f of PostgreSQL's CPU\n", name, m, ratio.rate, ratio.postgres)
		}
		return nil
	})
}

// maps compares maps of tasks that have a large context with maps of tasks that have a small context.
func maps(ctx context.Context, pool, observer *pgxpool.Pool, workers, env []string, elements, bytes, turns int) error {
	for _, w := range workers {
		name, command, _ := strings.Cut(w, "=")
		var small, large []measurement
		for range turns {
			for _, of := range []struct {
				bytes    int
				measured *[]measurement
			}{{10, &small}, {bytes, &large}} {
				m, err := drain(ctx, pool, observer, strings.Fields(command), env, mapped, elements, elements, of.bytes)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				*of.measured = append(*of.measured, m)
			}
		}
		one := func(int) measurement { return measurement{1, 1, 1} }
		ratio := median(small, func(turn int) measurement { return large[turn] })
		fmt.Printf("%-15s small context %s\n%-15s large context %s   %.2f times as long\n", name, median(small, one), name, median(large, one), ratio.rate)
	}
	return nil
}

// measurement has the steps per second, and the milliseconds of CPU per thousand steps.
type measurement struct{ rate, postgres, worker float64 }

func (m measurement) String() string {
	return fmt.Sprintf("%6.0f steps/s   CPU of a thousand steps: PostgreSQL %4.0f ms, worker %4.0f ms", m.rate, m.postgres, m.worker)
}

// median returns the median of each figure in units of its turn.
func median(of []measurement, unit func(turn int) measurement) measurement {
	middle := func(figure func(m measurement) float64) float64 {
		all := make([]float64, len(of))
		for turn, m := range of {
			all[turn] = figure(m) / figure(unit(turn))
		}
		slices.Sort(all)
		return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	return measurement{
		rate:     middle(func(m measurement) float64 { return m.rate }),
		postgres: middle(func(m measurement) float64 { return m.postgres }),
		worker:   middle(func(m measurement) float64 { return m.worker }),
	}
}

// work is the worker in Go.
func work() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"bench"}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		worker.Handle(w, name, func(context.Context, *worker.Job[map[string]any]) (int, error) { return 1, nil })
	}
	return w.Run(ctx)
}

const (
	diamonds = `select count(*) from tasker.create_tasks('bench', 'diamond', array_fill('{"n": 1}'::jsonb, array[$1::integer]))`
	// The text consists of digests, since a repeated text would be compressed.
	mapped = `select tasker.create_task('bench', 'map', jsonb_build_object(
		'lines', (select jsonb_agg(n) from generate_series(1, $1::integer) as n),
		'text', (select string_agg(md5(n::text), '') from generate_series(1, $2::integer / 32) as n)))`
)

// drain has a worker do tasks, and returns its speed after the first tenth of the steps. So the speed does not include the
// start of the worker.
func drain(ctx context.Context, pool, observer *pgxpool.Pool, command, env []string, create string, steps int, arguments ...any) (m measurement, err error) {
	if _, err := pool.Exec(ctx, create, arguments...); err != nil {
		return m, err
	}
	// Tasks that begin at the same time also end at the same time, so measure the progress of a worker by its claims.
	progress := func() (claimed int, open bool, err error) {
		err = observer.QueryRow(ctx, `select coalesce((select sum(claimed_count) from tasker.workers), 0)::integer,
			exists (select from tasker.tasks where not complete)`).Scan(&claimed, &open)
		return claimed, open, err
	}
	if statements {
		if _, err := pool.Exec(ctx, "create extension if not exists pg_stat_statements schema public"); err != nil {
			return m, err
		}
		if _, err := pool.Exec(ctx, "select public.pg_stat_statements_reset()"); err != nil {
			return m, err
		}
		defer func() {
			if err == nil {
				err = printStatements(ctx, observer, steps)
			}
		}()
	}
	start, _, err := progress()
	if err != nil {
		return m, err
	}
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env, c.Stdout, c.Stderr = append(env, envWork+"=1"), io.Discard, os.Stderr
	if err := c.Start(); err != nil {
		return m, err
	}
	var from time.Time
	var first int
	var before, own float64
	for {
		claimed, open, err := progress()
		if err != nil {
			return m, err
		}
		if done := claimed - start; from.IsZero() && done >= steps/10 {
			from, first, before, own = time.Now(), done, postgres(ctx, observer), cpu(c.Process.Pid)
		}
		if !open {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	measured := float64(steps - first)
	m = measurement{measured / time.Since(from).Seconds(), (postgres(ctx, observer) - before) / measured * 1e6, (cpu(c.Process.Pid) - own) / measured * 1e6}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		return m, err
	}
	return m, c.Wait()
}

// printStatements prints the most expensive statements of a turn, in units of a thousand steps.
func printStatements(ctx context.Context, observer *pgxpool.Pool, steps int) error {
	rows, err := observer.Query(ctx, `select left(regexp_replace(s.query, '\s+', ' ', 'g'), 90), s.calls, s.total_exec_time + s.total_plan_time
		from public.pg_stat_statements as s
		where s.dbid = (select d.oid from pg_database as d where d.datname = current_database())
		  and s.query not like '%claimed_count%' and s.query not like '%pg_stat_statements%'
		order by s.total_exec_time desc limit 8`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var query string
		var calls int
		var took float64
		if err := rows.Scan(&query, &calls, &took); err != nil {
			return err
		}
		fmt.Printf("   %6d calls, %5.1f steps a call, %7.1f ms a thousand steps: %s\n", calls, float64(steps)/float64(calls), took/float64(steps)*1000, query)
	}
	return rows.Err()
}

// postgres returns the seconds of CPU that the database's open connections have used, without the observer's connection.
func postgres(ctx context.Context, observer *pgxpool.Pool) (sum float64) {
	rows, err := observer.Query(ctx, "select pid from pg_stat_activity where datname = current_database() and application_name <> 'observer'")
	if err != nil {
		return 0
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if rows.Scan(&pid) == nil {
			sum += cpu(pid)
		}
	}
	return sum
}

// cpu returns the seconds of CPU of a process on this machine, or 0 if the process is elsewhere.
func cpu(pid int) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}
