package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
)

// Started is a task and the cell that has it.
type Started struct {
	Cell     string
	TaskUUID uuid.UUID
	Created  bool
}

// Start creates a task in the cell of its namespace. An equal request finds the task of the first request, even if the namespace has moved
// since. While the old cell still has tasks of the namespace, Start asks that cell first. If the old cell does not answer, Start refuses
// the request, since the task may already exist.
func (c *Cells) Start(ctx context.Context, request executor.TaskRequest) (Started, error) {
	for {
		home, err := c.home(ctx, request.Namespace)
		if err != nil {
			return Started{}, err
		}
		started, err := c.create(ctx, home, request)
		if !errors.Is(err, errMoved) {
			return started, err
		}
		c.forget(request.Namespace)
	}
}

func (c *Cells) create(ctx context.Context, home *Cell, request executor.TaskRequest) (started Started, err error) {
	err = pgx.BeginFunc(ctx, home.Pool, func(tx pgx.Tx) error {
		// The row is locked until the commit, so that the namespace cannot be handed over meanwhile.
		w, err := readWord(ctx, tx, request.Namespace, "for share")
		if errors.Is(err, pgx.ErrNoRows) || err == nil && w.state != "here" {
			return errMoved
		}
		if err != nil {
			return err
		}
		if w.cameFrom != nil {
			if started, err = c.repeated(ctx, *w.cameFrom, request); err != nil || started.TaskUUID != uuid.Nil {
				return err
			}
		}
		created, err := executor.New(tx).CreateTask(ctx, request)
		started = Started{home.Name, created.TaskUUID, created.Created}
		return err
	})
	return started, err
}

var errNew = errors.New("the cell has no such task")

// repeated returns the task that an equal request has made in another cell. It creates the task in that cell and rolls back, so that the
// template's identity strategy decides whether an equal task exists.
func (c *Cells) repeated(ctx context.Context, name string, request executor.TaskRequest) (started Started, err error) {
	old, err := c.named(name)
	if err != nil {
		return Started{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	err = pgx.BeginFunc(ctx, old.Pool, func(tx pgx.Tx) error {
		created, err := executor.New(tx).CreateTask(ctx, request)
		if err == nil && created.Created {
			err = errNew
		}
		started = Started{old.Name, created.TaskUUID, false}
		return err
	})
	var refused *executor.Error
	switch {
	case err == nil:
		return started, nil
	case errors.Is(err, errNew):
		return Started{}, nil
	case errors.As(err, &refused):
		return Started{}, err
	}
	return Started{}, fmt.Errorf("%w, which may have the task already: %w", &AwayError{[]string{name}}, err)
}
