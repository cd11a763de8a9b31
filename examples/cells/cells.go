package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// answerWithin is how long a cell may take to answer before it counts as away.
const answerWithin = 2 * time.Second

// Cell is one database with a complete pgtasker. Cells do not know each other.
type Cell struct {
	Name string
	Pool *pgxpool.Pool
}

func (c *Cell) executor() *executor.SqlFunctionExecutor { return executor.New(c.Pool) }

// Cells are the databases that the program knows. The cells themselves record in which cell a namespace lives.
type Cells struct {
	all []*Cell

	mutex sync.Mutex
	homes map[string]*Cell // the last known cell of each namespace
}

// NewCells returns the cells. Their order does not matter, and a cell may be added at any time.
func NewCells(all ...*Cell) *Cells { return &Cells{all: all, homes: map[string]*Cell{}} }

func (c *Cells) named(name string) (*Cell, error) {
	at := slices.IndexFunc(c.all, func(cell *Cell) bool { return cell.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("no cell is named %q", name)
	}
	return c.all[at], nil
}

// AwayError says which cells did not answer. If no other cell has a task, one of these cells may have it.
type AwayError struct{ Cells []string }

// Error names the cells.
func (e *AwayError) Error() string { return "no answer from " + strings.Join(e.Cells, ", ") }

// everywhere calls ask for all cells at the same time. It returns the answers, and the names of the cells that did not answer. An error of
// pgtasker counts as an answer: everywhere waits for the other cells and then returns the error.
func everywhere[A any](ctx context.Context, c *Cells, ask func(ctx context.Context, cell *Cell) (A, error)) (answers map[*Cell]A, away []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answers = map[*Cell]A{}
	var mutex sync.Mutex
	var group sync.WaitGroup
	for _, cell := range c.all {
		group.Go(func() {
			answer, failed := ask(ctx, cell)
			mutex.Lock()
			defer mutex.Unlock()
			var refused *executor.Error
			switch {
			case failed == nil:
				answers[cell] = answer
			case errors.As(failed, &refused):
				err = errors.Join(err, fmt.Errorf("cell %s: %w", cell.Name, failed))
			default:
				away = append(away, cell.Name)
			}
		})
	}
	group.Wait()
	slices.Sort(away)
	return answers, away, err
}

// Prepare migrates each cell, one after the other, and registers the templates in it. Prepare may be repeated: a cell that was away then
// gets the missing migrations and templates. A template is registered in every cell, so that its namespace can move to any cell.
func (c *Cells) Prepare(ctx context.Context, templates ...*template.Template) error {
	for _, cell := range c.all {
		if err := migrate.Up(ctx, cell.Pool); err != nil {
			return fmt.Errorf("cell %s: %w", cell.Name, err)
		}
		if _, err := cell.Pool.Exec(ctx, registry); err != nil {
			return fmt.Errorf("cell %s: %w", cell.Name, err)
		}
		if err := template.RegisterAll(ctx, cell.Pool, templates...); err != nil {
			return fmt.Errorf("cell %s: %w", cell.Name, err)
		}
	}
	return nil
}

// Find returns a task, and the cell that has it. A UUID does not say in which cell its task lives, so Find asks all cells. If no cell has
// the task but a cell is away, the error is an *AwayError and not executor.ErrNotFound, since the absent cell may have the task.
func (c *Cells) Find(ctx context.Context, task uuid.UUID) (*Cell, executor.TaskDetail, error) {
	found, away, err := everywhere(ctx, c, func(ctx context.Context, cell *Cell) (*executor.TaskDetail, error) {
		detail, err := cell.executor().GetTask(ctx, task)
		if errors.Is(err, executor.ErrNotFound) {
			return nil, nil // This is an answer: the cell does not have the task.
		}
		return &detail, err
	})
	for cell, detail := range found {
		if detail != nil {
			return cell, *detail, nil
		}
	}
	switch {
	case err != nil:
		return nil, executor.TaskDetail{}, err
	case len(away) > 0:
		return nil, executor.TaskDetail{}, &AwayError{away}
	}
	return nil, executor.TaskDetail{}, executor.ErrNotFound
}

// Listed is a task and the cell that has it.
type Listed struct {
	Cell string
	executor.TaskDetail
}

// List returns tasks of all cells, newest first, and the names of the cells whose tasks are missing from the list. UUIDs of tasks are in
// the order of their creation, so the last UUID is the next page's Before in every cell.
func (c *Cells) List(ctx context.Context, filter sqlfn.ListTasksParams) (tasks []Listed, missing []string, err error) {
	pages, missing, err := everywhere(ctx, c, func(ctx context.Context, cell *Cell) ([]executor.TaskDetail, error) {
		return cell.executor().ListTasks(ctx, filter)
	})
	if err != nil {
		return nil, missing, err
	}
	for cell, page := range pages {
		for _, task := range page {
			tasks = append(tasks, Listed{cell.Name, task})
		}
	}
	slices.SortFunc(tasks, func(a, b Listed) int {
		return slices.Compare(b.TaskUUID[:], a.TaskUUID[:])
	})
	limit := int(filter.Limit)
	if limit == 0 {
		limit = 100
	}
	return tasks[:min(limit, len(tasks))], missing, nil
}

// Work runs a worker on each cell, with the same handlers, until ctx ends. Each worker has an equal share of the places, so that a cell
// with slow steps, or a cell that is away, does not take the places of the other cells.
func (c *Cells) Work(ctx context.Context, places int, handle func(*worker.Worker), config worker.Config) error {
	config.Concurrency = max(1, places/len(c.all))
	errs := make([]error, len(c.all))
	var group sync.WaitGroup
	for i, cell := range c.all {
		w, err := worker.New(cell.Pool, config)
		if err != nil {
			return err
		}
		handle(w)
		group.Go(func() {
			if err := w.Run(ctx); err != nil {
				errs[i] = fmt.Errorf("cell %s: %w", cell.Name, err)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
