package executor

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// taskEvents is the channel on which tasks' changes of state are announced.
const taskEvents = "tasker_task_events"

// WatchConfig says how WatchTask and WaitForTask learn of changes. Its zero value polls once a second.
type WatchConfig struct {
	// Connect opens a connection that listens for changes, and is closed in the end. Default: none. The task
	// is read once in each PollInterval, which is all that poolers in transaction mode allow.
	Connect Connect
	// PollInterval is the longest time that a change stays unnoticed without a notification.
	// Default: 5 s, 1 s without Connect or where notifications cannot come.
	PollInterval time.Duration
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles.
	// Default: 5 s.
	MaxReconnectDelay time.Duration
	// Logger logs lost connections. Default: slog.Default().
	Logger *slog.Logger

	within time.Duration // bounds a query, so that a server that has vanished does not hold it for ever
}

// callWithin is how long a query may take that nothing else bounds.
const callWithin = 30 * time.Second

func (c *WatchConfig) setDefaults() {
	if c.PollInterval <= 0 {
		c.PollInterval = 5 * time.Second
		if c.Connect == nil {
			c.PollInterval = time.Second
		}
	}
	if c.MaxReconnectDelay <= 0 {
		c.MaxReconnectDelay = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.within <= 0 {
		c.within = callWithin
	}
}

// WaitForTask waits until a task has ended and returns it: its State says how. A task that is blocked by
// failures has not ended, since an operator can unblock it. ErrNotFound if there is no such task. Ctx's
// error with the task as it was last seen if ctx ends first.
//
// The executor must not be on a transaction above READ COMMITTED, which would never see a change.
func (e *SqlFunctionExecutor) WaitForTask(
	ctx context.Context, taskUUID uuid.UUID, config WatchConfig,
) (last TaskDetail, err error) {
	for task, err := range e.WatchTask(ctx, taskUUID, config) {
		if err != nil {
			return last, err
		}
		last = task
	}
	return last, nil
}

// WatchTask returns an iterator over a task's states: the one that it is in at first, then each change
// that a look at it shows, and after the state that it ends in no more. States that it passes through
// between two looks are not among them. GetTaskHistory has them all. An error is the last thing that the
// iterator gives: ErrNotFound if there is no such task, ctx's error if ctx ends first.
//
//	for task, err := range e.WatchTask(ctx, id, executor.WatchConfig{Connect: connect}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(task.State, task.OpenSteps)
//	}
//
// It starts no goroutine: the loop's body runs between queries. A lost connection is opened again. Meanwhile,
// and whenever notifications fail to come, it polls.
func (e *SqlFunctionExecutor) WatchTask(
	ctx context.Context, taskUUID uuid.UUID, config WatchConfig,
) iter.Seq2[TaskDetail, error] {
	config.setDefaults()
	return func(yield func(TaskDetail, error) bool) {
		listening, stop := context.WithCancel(ctx)
		defer stop()
		w := &taskHearer{executor: New(e.db), task: taskUUID, config: config, yield: yield, stop: stop}
		w.look(ctx)
		l := &listen.Listener{
			Connect: config.Connect, Channels: listen.Fixed(taskEvents), PollInterval: config.PollInterval,
			MaxReconnectDelay: config.MaxReconnectDelay, Logger: config.Logger, Hearer: w, LastPoll: time.Now(),
			Marks: listen.Channels{Sleeper: uuid.New(), Names: func() []string {
				return []string{taskEvents + "." + taskUUID.String()}
			}},
		}
		w.giveWay = l.GiveWay
		l.Run(listening)
		if !w.done {
			yield(TaskDetail{}, ctx.Err())
		}
	}
}

// taskHearer reads a task whenever it may have changed.
type taskHearer struct {
	executor *SqlFunctionExecutor
	task     uuid.UUID
	config   WatchConfig
	yield    func(TaskDetail, error) bool
	stop     context.CancelFunc
	giveWay  func() // has the listener give its connection up; nil before there is one

	last    TaskDetail
	done    bool      // nothing more may be yielded
	againAt time.Time // when to query again after a failed query
}

// look queries the task and yields it if its state has changed.
func (w *taskHearer) look(ctx context.Context) {
	if w.done {
		return
	}
	w.againAt = time.Time{}
	asking, cancel := context.WithTimeout(ctx, w.config.within)
	task, err := w.executor.GetTask(asking, w.task)
	cancel()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil && pgerr.Of(err) == pgerr.Passing:
		w.config.Logger.WarnContext(ctx, "a task could not be read", "task_uuid", w.task, "error", err)
		w.againAt = time.Now().Add(min(w.config.PollInterval, time.Second))
		if listen.NoPlace(err) && w.giveWay != nil {
			w.giveWay() // The listener holds the login's last connection.
		}
	case err != nil:
		w.yield(TaskDetail{}, err)
		w.end()
	case task.State != w.last.State:
		w.last = task
		if !w.yield(task, nil) || task.Complete {
			w.end()
		}
	}
}

func (w *taskHearer) end() {
	w.done = true
	w.stop()
}

func (w *taskHearer) Connected(ctx context.Context, _ *pgx.Conn) error {
	w.look(ctx) // Earlier changes were not notified.
	return nil
}

func (w *taskHearer) Notified(ctx context.Context, notification *pgconn.Notification) {
	var event struct {
		TaskUUID uuid.UUID `json:"task_uuid"`
	}
	if err := json.Unmarshal([]byte(notification.Payload), &event); err != nil || event.TaskUUID == w.task {
		w.look(ctx)
	}
}

func (w *taskHearer) Polled(ctx context.Context, _ *pgx.Conn) error {
	w.look(ctx)
	return nil
}

func (w *taskHearer) Due() time.Time { return w.againAt }

func (w *taskHearer) Passed(ctx context.Context) { w.look(ctx) }
