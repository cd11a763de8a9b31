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

// Start creates a task in the cell of its namespace. An equal request finds the first one's task, also when the namespace
// has moved since: until the old cell is rid of it, that cell is asked first. If it is away the request is refused, since
// there may be a task already.
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
		// Held until the commit: the namespace cannot be handed over meanwhile.
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

// repeated returns the task that an equal request has made in another cell. That cell is asked to create it, and told to
// forget it again: so it is the template's identity strategy that decides, whichever it is.
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
