// Command readiness measures the queries for the ready steps of a task and for its graph:
//
//	go run -C bench ./readiness
//
// A graph of layers has ten steps in each layer. Each step has two parents, and the first half of the steps is done. A ladder
// of n diamonds has 3n + 1 steps and 2^n paths.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/template"
)

const calls = 200

func main() {
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		rows := [][]string{{"function", "graph", "steps", "edges", "median", "rows", "buffers"}}
		for _, g := range []graph{
			layers(10), layers(100), layers(1000), ladder(18), ladder(36), chain(1000),
		} {
			more, err := measure(ctx, pool, g)
			if err != nil {
				return fmt.Errorf("%s: %w", g.name, err)
			}
			rows = append(rows, more...)
		}
		lab.Table(rows)
		return nil
	})
}

type graph struct {
	name  string
	steps []template.Step
}

func (g *graph) add(parents ...int) {
	s := template.Step{Name: fmt.Sprintf("s%d", len(g.steps))}
	for _, p := range parents {
		s.Dependencies = append(s.Dependencies, template.Dependency{Step: fmt.Sprintf("s%d", p)})
	}
	g.steps = append(g.steps, s)
}

func (g *graph) edges() (n int) {
	for _, s := range g.steps {
		n += len(s.Dependencies)
	}
	return n
}

func layers(n int) graph {
	const width = 10
	g := graph{name: fmt.Sprintf("layers-%d", n)}
	if n <= width { // one layer would have no edges
		return diamonds(g, n)
	}
	for i := range n {
		if i < width {
			g.add()
		} else {
			above := (i/width - 1) * width
			g.add(above+i%width, above+(i+1)%width)
		}
	}
	return g
}

func diamonds(g graph, n int) graph {
	g.add()
	for i := 0; len(g.steps) < n; i += 3 {
		g.add(i)
		g.add(i)
		g.add(i+1, i+2)
	}
	return g
}

func ladder(n int) graph {
	return diamonds(graph{name: fmt.Sprintf("ladder-%d", n)}, 3*n+1)
}

func chain(n int) graph {
	g := graph{name: fmt.Sprintf("chain-%d", n)}
	g.add()
	for i := range n - 1 {
		g.add(i)
	}
	return g
}

// measure makes a task of the graph and calls each function on it.
func measure(ctx context.Context, pool *pgxpool.Pool, g graph) ([][]string, error) {
	e := executor.New(pool)
	text, err := (&template.Template{Namespace: "bench", Name: g.name, Steps: g.steps}).JSON()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if _, err := e.RegisterTaskTemplate(ctx, text); err != nil {
		return nil, err
	}
	registered := time.Since(start)
	task, err := halfDone(ctx, pool, g)
	if err != nil {
		return nil, err
	}
	last := task
	last[14], last[15] = byte(len(g.steps)>>8), byte(len(g.steps))

	rows := [][]string{g.row("register_task_template", registered, "", "")}
	for _, f := range []struct {
		name     string
		argument uuid.UUID
		call     func() error
	}{
		{"get_step_readiness_status", task, func() error { _, err := e.GetStepReadinessStatus(ctx, task, nil); return err }},
		{"get_ready_steps", task, func() error { _, err := e.GetReadySteps(ctx, task); return err }},
		{"explain_step", last, func() error { _, err := e.ExplainStep(ctx, last); return err }},
		{"calculate_dependency_levels", task, func() error { _, err := e.CalculateDependencyLevels(ctx, task); return err }},
		{"calculate_step_depth", last, func() error { _, err := e.CalculateStepDepth(ctx, last); return err }},
		{"get_step_transitive_dependencies", last, func() error { _, err := e.GetStepTransitiveDependencies(ctx, last); return err }},
		{"get_step_dag_relationships", task, func() error { _, err := e.GetStepDAGRelationships(ctx, task); return err }},
	} {
		times := make([]time.Duration, calls)
		for i := range times {
			start := time.Now()
			if err := f.call(); err != nil {
				return nil, err
			}
			times[i] = time.Since(start)
		}
		count, buffers, err := plan(ctx, pool, f.name, f.argument)
		if err != nil {
			return nil, err
		}
		rows = append(rows, g.row(f.name, lab.Median(times), fmt.Sprint(count), fmt.Sprint(buffers)))
	}
	return rows, nil
}

func (g *graph) row(function string, median time.Duration, rows, buffers string) []string {
	return []string{
		function, g.name, fmt.Sprint(len(g.steps)), fmt.Sprint(g.edges()),
		median.Round(10 * time.Microsecond).String(), rows, buffers,
	}
}

// halfDone makes a task whose first half of steps is complete, with the rows that the engine would leave.
func halfDone(ctx context.Context, pool *pgxpool.Pool, g graph) (task uuid.UUID, err error) {
	if err := pool.QueryRow(ctx, "select tasker_test.make_task($1)", g.name).Scan(&task); err != nil {
		return task, err
	}
	for _, statement := range []string{
		`update tasker.workflow_steps as s
		    set state = 'complete', attempts = 1, processed_at = now(), results = '{"ok": true}',
		        pending_parents = 0, satisfied_parents = s.total_parents
		  where s.task_uuid = $1
		    and s.step_no <= (select count(*) / 2 from tasker.workflow_steps as c where c.task_uuid = $1)`,
		`update tasker.workflow_steps as s
		    set pending_parents = p.total - p.done, satisfied_parents = p.done
		   from (
		     select e.to_step_no, count(*) as total, count(*) filter (where o.state = 'complete') as done
		       from tasker.workflow_step_edges as e
		       join tasker.workflow_steps as o on o.task_uuid = e.task_uuid and o.step_no = e.from_step_no
		      where e.task_uuid = $1
		      group by e.to_step_no
		   ) as p
		  where s.task_uuid = $1 and s.step_no = p.to_step_no`,
		`update tasker.tasks set total_steps = c.n, open_steps = c.n from (select count(*)::integer as n from tasker.workflow_steps where task_uuid = $1) as c where task_uuid = $1`,
	} {
		if _, err := pool.Exec(ctx, statement, task); err != nil {
			return task, err
		}
	}
	_, err = pool.Exec(ctx, "analyze tasker.workflow_steps, tasker.named_task_edges")
	return task, err
}

// plan returns the rows that a function returned and the buffers that it read.
func plan(ctx context.Context, pool *pgxpool.Pool, function string, argument uuid.UUID) (rows, buffers int, err error) {
	var text []byte
	err = pool.QueryRow(ctx, fmt.Sprintf(
		"explain (analyze, buffers, timing off, format json) select * from tasker.%s('%s')", function, argument,
	)).Scan(&text)
	if err != nil {
		return 0, 0, err
	}
	var plans []struct {
		Plan struct {
			Rows int `json:"Actual Rows"`
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	if err := json.Unmarshal(text, &plans); err != nil {
		return 0, 0, err
	}
	return plans[0].Plan.Rows, plans[0].Plan.Hit + plans[0].Plan.Read, nil
}
