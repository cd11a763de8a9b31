package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/state"
)

const (
	bulkBatch = 100  // how many things one transaction changes
	bulkFound = 1000 // how many things one call of a dry run finds
	bulkShown = 20   // how many things the output shows; --json prints all
)

// bulk has the common flags of changes of many things.
type bulk struct {
	dryRun, yes bool
	limit       int
}

func (b *bulk) flags(command *cobra.Command, what string) {
	flags := command.Flags()
	flags.IntVarP(&b.limit, "limit", "l", 0, "how many "+what+" at most (default all)")
	flags.BoolVar(&b.dryRun, "dry-run", false, "list them and their number, but change nothing")
	flags.BoolVar(&b.yes, "yes", false, "do not ask")
}

// given returns the first of these flags that the command line has, or "".
func given(command *cobra.Command, flags ...string) string {
	for _, name := range flags {
		if command.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// begin returns an error if a change of many things must not begin. Otherwise it asks the user to confirm the change.
func (a *app) begin(command *cobra.Command, b *bulk, reason, reasonFlag string, found int, what string) error {
	switch {
	case b.dryRun || found == 0:
		return nil
	case strings.TrimSpace(reason) == "":
		err := usage(command, "--%s is missing", reasonFlag)
		err.Hint = "Say why, for the logs; --dry-run needs no reason."
		return err
	case b.yes:
		return nil
	}
	return a.confirm(what, a.pool.Config().ConnConfig.Database)
}

// batches calls next with the size of a batch until next finds nothing more or limit things are found.
func batches[T any](limit, size int, next func(size int32, last *T) ([]T, error)) ([]T, error) {
	all := []T{}
	for {
		want := size
		if limit > 0 {
			want = min(size, limit-len(all))
		}
		if want == 0 {
			return all, nil
		}
		var last *T
		if len(all) > 0 {
			last = &all[len(all)-1]
		}
		batch, err := next(int32(want), last)
		if err != nil {
			return all, err
		}
		all = append(all, batch...)
		if len(batch) < want {
			return all, nil
		}
	}
}

// tally returns the number of rows with each outcome.
func tally[T any](rows []T, outcome func(T) string) map[string]int {
	counts := map[string]int{}
	for _, row := range rows {
		counts[outcome(row)]++
	}
	return counts
}

// saidTally returns a text with the number of each outcome, in the given order.
func saidTally(counts map[string]int, outcomes ...string) string {
	var parts []string
	for _, outcome := range outcomes {
		if counts[outcome] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[outcome], outcome))
		}
	}
	if len(parts) == 0 {
		return "none matched"
	}
	return strings.Join(parts, ", ")
}

// bulkReport is the JSON of a change of many things.
type bulkReport[T any] struct {
	Counts  map[string]int `json:"counts"`
	Changes []T            `json:"changes"`
}

// printBulk prints the first rows, and the number of rows with each outcome.
func printBulk[T any](
	a *app, rows []T, table *term.Table, outcome func(T) string, row func(T) []term.Cell, outcomes ...string,
) error {
	counts := tally(rows, outcome)
	return a.show(bulkReport[T]{counts, rows}, func() error {
		for _, r := range rows[:min(len(rows), bulkShown)] {
			table.Row(row(r)...)
		}
		if len(rows) > 0 {
			if err := table.Write(a.out); err != nil {
				return err
			}
		}
		if more := len(rows) - bulkShown; more > 0 {
			if err := a.out.Say("… %d more\n", more); err != nil {
				return err
			}
		}
		return a.out.Say("%s\n", saidTally(counts, outcomes...))
	})
}

func outcomeCell(outcome string) term.Cell {
	switch outcome {
	case "reset", "requeued", "erased", "cancelled", "retried":
		return term.Colored(outcome, term.Green)
	case "matched":
		return term.Text(outcome)
	}
	return term.Colored(outcome, term.Yellow)
}

// manyTasks has the filters of a reset of many tasks.
type manyTasks struct {
	bulk
	state, namespace, name, version, since, until string
	tags                                          []string
}

var manyTaskFlags = []string{"state", "namespace", "name", "version", "tag", "since", "until"}

func (m *manyTasks) flags(a *app, command *cobra.Command) {
	flags := command.Flags()
	flags.StringVarP(&m.state, "state", "s", string(state.TaskBlockedByFailures), "in this state: blocked_by_failures or error")
	flags.StringVarP(&m.namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&m.name, "name", "", "of templates of this name")
	flags.StringVar(&m.version, "version", "", "of templates of this version")
	flags.StringSliceVarP(&m.tags, "tag", "t", nil, "with this tag; given more than once, with all of them")
	flags.StringVar(&m.since, "since", "", "requested at this time or later: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&m.until, "until", "", "requested before this time")
	m.bulk.flags(command, "tasks")
	a.completeFlag(command, "namespace", a.namespaces)
}

// given returns a flag of the command line that is allowed only for many tasks, or "".
func (m *manyTasks) given(command *cobra.Command) string {
	return given(command, append([]string{"limit", "dry-run", "yes"}, manyTaskFlags...)...)
}

// resetMany resets all tasks that match.
func (a *app) resetMany(ctx context.Context, command *cobra.Command, m *manyTasks, b because) error {
	if given(command, manyTaskFlags...) == "" {
		err := usage(command, "%s lacks TASK, or a filter", command.CommandPath())
		err.Hint = "For example --state blocked_by_failures --dry-run, which shows the tasks that it would reset."
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	params := sqlfn.ResetTasksParams{
		Reason: b.reason, Actor: b.actor, State: m.state, Namespace: m.namespace,
		Name: m.name, Version: m.version, Tags: m.tags, DryRun: true,
	}
	if params.RequestedAfter, err = parseTime("since", m.since, now, -1); err != nil {
		return err
	}
	if params.RequestedBefore, err = parseTime("until", m.until, now, -1); err != nil {
		return err
	}
	found, err := batches(m.limit, bulkFound, resetting(ctx, e, params))
	if err != nil {
		return err
	}
	if err := a.begin(command, &m.bulk, b.reason, "reason", len(found), fmt.Sprintf("%s are reset", count(len(found), "task"))); err != nil {
		return err
	}
	if !m.dryRun && len(found) > 0 {
		params.DryRun = false
		if found, err = batches(m.limit, bulkBatch, resetting(ctx, e, params)); err != nil {
			return err
		}
	}
	return a.printResets(found, now)
}

// resetting returns a function that resets the next batch of tasks.
func resetting(
	ctx context.Context, e *executor.SqlFunctionExecutor, params sqlfn.ResetTasksParams,
) func(size int32, last *gen.TaskReset) ([]gen.TaskReset, error) {
	return func(size int32, last *gen.TaskReset) ([]gen.TaskReset, error) {
		params.Limit = size
		if last != nil {
			params.After = last.TaskUUID
		}
		return e.ResetTasks(ctx, params)
	}
}

func (a *app) printResets(found []gen.TaskReset, now time.Time) error {
	table := term.NewTable("TASK", "TEMPLATE", "STATE", "FAILED", "AGE", "OUTCOME").Yield("STATE", "AGE")
	return printBulk(a, found, table, func(r gen.TaskReset) string { return r.Outcome }, func(r gen.TaskReset) []term.Cell {
		return []term.Cell{
			a.taskID(r.TaskUUID), term.Text(r.Namespace + "/" + r.Name + "@" + r.Version),
			term.Colored(string(r.State), taskColor(r.State)).Uncut(), failed(r.FailedSteps),
			term.Text(span(now.Sub(r.RequestedAt))), outcomeCell(r.Outcome),
		}
	}, "matched", "reset", "locked", "moved", "duplicate")
}

// manyEntries has the filters of a requeue of many investigations.
type manyEntries struct {
	bulk
	reason, namespace string
	all               bool
}

func (m *manyEntries) flags(a *app, command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&m.reason, "for", "", "for this reason: staleness_timeout, max_retries_exceeded, dependency_cycle_detected, worker_unavailable or manual_dlq")
	flags.StringVarP(&m.namespace, "namespace", "n", "", "of this namespace")
	flags.BoolVar(&m.all, "all", false, "requeue all open investigations")
	m.bulk.flags(command, "entries")
	a.completeFlag(command, "namespace", a.namespaces)
}

func (m *manyEntries) given(command *cobra.Command) string {
	return given(command, "for", "namespace", "all", "limit", "dry-run", "yes")
}

// requeueMany requeues all open investigations that match.
func (a *app) requeueMany(ctx context.Context, command *cobra.Command, m *manyEntries) error {
	if given(command, "for", "namespace", "all") == "" {
		err := usage(command, "%s lacks ENTRY, or a filter", command.CommandPath())
		err.Hint = "For example --for worker_unavailable --dry-run, or --all."
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	notes, err := command.Flags().GetString("notes")
	if err != nil {
		return err
	}
	params := sqlfn.RequeueDLQEntriesParams{Notes: notes, Reason: m.reason, Namespace: m.namespace, DryRun: true}
	found, err := batches(m.limit, bulkFound, requeueing(ctx, e, params, a.act))
	if err != nil {
		return err
	}
	if err := a.begin(command, &m.bulk, notes, "notes", len(found), fmt.Sprintf("%d investigations end, and their tasks run again", len(found))); err != nil {
		return err
	}
	if !m.dryRun && len(found) > 0 {
		params.DryRun = false
		if found, err = batches(m.limit, bulkBatch, requeueing(ctx, e, params, a.act)); err != nil {
			return err
		}
	}
	return a.printRequeues(found, now)
}

// requeueing returns a function that requeues the next batch of investigations.
func requeueing(
	ctx context.Context, e *executor.SqlFunctionExecutor, params sqlfn.RequeueDLQEntriesParams, by executor.By,
) func(size int32, last *gen.DLQRequeue) ([]gen.DLQRequeue, error) {
	return func(size int32, last *gen.DLQRequeue) ([]gen.DLQRequeue, error) {
		params.Limit = size
		if last != nil {
			after := uuid.UUID(last.DLQEntryUUID)
			params.After = after
		}
		return e.RequeueDLQEntries(ctx, params, by)
	}
}

func (a *app) printRequeues(found []gen.DLQRequeue, now time.Time) error {
	table := term.NewTable("ENTRY", "TASK", "TEMPLATE", "REASON", "TASK IS", "FOR", "OUTCOME").Yield("TASK IS", "FOR", "REASON")
	return printBulk(a, found, table, func(r gen.DLQRequeue) string { return r.Outcome }, func(r gen.DLQRequeue) []term.Cell {
		is := "dropped"
		if r.CurrentState != nil {
			is = string(*r.CurrentState)
		}
		return []term.Cell{
			a.id(r.DLQEntryUUID), a.taskID(r.TaskUUID), term.Text(join("/", text(r.Namespace), text(r.Name)) + "@" + text(r.Version)),
			term.Text(r.DLQReason), term.Text(is).Uncut(), term.Text(span(now.Sub(r.DLQTimestamp))), outcomeCell(r.Outcome),
		}
	}, "matched", "requeued", "locked", "ended", "closed", "duplicate")
}
