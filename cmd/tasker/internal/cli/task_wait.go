package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/state"
)

// How often a drawn task is read. It is polled, because no notification reports the states of steps.
const (
	firstLook   = 50 * time.Millisecond
	longestLook = time.Second
)

func (a *app) taskWait() *cobra.Command {
	var (
		timeout time.Duration
		way     waiting
	)
	command := a.leaf(cobra.Command{
		Use:   "wait TASK",
		Short: "Wait until a task has ended, and show its progress",
		Long: fmt.Sprintf(`Wait until a task has ended, and show its progress: on a terminal its graph fills in, otherwise
each change of its state is a line. It listens for changes, and polls every few seconds in case a notification was lost. With
--no-listen it only polls, every second, which poolers in transaction mode need.

The exit code is 0 if the task is complete or resolved, and %d if it failed, was cancelled or is blocked by failures, which
only an operator can end (--patient continues to wait). It is %d if the time is over.`, exitNo, exitTimeout),
		Example: "  tasker task wait 5b1d2c3a --timeout 5m",
	}, "an object of tasker.task_details, as it is in the end: get_task()", func(ctx context.Context, args []string) error {
		task, err := a.findTaskBy(ctx, "TASK", args[0], true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		waitCtx := ctx
		if timeout > 0 {
			var cancel context.CancelFunc
			waitCtx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
		last, err := a.wait(waitCtx, e, task, way)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return &problem{
				Exit:    exitTimeout,
				Message: fmt.Sprintf("task %s has not ended within %s", task, timeout),
				Hint:    "tasker task show tells where it stands, tasker step explain why a step does not run.",
			}
		}
		if err != nil {
			return err
		}
		if err := a.show(last, func() error { return nil }); err != nil {
			return err
		}
		if last.State == state.TaskComplete || last.State == state.TaskResolvedManually {
			return nil
		}
		return silent
	})
	command.Flags().DurationVar(&timeout, "timeout", 0, "how long to wait at most, such as 5m (default: no bound)")
	command.Flags().BoolVar(&way.patient, "patient", false, "continue to wait for a task that is blocked by failures")
	command.Flags().BoolVar(&way.noListen, "no-listen", false, "do not LISTEN")
	return command
}

// waiting has the flags of a wait.
type waiting struct {
	patient  bool // continue to wait for a task that is blocked by failures
	noListen bool
}

// over returns whether the wait for a task is over.
func (w waiting) over(t executor.TaskDetail) bool {
	return t.Complete || t.Blocked && !w.patient
}

// wait shows the progress of a task until the task has ended, and returns the task.
func (a *app) wait(ctx context.Context, e *executor.SqlFunctionExecutor, task uuid.UUID, way waiting) (executor.TaskDetail, error) {
	standby, err := a.onStandby(ctx, e)
	if err != nil {
		return executor.TaskDetail{}, errors.Join(err, ctx.Err())
	}
	way.noListen = way.noListen || standby
	show := a.newProgress()
	if a.out.Cursor && !a.json {
		return waitDrawing(ctx, e, task, way, show)
	}
	var last executor.TaskDetail
	for t, err := range a.waits(way).Watch(ctx, task) {
		if err != nil {
			return last, err
		}
		if err := show(ctx, e, t); err != nil {
			return t, errors.Join(err, ctx.Err())
		}
		last = t
		if way.over(t) {
			break
		}
	}
	return last, nil
}

// onStandby returns whether the server is a standby, and reports that LISTEN does not work on a standby.
func (a *app) onStandby(ctx context.Context, e *executor.SqlFunctionExecutor) (standby bool, err error) {
	err = a.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		standby = conn.Conn().PgConn().ParameterStatus("in_hot_standby") == "on"
		return nil
	})
	if err != nil || !standby {
		return false, err
	}
	// A role that may only submit tasks cannot read the lag.
	counts, _ := e.GetSystemHealthCounts(ctx)
	return true, a.errs.Print(standbyNote(counts) + " It is asked again every second.\n")
}

// waits returns a client whose waits listen on the pool, or poll.
func (a *app) waits(way waiting) executor.Tasks {
	var db executor.DBTX = a.pool
	if way.noListen {
		db = struct{ executor.DBTX }{a.pool}
	}
	if decoding, err := a.decoding(db); err == nil { // The command has already reported a problem of the file.
		db = decoding
	}
	return executor.NewClient(db).Tasks()
}

// waitDrawing is wait for a terminal. Its picture shows the steps, so reading only the task's state is not enough.
func waitDrawing(
	ctx context.Context, e *executor.SqlFunctionExecutor, task uuid.UUID, way waiting, draw progress,
) (executor.TaskDetail, error) {
	pause := firstLook
	for {
		t, err := e.GetTask(ctx, task)
		if err != nil {
			return t, errors.Join(err, ctx.Err())
		}
		if err := draw(ctx, e, t); err != nil {
			return t, errors.Join(err, ctx.Err())
		}
		if way.over(t) {
			return t, nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return t, ctx.Err()
		case <-timer.C:
		}
		pause = min(pause*3/2, longestLook)
	}
}

// progress shows the progress of a task.
type progress func(ctx context.Context, e *executor.SqlFunctionExecutor, t executor.TaskDetail) error

func (a *app) newProgress() progress {
	switch {
	case a.json:
		return func(context.Context, *executor.SqlFunctionExecutor, executor.TaskDetail) error { return nil }
	case a.out.Cursor:
		return a.drawProgress()
	}
	last := ""
	return func(_ context.Context, _ *executor.SqlFunctionExecutor, t executor.TaskDetail) error {
		line := progressLine(t)
		if line == last {
			return nil
		}
		last = line
		return a.out.Say("%s %s\n", a.at(t.UpdatedAt), line)
	}
}

// progressLine returns the progress of a task in one line.
func progressLine(t executor.TaskDetail) string {
	parts := []string{
		string(t.State), fmt.Sprintf("%d of %s settled", t.TotalSteps-t.OpenSteps-t.FailedSteps, count(int(t.TotalSteps), "step")),
	}
	for _, n := range []struct {
		count int32
		what  string
	}{{t.ActiveSteps, "active"}, {t.RetryingSteps, "waiting for a retry"}, {t.SuspendedSteps, "suspended"}, {t.FailedSteps, "failed"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	return strings.Join(parts, ", ")
}

// drawProgress redraws the task's graph in the same place, or a single line if the graph is too high for the terminal.
func (a *app) drawProgress() progress {
	drawn := 0
	return func(ctx context.Context, e *executor.SqlFunctionExecutor, t executor.TaskDetail) error {
		var picture bytes.Buffer
		screen := *a.out
		screen.Writer = &picture
		if int(t.TotalSteps) < drawnSteps {
			_, g, now, err := a.loadTask(ctx, t.TaskUUID.String())
			if err != nil {
				return err
			}
			onScreen := *a
			onScreen.out = &screen
			if err := onScreen.stepTable(g, now); err != nil {
				return err
			}
			if a.out.Height > 0 && strings.Count(picture.String(), "\n")+2 > a.out.Height {
				picture.Reset()
			}
		}
		line := progressLine(t)
		if a.out.Width > 0 {
			line = term.Cut(line, a.out.Width-1)
		}
		if err := screen.Printf("%s\n", a.out.Paint(line, taskColor(t.State))); err != nil {
			return err
		}
		back := ""
		if drawn > 0 {
			back = fmt.Sprintf("\x1b[%dA\x1b[J", drawn)
		}
		drawn = strings.Count(picture.String(), "\n")
		_, err := fmt.Fprint(a.Out, back, picture.String())
		return err
	}
}
