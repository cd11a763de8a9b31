package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/demo"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

func (a *app) workerCommands() *cobra.Command {
	return a.group("worker", "Show the workers, or work on steps with handlers to try things out with", "", a.workerList(), a.workerDemo())
}

// workerReport is the JSON of a worker's work.
type workerReport struct {
	Claimed   int64 `json:"claimed"`
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	Released  int64 `json:"released"`
	Refused   int64 `json:"refused"`
}

func (a *app) workerDemo() *cobra.Command {
	var (
		config    worker.Config
		untilIdle bool
		pace      time.Duration
	)
	command := a.leaf(cobra.Command{
		Use:   "demo",
		Short: "Run steps with built-in handlers: the handlers of orders, echo, sleep and fail",
		Long: `Run steps with built-in handlers, and print each attempt, until SIGINT or SIGTERM. Then running handlers
finish, and the exit code is 0. Steps of other handlers are left to other workers. Any number of workers may run.

  reserve, charge, pack, ship   of examples/orders/fulfilment/order.yaml; charge fails at its first attempt
  echo                          returns the task's context, the step's inputs and its parents' results
  sleep                         takes "seconds" (1)
  fail                          fails "times" times (always), with "message", for good if "permanent"

The arguments of sleep and fail come from the step's initialization or the task's context, as in
examples/handlers/handlers.yaml.`,
		Example: `  tasker apply examples/orders/fulfilment/order.yaml examples/handlers/handlers.yaml
  tasker task create shop/order --context '{"number": 7, "customer": "Ada", "cents": 1299}'
  tasker worker demo                 # in another terminal; tasker task wait … in a third
  tasker worker demo --until-idle    # in scripts: ends when nothing is left to do`,
	}, "an object: claimed, completed, failed, released, refused (how many steps)", func(ctx context.Context, _ []string) error {
		if config.Concurrency < 1 {
			return &problem{Exit: exitUsage, Message: "--concurrency is at least 1"}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		if err := a.requireNamespaces(ctx, e, config.Namespaces); err != nil {
			return err
		}
		config.Logger = a.complaints()
		if untilIdle {
			config.PollInterval = idleLook
		}
		w, err := worker.New(a.pool, config)
		if err != nil {
			return err
		}
		if !a.json {
			w.Use(a.attempts())
		}
		demo.Handle(w, pace)
		if err := runWorker(ctx, w, e, config.Namespaces, untilIdle); err != nil {
			return err
		}
		s := w.Stats()
		return a.show(workerReport{s.Claimed, s.Completed, s.Failed, s.Released, s.Refused}, func() error {
			return a.out.Say("%s: %d completed, %d failed, %d handed back, %d cancelled or lost\n",
				count(int(s.Claimed), "attempt"), s.Completed, s.Failed, s.Released, s.Refused)
		})
	})
	flags := command.Flags()
	flags.StringSliceVarP(&config.Namespaces, "namespace", "n", nil, "take steps of this namespace; may be given more than once (default all)")
	flags.IntVar(&config.Concurrency, "concurrency", 10, "how many handlers run at the same time")
	flags.DurationVar(&pace, "pace", 500*time.Millisecond, "the shortest duration of each handler, so that you can watch")
	flags.BoolVar(&untilIdle, "until-idle", false, "end when no step of these handlers is ready, runs or waits for its next attempt")
	flags.BoolVar(&config.PollOnly, "no-listen", false, "do not LISTEN")
	a.completeFlag(command, "namespace", a.namespaces)
	return command
}

// requireNamespaces fails if the database is not migrated or a namespace does not exist, because a worker would wait for it
// without an error.
func (a *app) requireNamespaces(ctx context.Context, e *executor.SqlFunctionExecutor, wanted []string) error {
	found, err := a.namespaces(ctx, e)
	if err != nil {
		return err
	}
	if len(found) == 0 && len(wanted) == 0 {
		return &problem{
			Exit: exitNotFound, Message: "there is no namespace yet, so nothing to work on",
			Hint: "tasker apply registers a template and its namespace, such as examples/handlers/handlers.yaml.",
		}
	}
	for _, name := range wanted {
		if !slices.Contains(found, name) {
			return &problem{
				Exit: exitNotFound, Message: "namespace " + quote(name) + " does not exist",
				Hint: "tasker namespace list shows them; tasker apply registers a template's namespace.",
			}
		}
	}
	return nil
}

// complaints returns a logger that writes warnings and errors to standard error.
func (a *app) complaints() *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelWarn}
	if a.json {
		return slog.New(slog.NewJSONHandler(a.Err, options))
	}
	return slog.New(slog.NewTextHandler(a.Err, options))
}

// attempts returns a middleware that prints a line for each attempt.
func (a *app) attempts() worker.Middleware {
	var mu sync.Mutex
	return func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			raw, err := next(ctx, step)
			outcome := worker.OutcomeOf(ctx, err)
			said, color := string(raw), term.Green
			if err != nil {
				said, _, _ = strings.Cut(err.Error(), "\n")
				color = term.Red
			}
			mu.Lock()
			defer mu.Unlock()
			// A step must not fail because the output is closed.
			_ = a.out.Printf("%s  %s/%s  %s  %s  %s  %s\n", a.at(time.Now()), step.Namespace, step.Task, step.TaskUUID,
				a.out.Paint(fmt.Sprintf("%s %d/%d", step.Name, step.Attempt, step.MaxAttempts), term.Bold),
				a.out.Paint(string(outcome), color), term.Clean(said))
			return raw, err
		}
	}
}

// idleLook is how often a worker with --until-idle checks whether it is idle.
const idleLook = 100 * time.Millisecond

// runWorker runs a worker until ctx ends, or until it is idle.
func runWorker(ctx context.Context, w *worker.Worker, e *executor.SqlFunctionExecutor, namespaces []string, untilIdle bool) error {
	if !untilIdle {
		return w.Run(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		defer stop()
		waitIdle(ctx, w, e, namespaces)
	})
	err := w.Run(ctx)
	stop()
	watching.Wait()
	return err
}

// waitIdle returns when no work is left, or when ctx ends. If the check for work fails, it assumes that there is work, since
// the worker waits for the database, too.
func waitIdle(ctx context.Context, w *worker.Worker, e *executor.SqlFunctionExecutor, namespaces []string) {
	tick := time.NewTicker(idleLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if w.Stats().Running > 0 {
			continue
		}
		if left, err := workLeft(ctx, e, namespaces); err == nil && !left {
			return
		}
	}
}

// busyTasks are the states of tasks in which a step may be ready, run, or wait for its next attempt.
var busyTasks = []state.TaskState{
	state.TaskEnqueuingSteps, state.TaskStepsInProcess, state.TaskEvaluatingResults, state.TaskWaitingForRetry,
	state.TaskWaitingForDependencies,
}

// tasksPage is how many tasks one call reads.
const tasksPage = 100

// workLeft returns whether a step of the built-in handlers is ready, runs, or waits for its next attempt. Tasks change while
// they are read. So workLeft also counts the busy steps of other handlers, and compares their number with the database's count
// of all busy steps at one time.
func workLeft(ctx context.Context, e *executor.SqlFunctionExecutor, namespaces []string) (bool, error) {
	counts, err := e.GetSystemHealthCounts(ctx)
	if err != nil {
		return false, err
	}
	others := counts.EnqueuedSteps + counts.InProgressSteps + counts.WaitingForRetrySteps
	if others == 0 {
		return false, nil
	}
	limit := int32(tasksPage)
	for _, s := range busyTasks {
		filter := sqlfn.ListTasksParams{State: string(s), Limit: limit}
		for {
			tasks, err := e.ListTasks(ctx, filter)
			if err != nil {
				return false, err
			}
			for _, task := range tasks {
				steps, err := e.ListSteps(ctx, task.TaskUUID)
				if err != nil {
					return false, err
				}
				for _, step := range steps {
					if isBusy(step) {
						others--
					}
				}
				ours := len(namespaces) == 0 || slices.Contains(namespaces, task.Namespace)
				if ours && slices.ContainsFunc(steps, isOurs) {
					return true, nil
				}
			}
			if len(tasks) < tasksPage {
				break
			}
			filter.Before = tasks[len(tasks)-1].TaskUUID
		}
	}
	return others != 0, nil
}

// isBusy returns whether a step is ready, runs, or waits for its next attempt.
func isBusy(step executor.StepDetail) bool {
	switch step.State {
	case state.StepEnqueued, state.StepInProgress, state.StepWaitingForRetry:
		return true
	}
	return false
}

func isOurs(step executor.StepDetail) bool {
	return isBusy(step) && slices.Contains(demo.Handlers, step.Handler)
}
