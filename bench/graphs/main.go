// Command graphs measures tasks that start tasks, and maps:
//
//	make bench-graphs
//
// The tree is a task that starts 100 tasks, each of which starts 100 tasks. The chain has 100 tasks, each started by the
// preceding task. Maps have 1 to 60,000 elements. An orchestrator and claims start the instances of a map. One session works,
// so a figure is the cost of the work without waits for other sessions. Last, other tasks are exchanged while a map of 60,000
// elements is expanded.
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
	"github.com/pgtasker/pgtasker/internal/direct"
)

var (
	only  = flag.String("only", "", "measure only what begins so: tree, chain, map, expansion, others")
	width = flag.Int("width", 100, "how many tasks the steps of a task of the tree start")
	depth = flag.Int("depth", 100, "how many tasks the chain has below the first")
)

// measures are the measurements of this program, by name.
var measures = []struct {
	name    string
	measure func(context.Context, *bench) ([]string, error)
}{
	{"tree", tree},
	{"chain", chain},
	{"map 1", mapOf(1)},
	{"map 1000", mapOf(1000)},
	{"map 10000", mapOf(10_000)},
	{"map 60000", mapOf(60_000)},
	{"expansion", expansion(0)},
	{"expansion 100", expansion(100)},
	{"expansion 1", expansion(1)},
	{"others", others},
}

func main() {
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		b := &bench{pool: pool, e: direct.New(pool), worker: uuid.New()}
		rows := [][]string{{"graph", "tasks", "steps", "seconds", "µs a task", "calls"}}
		for _, m := range measures {
			if !strings.HasPrefix(m.name, *only) {
				continue
			}
			row, err := m.measure(ctx, b)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		lab.Table(rows)
		return nil
	})
}

type bench struct {
	pool   *pgxpool.Pool
	e      *direct.Executor
	worker uuid.UUID
}

// drain exchanges results for steps until a task is complete, and returns the number of calls.
func (b *bench) drain(ctx context.Context, task uuid.UUID) (calls int, err error) {
	var held []direct.StepResult
	for {
		reply, err := b.e.ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: b.worker, Limit: 100},
		})
		if err != nil {
			return calls, err
		}
		calls++
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		if len(held) > 0 {
			continue
		}
		if detail, err := b.e.GetTask(ctx, task); err != nil || detail.Complete {
			return calls, err
		}
	}
}

func (b *bench) run(ctx context.Context, name, template string) (row []string, err error) {
	began := time.Now()
	created, err := b.e.CreateTask(ctx, executor.TaskRequest{Namespace: "bench", Name: template})
	if err != nil {
		return nil, err
	}
	calls, err := b.drain(ctx, created.TaskUUID)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	var tasks, steps int
	if err := b.pool.QueryRow(ctx, "select count(*), sum(n.total_steps) from tasker.get_task_tree($1, 100000) as n", created.TaskUUID).
		Scan(&tasks, &steps); err != nil {
		return nil, err
	}
	return []string{
		name, fmt.Sprint(tasks), fmt.Sprint(steps), fmt.Sprintf("%.1f", took.Seconds()),
		fmt.Sprint(took.Microseconds() / int64(tasks)), fmt.Sprint(calls),
	}, nil
}
