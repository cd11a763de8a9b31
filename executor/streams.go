package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/state"
)

// streamEvents is the channel on which values and streams of steps are announced while a reader waits for a change.
const streamEvents = "tasker_streams"

// StreamOptions say which items of a stream to read. The zero value reads all present items.
type StreamOptions struct {
	// After is the number of the last item that the caller has read. Default: 0, which reads from the beginning.
	After int64
	// Search restricts the read to items whose text contains these words. Default: all items.
	Search string
	// Follow waits for further items until the step has ended.
	Follow bool
	// PollInterval is how often to read if no notification comes. Default: 1 s.
	PollInterval time.Duration
}

// Streams lists the values and streams of a task, or of a step.
func (t Tasks) Streams(ctx context.Context, taskOrStep uuid.UUID) iter.Seq2[gen.StreamDetail, error] {
	return pages(0, func(last *gen.StreamDetail, rows int32) ([]gen.StreamDetail, error) {
		params := sqlfn.ListStreamsParams{UUID: taskOrStep, Limit: rows}
		if last != nil {
			params.AfterStepNo, params.AfterName = &last.StepNo, last.Name
		}
		return t.e.ListStreams(ctx, params)
	})
}

// Progress returns the progress of tasks: for each task, the newest value with the name "progress" that one of its steps has set. A task
// without such a value has no row. A call takes at most 1,000 tasks.
func (t Tasks) Progress(ctx context.Context, tasks ...uuid.UUID) ([]gen.StreamDetail, error) {
	return t.e.ListProgress(ctx, tasks)
}

// ReadStream returns the items of a step's stream in the order of their numbers, each item once. A reader that continues with After set to
// the number of its last item misses no items. With Follow, ReadStream waits for further items until the step has ended. All waits on one
// pool share one connection that listens.
func (t Tasks) ReadStream(ctx context.Context, step uuid.UUID, stream string, options StreamOptions) iter.Seq2[gen.StreamEntry, error] {
	return func(yield func(gen.StreamEntry, error) bool) {
		after, rows := options.After, int32(1000)
		goes := true
		err := t.follow(ctx, step, options.PollInterval, func(e *SqlFunctionExecutor, ended bool) (bool, error) {
			for {
				page, err := e.ReadStream(ctx, sqlfn.ReadStreamParams{
					StepUUID: step, Stream: stream, After: after, Limit: rows, Search: options.Search,
				})
				if err != nil {
					return false, err
				}
				for _, entry := range page {
					after = entry.ItemNo
					if goes = yield(entry, nil); !goes {
						return true, nil
					}
				}
				if len(page) < int(rows) {
					return ended || !options.Follow, nil
				}
			}
		})
		if goes && err != nil {
			yield(gen.StreamEntry{}, err)
		}
	}
}

// Value returns the current value that a step has set under a name. The error is ErrNotFound if the step has set no value of this name.
func (t Tasks) Value(ctx context.Context, step uuid.UUID, name string) (gen.StreamDetail, error) {
	return t.value(ctx, t.e, step, name)
}

func (t Tasks) value(ctx context.Context, e *SqlFunctionExecutor, step uuid.UUID, name string) (gen.StreamDetail, error) {
	rows, err := e.ListStreams(ctx, sqlfn.ListStreamsParams{UUID: step, Name: name, Limit: 1})
	if err == nil && (len(rows) == 0 || rows[0].Value == nil) {
		err = fmt.Errorf("%w: step %s has no value %q", ErrNotFound, step, name)
	}
	if err != nil {
		return gen.StreamDetail{}, err
	}
	return rows[0], nil
}

// WaitValue waits until a step has set a value more often than the argument after says, and returns the value. Pass 0 to wait for the first
// value, or the LastNo of an earlier answer to wait for the next value. The error is ErrNoResult if the step ends before it sets the value.
func (t Tasks) WaitValue(ctx context.Context, step uuid.UUID, name string, after int64, options ...WaitOptions) (found gen.StreamDetail, err error) {
	set := false
	err = t.follow(ctx, step, last(options).PollInterval, func(e *SqlFunctionExecutor, ended bool) (bool, error) {
		rows, err := e.ListStreams(ctx, sqlfn.ListStreamsParams{UUID: step, Name: name, Limit: 1})
		if err == nil && len(rows) > 0 && rows[0].Value != nil && rows[0].LastNo > after {
			found, set = rows[0], true
		}
		return set || ended, err
	})
	if err == nil && !set {
		err = fmt.Errorf("%w: step %s has ended without another value %q", ErrNoResult, step, name)
	}
	return found, err
}

// follow calls the function read, at once and then whenever the step may have written, until it returns true. The argument ended is true if
// the step had ended before the call, so that no further items can come.
func (t Tasks) follow(
	ctx context.Context, step uuid.UUID, interval time.Duration, read func(e *SqlFunctionExecutor, ended bool) (bool, error),
) error {
	interval = cmp.Or(max(interval, 0), time.Second)
	e := New(t.e.db) // Read from the primary: a standby may not have the change yet.
	var wake <-chan struct{}
	var giveWay func()
	poll := time.NewTimer(interval)
	defer poll.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		is, err := e.GetCurrentStepState(ctx, step)
		done := false
		if err == nil {
			done, err = read(e, state.StepState(is).IsTerminal())
		}
		switch {
		case err == nil && done:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && pgerr.Of(err) != pgerr.Passing:
			return err
		case err != nil && listen.NoPlace(err) && giveWay != nil:
			giveWay()
		}
		if pool, ok := t.e.db.(*pgxpool.Pool); ok && wake == nil {
			listening, give, leave := watchChanges(pool, streamEvents, step)
			defer leave()
			wake, giveWay = listening, give
		}
		poll.Reset(interval)
		select {
		case <-ctx.Done():
		case <-wake:
		case <-poll.C:
		}
	}
}

// changed returns the UUID of the task or the step that a notification names, and false if it names no task or step.
func changed(channel, payload string) (uuid.UUID, bool) {
	if channel == streamEvents {
		step, err := uuid.Parse(payload)
		return step, err == nil
	}
	var event struct {
		TaskUUID uuid.UUID `json:"task_uuid"`
	}
	err := json.Unmarshal([]byte(payload), &event)
	return event.TaskUUID, err == nil
}
