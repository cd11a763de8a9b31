package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	listorder "github.com/pgtasker/pgtasker/internal/order"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/draw"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/state"
)

func (a *app) taskCommands() *cobra.Command {
	return a.group("task", "Create tasks, see what becomes of them, and intervene", taskForms,
		a.taskCreate(), a.taskList(), a.taskShow(), a.taskTree(), a.taskHistory(), a.taskLog(), a.taskWait(), a.taskSignal(),
		a.taskExplain(), a.taskExport(), a.taskReplay(),
		a.taskCancel(), a.taskReset(), a.taskResolve(), a.taskGiveUp(), a.taskFork(), a.taskPause(), a.taskResume(), a.taskChange(), a.runList(), a.taskSkipRun(), a.taskAttributesList(),
		a.taskErase(), a.taskErasures())
}

func (a *app) taskList() *cobra.Command {
	var (
		filter                            sqlfn.ListTasksParams
		namespace, name, version, inState string
		correlation, since, until, before string
		parent, longer                    string
		oldest, onlyCount                 bool
		limit                             int32
	)
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the tasks that match every filter, newest first",
		Example: `  tasker task list --state blocked_by_failures
  tasker task list -n shop --tag vip --since 2h
  tasker task list --key order-7
  tasker task list -n shop --attribute customer=42 --sort=-attribute.total
  tasker task list --state open --handler charge --longer 2h --oldest
  tasker task list --error "connection refused" --count
  tasker task list --since 2h --where '$.total > 100'
  tasker task list --state steps_in_process --watch
  tasker task list --before 5b1d2c3a                 # the next page`,
	}, "an array of tasker.task_details: list_tasks(); with --count an object: entries, more (whether there are more than 10,000), words, digest", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		filter.Namespace, filter.Name, filter.Version = namespace, name, version
		filter.State, filter.Limit = inState, limit
		if filter.RequestedAfter, err = parseTime("since", since, now, -1); err != nil {
			return err
		}
		if filter.RequestedBefore, err = parseTime("until", until, now, -1); err != nil {
			return err
		}
		if correlation != "" {
			id, err := parseUUID("--correlation", correlation)
			if err != nil {
				return err
			}
			filter.CorrelationID = id
		}
		if filter.Before, err = a.findTaskOption(ctx, "before", before); err != nil {
			return err
		}
		if filter.ParentTaskUUID, err = a.findTaskOption(ctx, "parent", parent); err != nil {
			return err
		}
		if longer != "" {
			if filter.LongerThan, err = time.ParseDuration(longer); err != nil || filter.LongerThan <= 0 {
				return &problem{Exit: exitUsage, Message: "--longer is no length of time: " + quote(longer), Hint: "Write it as 90s, 10m or 2h."}
			}
		}
		if oldest {
			filter.Before, filter.After = uuid.Nil, filter.Before
			if before == "" {
				filter.After = uuid.UUID{15: 1} // This UUID is smaller than the UUID of every task.
			}
		}
		listorder.Tasks(ctx, &filter)
		if onlyCount {
			return a.countTasks(ctx, e, filter)
		}
		tasks, err := e.ListTasks(ctx, filter)
		if err != nil {
			return err
		}
		if len(filter.Attributes) == 0 && filter.Sort == "" {
			return a.printTasks(tasks, nil, now)
		}
		attributes, err := taskAttributes(ctx, e, tasks)
		if err != nil {
			return err
		}
		return a.printTasks(tasks, attributes, now)
	})
	flags := command.Flags()
	flags.StringVarP(&namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&name, "name", "", "of templates of this name")
	flags.StringVar(&version, "version", "", "of templates of this version")
	flags.StringVarP(&inState, "state", "s", "", "in this state; open is all states of tasks that have not ended")
	flags.StringSliceVarP(&filter.Tags, "tag", "t", nil, "with this tag; given more than once, with all of them")
	flags.StringArrayVarP(&filter.Attributes, "attribute", "a", nil, "with an attribute of its template: customer=42, total>=100; given more than once, with all of them")
	flags.StringVar(&filter.IdentityKey, "key", "", "created with this identity key")
	flags.StringVar(&filter.Initiator, "initiator", "", "started by this person or system")
	flags.StringVar(&filter.Schedule, "schedule", "", "started by the schedule of this name")
	flags.StringVar(&filter.Handler, "handler", "", "with a step that has this handler; --step and --error apply to the same step")
	flags.StringVar(&filter.Step, "step", "", "with a step of this name")
	flags.StringVar(&filter.Error, "error", "", "with a step whose last error contains this text, in upper or lower case")
	flags.StringVar(&filter.Where, "where", "", "with a context for which this jsonpath holds: '$.total > 100'")
	flags.StringVar(&longer, "longer", "", "that took, or have been open for, at least this long: 90s, 10m or 2h")
	flags.BoolVar(&oldest, "oldest", false, "list the oldest tasks first; --before is then still the last task of the preceding page")
	flags.BoolVar(&onlyCount, "count", false, "print only how many match")
	flags.StringVar(&correlation, "correlation", "", "with this correlation id")
	flags.StringVar(&since, "since", "", "requested at this time or later: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&until, "until", "", "requested before this time")
	flags.StringVar(&before, "before", "", "older than this task, the last task of the preceding page")
	flags.StringVar(&parent, "parent", "", "started by a step of this task")
	flags.Int32VarP(&limit, "limit", "l", 50, "how many at most")
	a.completeFlag(command, "namespace", a.namespaces)
	_ = command.RegisterFlagCompletionFunc("state", taskStates)
	return a.watched(command)
}

// countTasks prints how many tasks match.
func (a *app) countTasks(ctx context.Context, e *executor.SqlFunctionExecutor, filter sqlfn.ListTasksParams) error {
	if filter.ParentTaskUUID != uuid.Nil {
		return &problem{Exit: exitUsage, Message: "--count goes without --parent"}
	}
	filters, err := json.Marshal(executor.SelectionFilters(filter))
	if err != nil {
		return err
	}
	found, err := e.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: "tasks", Filters: filters})
	if err != nil {
		return err
	}
	return a.show(found, func() error {
		more := ""
		if found.More {
			more = "more than "
		}
		return a.out.Say("%s%s\n", more, count(int(found.Entries), "task"))
	})
}

func (a *app) printTasks(tasks []executor.TaskDetail, attributes map[uuid.UUID]string, now time.Time) error {
	columns := []string{"TASK", "TEMPLATE", "STATE", "STEPS", "FAILED", "AGE", "TAGS"}
	if attributes != nil {
		columns = append(columns, "ATTRIBUTES")
	}
	table := term.NewTable(columns...).Yield("TAGS", "STEPS", "AGE", "FAILED")
	return list(a, tasks, "there are no such tasks", table, func(t executor.TaskDetail) []term.Cell {
		cells := []term.Cell{
			a.taskID(t.TaskUUID), term.Text(taskTemplate(t)), term.Colored(string(t.State), taskColor(t.State)).Uncut(),
			term.Text(fmt.Sprintf("%d/%d", t.TotalSteps-t.OpenSteps-t.FailedSteps, t.TotalSteps)), failed(t.FailedSteps),
			term.Text(span(now.Sub(t.RequestedAt))), term.Text(join(", ", t.Tags...)),
		}
		if attributes != nil {
			cells = append(cells, term.Text(attributes[t.TaskUUID]))
		}
		return cells
	})
}

// failed returns a cell with the number of steps that failed for good, red unless it is 0.
func failed(n int32) term.Cell {
	if n == 0 {
		return term.Text("")
	}
	return term.Colored(fmt.Sprint(n), term.Red)
}

// loadTask reads a task with its steps and the database's time.
func (a *app) loadTask(ctx context.Context, argument string) (s shownTask, g taskGraph, now time.Time, err error) {
	id, err := a.findTaskBy(ctx, "TASK", argument, true)
	if err != nil {
		return s, g, now, err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return s, g, now, err
	}
	task, err := e.GetTask(ctx, id)
	if err != nil {
		return s, g, now, err
	}
	steps, err := e.ListSteps(ctx, id)
	if err != nil {
		return s, g, now, err
	}
	edges, err := e.GetStepDAGRelationships(ctx, id)
	if err != nil {
		return s, g, now, err
	}
	signals, err := e.ListSignals(ctx, id, 0, 1000)
	if err != nil {
		return s, g, now, err
	}
	if signals == nil {
		signals = []gen.SignalDetail{}
	}
	now, err = e.Clock(ctx)
	return shownTask{task, steps, edges, signals}, newTaskGraph(steps, edges), now, err
}

// shownTask is a task as --json prints it.
type shownTask struct {
	Task  executor.TaskDetail   `json:"task"`
	Steps []executor.StepDetail `json:"steps"`
	Graph []gen.StepDAGNode     `json:"graph"`
	// Signals are the first thousand signals that were sent to the task.
	Signals []gen.SignalDetail `json:"signals"`
}

// notTaken names the signals that no step has taken.
func notTaken(signals []gen.SignalDetail) string {
	var names []string
	for _, g := range signals {
		if !g.Consumed && !slices.Contains(names, g.Name) {
			names = append(names, g.Name)
		}
	}
	if len(names) > 10 {
		names = append(names[:10], "…")
	}
	return join(", ", names...)
}

// drawnSteps is how many steps are drawn at most without --all.
const drawnSteps = 100

func (a *app) taskShow() *cobra.Command {
	var (
		all    bool
		format chartFormat
	)
	command := a.leaf(cobra.Command{
		Use:   "show TASK",
		Short: "Show a task and draw its graph with the states of its steps",
		Example: `  tasker task show 5b1d2c3a
  tasker task show key:order-7
  tasker task show latest --watch
  tasker task show latest --format dot | dot -Tsvg > task.svg`,
		Long: `Show a task and draw its graph with the states of its steps:

  ○ pending     ◎ enqueued   ◐ in progress   ◑ result not processed yet   ↻ waiting for a retry
  ‖ suspended   ● complete   ✗ error         ⊘ cancelled                  ◆ resolved manually

A graph that is too wide for the terminal is shown by levels. A map is one line, with the number of its instances in each state.

` + taskForms,
	}, "an object: task (get_task()), steps (list_steps()), graph (get_step_dag_relationships()), signals (list_signals())",
		func(ctx context.Context, args []string) error {
			task, g, now, err := a.loadTask(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(task, func() error {
				if format != "" {
					return a.taskChart(ctx, format, task.Task, g, all)
				}
				return a.printTask(task.Task, g, task.Signals, now, all)
			})
		})
	command.Flags().BoolVar(&all, "all", false, fmt.Sprintf("draw graphs of more than %d steps too, and the instances of maps", drawnSteps))
	format.flag(command)
	return a.watched(command)
}

func (a *app) printTask(t executor.TaskDetail, g taskGraph, signals []gen.SignalDetail, now time.Time, all bool) error {
	processor, parent := "", ""
	if t.ProcessorUUID != nil {
		processor = t.ProcessorUUID.String()
	}
	if t.ParentCorrelationID != nil {
		parent = t.ParentCorrelationID.String()
	}
	correlation := ""
	if t.CorrelationID != t.TaskUUID {
		correlation = t.CorrelationID.String()
	}
	priority := ""
	if t.Priority != 0 {
		priority = fmt.Sprint(t.Priority)
	}
	startedBy := ""
	if t.ParentStepUUID != nil {
		startedBy = "step " + t.ParentStepUUID.String()
	}
	err := term.Fields(a.out,
		"task", t.TaskUUID.String(),
		"template", taskTemplate(t),
		"state", string(t.State),
		"paused", pausedLine(t.Paused),
		"undone", undoLine(t.Undo),
		"steps", stepCounts(g.steps),
		"priority", priority,
		"requested", a.when(&t.RequestedAt, now),
		"started", a.when(t.StartedAt, now),
		"completed", a.when(t.CompletedAt, now),
		"deadline", a.when(t.Deadline, now),
		"owner", processor,
		"initiator", text(t.Initiator),
		"source", text(t.SourceSystem),
		"reason", text(t.Reason),
		"correlation", correlation,
		"caused by", parent,
		"started by", startedBy,
		"tags", join(", ", t.Tags...),
		"headers", compact(t.Headers),
		"context", compact(t.Context),
		"signals not taken", notTaken(signals),
	)
	if err != nil || len(g.steps) == 0 {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	if !all {
		g = g.folded()
	}
	if len(g.steps) > drawnSteps && !all {
		return a.printBusySteps(g, now)
	}
	return a.stepTable(g, now)
}

// printBusySteps lists the steps of a large task that are active or have failed.
func (a *app) printBusySteps(g taskGraph, now time.Time) error {
	table := term.NewTable("", "STEP", "STATE", "TRIES", "").Yield("TRIES")
	shown := 0
	for i, step := range g.steps {
		if step.State == "pending" || step.State.SatisfiesDependencies() || step.State == "cancelled" {
			continue
		}
		if shown++; shown > drawnSteps {
			break
		}
		node := draw.Levels([]draw.Node{g.nodes()[i]})[0]
		node.Node = i
		table.Row(a.stepRow(g, node, now)...)
	}
	if shown > 0 {
		if err := table.Write(a.out); err != nil {
			return err
		}
	}
	return a.errs.Say("%s; --all draws them all\n", count(len(g.steps), "step"))
}

func (a *app) taskTree() *cobra.Command {
	var tasks bool
	command := a.leaf(cobra.Command{
		Use:   "tree TASK",
		Short: "Draw a task's steps as a tree, each below its dependencies, or the tasks that the steps started",
		Example: `  tasker task tree 5b1d2c3a
  tasker task tree 5b1d2c3a --tasks`,
		Long: `Draw a task's steps as a tree, each below its dependencies. A step that depends on several is drawn below
each of them; its descendants are drawn once.

With --tasks, draw the task, below it the tasks that its steps started, and so on for each of these tasks.`,
	}, "an array of tasker.step_dag_nodes: get_step_dag_relationships(); with --tasks of tasker.task_tree_nodes: get_task_tree()",
		func(ctx context.Context, args []string) error {
			if tasks {
				return a.familyTree(ctx, args[0])
			}
			task, g, now, err := a.loadTask(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(task.Graph, func() error {
				table := term.NewTable("", "", "", "", "")
				for _, line := range draw.Tree(g.nodes()) {
					row := a.stepRow(g, line, now)
					// The name is part of the drawing of the tree.
					row[0] = row[0].Followed(g.steps[line.Node].Name)
					table.Row(append(row[:1], row[2:]...)...)
				}
				return table.Write(a.out)
			})
		})
	command.Flags().BoolVar(&tasks, "tasks", false, "draw the tasks that its steps started")
	return command
}

// familyTree draws a task and the tasks that its steps started.
func (a *app) familyTree(ctx context.Context, argument string) error {
	id, err := a.findTaskBy(ctx, "TASK", argument, true)
	if err != nil {
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	family, err := e.GetTaskTree(ctx, id, 0)
	if err != nil {
		return err
	}
	return a.show(family, func() error {
		nodes := make([]draw.Node, len(family))
		above := map[int32]int{}
		for i, t := range family {
			look := taskSymbol(t.State)
			nodes[i] = draw.Node{Symbol: look.symbol, Color: look.color}
			if t.Level > 0 {
				nodes[i].Parents = []int{above[t.Level-1]}
			}
			above[t.Level] = i
		}
		table := term.NewTable("TASK", "STATE", "STEPS", "FAILED", "STEP", "").Yield("STEPS", "FAILED")
		for _, line := range draw.Tree(nodes) {
			t := family[line.Node]
			if t.State == nil {
				table.Row(line.Cell.Followed("gone"), term.Text(""), term.Text(""), term.Text(""), term.Text(text(t.ParentStep)), a.taskID(t.TaskUUID))
				continue
			}
			step := ""
			if t.Level > 0 {
				step = text(t.ParentStep)
			}
			table.Row(
				line.Cell.Followed(text(t.Name)), term.Colored(string(*t.State), taskColor(*t.State)).Uncut(),
				term.Text(fmt.Sprintf("%d/%d", *t.TotalSteps-*t.OpenSteps-*t.FailedSteps, *t.TotalSteps)), failed(*t.FailedSteps),
				term.Text(step), a.taskID(t.TaskUUID),
			)
		}
		return table.Write(a.out)
	})
}

// taskSymbol returns the symbol of a task, which is the symbol of the corresponding state of a step.
func taskSymbol(s *state.TaskState) look {
	if s == nil {
		return look{symbol: "⊘"}
	}
	switch *s {
	case state.TaskPending:
		return stepLook(state.StepPending)
	case state.TaskComplete:
		return stepLook(state.StepComplete)
	case state.TaskError, state.TaskBlockedByFailures:
		return stepLook(state.StepError)
	case state.TaskCancelled:
		return stepLook(state.StepCancelled)
	case state.TaskResolvedManually:
		return stepLook(state.StepResolvedManually)
	case state.TaskWaitingForDependencies, state.TaskWaitingForRetry:
		return stepLook(state.StepWaitingForRetry)
	default:
		return stepLook(state.StepInProgress)
	}
}

// undoLine returns the progress of the undo of a task, or "" if the task was never undone.
func undoLine(raw json.RawMessage) string {
	var undo struct {
		Phase string `json:"phase"`
		Event string `json:"event"`
		To    string `json:"to_state"`
		Actor string `json:"actor"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &undo) != nil {
		return ""
	}
	by := undo.Event
	if undo.Actor != "" {
		by += " by " + undo.Actor
	}
	switch undo.Phase {
	case "drain":
		return fmt.Sprintf("%s: waits for steps in progress, then for compensations; will be %s", by, undo.To)
	case "undo":
		return fmt.Sprintf("%s: compensations run; will be %s", by, undo.To)
	}
	return by + ": all compensations are done, or were given up"
}
