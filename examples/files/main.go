// Command files counts the words of files, one step for each file and one step that adds the counts:
//
//	DATABASE_URL=postgres://… go run ./examples/files README.md docs/*.md
//
//	list ──▶ count 1 ─┐
//	    └──▶ count 2 ─┼─▶ sum
//	    └──▶ …       ─┘
//
// The number of files is not known in advance, so list adds the steps to its own task while it runs. The database must have pgtasker's
// migrations (tasker migrate up).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

const template = `{"namespace": "words", "name": "count", "identity_strategy": "always_unique", "steps": [{"name": "list"}]}`

// request is a task's context.
type request struct {
	Files []string `json:"files"`
}

// addition is a step to add to a task.
type addition struct {
	Name           string   `json:"name"`
	Handler        string   `json:"handler,omitempty"`
	Dependencies   []string `json:"dependencies,omitempty"`
	Initialization any      `json:"initialization,omitempty"` // the type that job.Inputs decodes
}

type input struct {
	File string `json:"file"`
}

// list adds a step for each file, and a step that waits for all of them. Steps from an earlier attempt are not added twice.
func list(pool *pgxpool.Pool) worker.Handler[request, int] {
	return func(ctx context.Context, job *worker.Job[request]) (int, error) {
		var steps []addition
		sum := addition{Name: "sum"}
		for i, file := range job.Input.Files {
			name := fmt.Sprintf("count_%d", i+1)
			steps = append(steps, addition{Name: name, Handler: "count", Dependencies: []string{job.Name}, Initialization: input{File: file}})
			sum.Dependencies = append(sum.Dependencies, name)
		}
		text, err := json.Marshal(append(steps, sum))
		if err != nil {
			return 0, err
		}
		_, err = executor.New(pool).AddSteps(ctx, job.TaskUUID, text)
		return len(steps), err
	}
}

func count(_ context.Context, job *worker.Job[struct{}]) (int, error) {
	var in input
	if err := job.Inputs(&in); err != nil {
		return 0, worker.Permanent(err)
	}
	text, err := os.ReadFile(in.File)
	if errors.Is(err, os.ErrNotExist) {
		return 0, worker.Permanent(err)
	}
	return len(strings.Fields(string(text))), err
}

func sum(_ context.Context, job *worker.Job[struct{}]) (total int, err error) {
	counts, err := worker.Results[int](job)
	for _, n := range counts {
		total += n
	}
	return total, err
}

// run counts the words of files and writes the sum to out.
func run(ctx context.Context, pool *pgxpool.Pool, out io.Writer, files []string) error {
	e := executor.New(pool)
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(template)); err != nil {
		return err
	}
	text, err := json.Marshal(request{Files: files})
	if err != nil {
		return err
	}
	task, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "words", Name: "count", Context: text})
	if err != nil {
		return err
	}

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"words"}})
	if err != nil {
		return err
	}
	worker.Handle(w, "list", list(pool))
	worker.Handle(w, "count", count, worker.MaxRunning(8)) // open files at the same time
	worker.Handle(w, "sum", sum)
	working, stop := context.WithCancel(ctx)
	defer stop()
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(working) }()

	total, err := executor.NewClient(pool).Tasks().WaitStep(ctx, task.TaskUUID, "sum")
	if errors.Is(err, executor.ErrBlocked) {
		err = fmt.Errorf("a file could not be read: %w", err)
	}
	stop()
	if err = errors.Join(err, <-stopped); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s words in %d files\n", total.State, total.Results, len(files))
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err == nil {
		defer pool.Close()
		err = run(ctx, pool, os.Stdout, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "files:", err)
		os.Exit(1)
	}
}
