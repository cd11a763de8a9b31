// Command clients measures workers of several languages beside the one in Go, in the same run: diamonds of empty handlers at
// default settings, over PostgreSQL directly or over HTTP.
//
//	go run -C bench ./clients 'ts=node ../clients/typescript/build/test/drain.js' 'ts-http=node ../clients/typescript/build/test/drain.js http'
//
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
		if _, err = e.CreateToken(ctx, sqlfn.CreateTokenParams{Name: "bench", TokenHash: hash, RoleName: "tasker_worker", Namespaces: []string{"bench"}}); err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		env := append(os.Environ(), "DATABASE_URL="+pool.Config().ConnString(), "TASKER_URL="+server.URL, "TASKER_TOKEN="+token)
		for turn := range *turns {
			for _, w := range append([]string{"go=" + self}, flag.Args()...) {
				name, command, _ := strings.Cut(w, "=")
				if err := drain(ctx, pool, name, strings.Fields(command), env, *tasks, turn); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
		return nil
	})
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

// drain has a worker do tasks, and prints how fast it was from the first tenth of them on, since its start is not what is measured.
func drain(ctx context.Context, pool *pgxpool.Pool, name string, command, env []string, tasks, turn int) error {
	if _, err := pool.Exec(ctx, `select count(*) from tasker.create_tasks('bench', 'diamond', array_fill('{"n": 1}'::jsonb, array[$1::integer]))`, tasks); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env, c.Stdout, c.Stderr = append(env, envWork+"=1"), io.Discard, os.Stderr
	if err := c.Start(); err != nil {
		return err
	}
	open := func() (n int, err error) {
		err = pool.QueryRow(ctx, "select count(*) from tasker.tasks where not complete").Scan(&n)
		return n, err
	}
	var from time.Time
	var first int
	var before, own float64
	for {
		n, err := open()
		if err != nil {
			return err
		}
		if from.IsZero() && n <= tasks*9/10 {
			from, first, before, own = time.Now(), n, postgres(ctx, pool), cpu(c.Process.Pid)
		}
		if n == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	steps := float64(4 * first)
	seconds := time.Since(from).Seconds()
	fmt.Printf("%d  %-10s %6.0f steps/s   CPU of a thousand steps: PostgreSQL %4.0f ms, worker %4.0f ms\n",
		turn+1, name, steps/seconds, (postgres(ctx, pool)-before)/steps*1e6, (cpu(c.Process.Pid)-own)/steps*1e6)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return c.Wait()
}

// postgres returns the seconds of CPU that the database's connections have used: those that are open now.
func postgres(ctx context.Context, pool *pgxpool.Pool) (sum float64) {
	rows, err := pool.Query(ctx, "select pid from pg_stat_activity where datname = current_database()")
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

// cpu returns the seconds of CPU of a process on this machine; 0 if it is elsewhere.
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
