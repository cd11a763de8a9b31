package cli

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) selectionCommands() *cobra.Command {
	return a.group("selection", "Selections: stored sets of tasks, steps or dead letters, for mass actions", "docs/howto/mass-actions.md tells how they behave.",
		a.selectionCreate(), a.selectionShow(), a.selectionEntries())
}

// shownEntries is how many entries of a selection are shown before a mass action.
const shownEntries = 5

func parseSelection(text string) (uuid.UUID, error) {
	return parseUUIDFrom("SELECTION", text, "tasker selection create prints it, and tasker mass list.")
}

// selectionFilters has the filters of a selection, under the names of their flags.
type selectionFilters struct {
	namespace, name, version, state, since, until, correlation, incident, reason string
	tags                                                                         []string
}

func (f *selectionFilters) flags(a *app, command *cobra.Command) {
	flags := command.Flags()
	flags.StringVarP(&f.namespace, "namespace", "n", "", "tasks or dead letters of this namespace")
	flags.StringVar(&f.name, "name", "", "tasks from templates of this name")
	flags.StringVar(&f.version, "version", "", "tasks from templates of this version")
	flags.StringVarP(&f.state, "state", "s", "", "tasks in this state")
	flags.StringSliceVarP(&f.tags, "tag", "t", nil, "tasks with this tag; given more than once, with all of them")
	flags.StringVar(&f.since, "since", "", "tasks requested at this time or later: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&f.until, "until", "", "tasks requested before this time")
	flags.StringVar(&f.correlation, "correlation", "", "tasks of this correlation")
	flags.StringVar(&f.incident, "incident", "", "steps that are in state error because of the cause of this incident")
	flags.StringVar(&f.reason, "for", "", "dead letters opened for this reason")
	a.completeFlag(command, "namespace", a.namespaces)
	a.completeFlag(command, "incident", a.incidents)
}

// filters returns the filters as the object that tasker.create_selection takes, or null if no filter is given.
func (f *selectionFilters) filters(now time.Time) (json.RawMessage, error) {
	object := map[string]any{}
	for name, text := range map[string]string{
		"namespace": f.namespace, "name": f.name, "version": f.version, "state": f.state, "correlation_id": f.correlation,
		"incident": f.incident, "reason": f.reason,
	} {
		if text != "" {
			object[name] = text
		}
	}
	for name, text := range map[string]string{"requested_after": f.since, "requested_before": f.until} {
		at, err := parseTime(map[string]string{"requested_after": "since", "requested_before": "until"}[name], text, now, -1)
		if err != nil {
			return nil, err
		}
		if !at.IsZero() {
			object[name] = at.UTC().Format(time.RFC3339Nano)
		}
	}
	if len(f.tags) > 0 {
		object["tags"] = f.tags
	}
	if len(object) == 0 {
		return nil, nil
	}
	return json.Marshal(object)
}

// selected returns the UUIDs of the named entries.
func (a *app) selected(ctx context.Context, kind string, names []string) (ids []uuid.UUID, err error) {
	for _, name := range names {
		var id uuid.UUID
		switch kind {
		case "steps":
			var step executor.StepDetail
			step, err = a.findStep(ctx, []string{name})
			id = step.WorkflowStepUUID
		case "dead_letters":
			id, err = a.findEntry(ctx, "ENTRY", name)
		default:
			id, err = a.findTask(ctx, "TASK", name)
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (a *app) selectionCreate() *cobra.Command {
	var (
		f     selectionFilters
		limit int32
		actor string
	)
	command := a.leaf(cobra.Command{
		Use:   "create KIND [ENTRY...]",
		Short: "Store a set of tasks, steps or dead_letters: all that match, or the named ones",
		Long: `Store a set of tasks, steps or dead_letters: all that match every filter now, or the named ones. The set does
not change, whatever happens to its entries. tasker mass start acts on exactly these entries.`,
		Example: `  tasker selection create tasks --state blocked_by_failures --namespace shop
  tasker selection create steps --incident failing:3982418527767847255
  tasker selection create tasks 5b1d2c3a 9f00e1d2`,
		ValidArgs: []string{"tasks", "steps", "dead_letters"},
	}, "an object of tasker.selection_details: create_selection()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		params := sqlfn.CreateSelectionParams{Kind: args[0], Limit: limit, Actor: actor}
		if params.Filters, err = f.filters(now); err != nil {
			return err
		}
		if params.IDs, err = a.selected(ctx, args[0], args[1:]); err != nil {
			return err
		}
		s, err := e.CreateSelection(ctx, params)
		if err != nil {
			return err
		}
		return a.showSelection(ctx, e, s, now)
	})
	f.flags(a, command)
	command.Flags().Int32VarP(&limit, "limit", "l", 10000, "how many entries at most")
	command.Flags().StringVar(&actor, "actor", "", "who, for the record (default the database role)")
	return command
}

// showSelection prints the description of a selection and its first entries.
func (a *app) showSelection(ctx context.Context, e *executor.SqlFunctionExecutor, s gen.SelectionDetail, now time.Time) error {
	return a.show(s, func() error { return a.printSelection(ctx, e, s, now) })
}

func (a *app) printSelection(ctx context.Context, e *executor.SqlFunctionExecutor, s gen.SelectionDetail, now time.Time) error {
	more := ""
	if s.More {
		more = "more match; a selection holds 10,000 at most"
	}
	if err := term.Fields(a.out,
		"selection", s.SelectionUUID.String(), "has", s.Words, "not in it", more, "namespaces", strings.Join(s.Namespaces, ", "),
		"made", a.when(&s.CreatedAt, now)+" by "+s.CreatedBy, "mass action", text(s.Action),
	); err != nil {
		return err
	}
	first, err := e.ListSelectionEntries(ctx, sqlfn.ListSelectionEntriesParams{SelectionUUID: s.SelectionUUID, Limit: shownEntries})
	if err != nil || len(first) == 0 {
		return err
	}
	if err := a.out.Say("\n"); err != nil {
		return err
	}
	if err := a.entryTable(first).Write(a.out); err != nil {
		return err
	}
	if rest := int(s.Entries) - len(first); rest > 0 {
		return a.out.Say("… %d more\n", rest)
	}
	return nil
}

func (a *app) entryTable(entries []gen.SelectionEntryDetail) *term.Table {
	table := term.NewTable("NO", "TASK", "TEMPLATE", "STEP", "IS", "OUTCOME", "NOTE").Yield("NOTE", "TEMPLATE")
	for _, n := range entries {
		table.Row(a.entryCells(n)...)
	}
	return table
}

func (a *app) entryCells(n gen.SelectionEntryDetail) []term.Cell {
	template := ""
	if n.TaskName != nil {
		template = text(n.Namespace) + "/" + text(n.TaskName) + "@" + text(n.TaskVersion)
	}
	note := text(n.Note)
	if n.ResultUUID != nil {
		note = join(": ", "forked to "+n.ResultUUID.String(), note)
	}
	outcome := term.Text(n.State)
	switch n.State {
	case "failed":
		outcome = term.Colored(n.State, term.Red)
	case "skipped":
		outcome = term.Colored(n.State, term.Yellow)
	case "passed":
		outcome = term.Colored(n.State, term.Green)
	}
	return []term.Cell{
		term.Number(n.EntryNo), a.taskID(n.TaskUUID), term.Text(template), term.Text(text(n.StepName)), term.Text(text(n.CurrentState)), outcome, term.Text(note),
	}
}

func (a *app) selectionShow() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "show SELECTION",
		Short: "Show a selection: its description, its number of entries, and its first entries",
	}, "an object of tasker.selection_details: get_selection()", func(ctx context.Context, args []string) error {
		id, err := parseSelection(args[0])
		if err != nil {
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
		s, err := e.GetSelection(ctx, id)
		if err != nil {
			return err
		}
		return a.showSelection(ctx, e, s, now)
	})
}

func (a *app) selectionEntries() *cobra.Command {
	var params sqlfn.ListSelectionEntriesParams
	command := a.leaf(cobra.Command{
		Use:   "entries SELECTION",
		Short: "List the entries of a selection, and what the mass action did to each",
	}, "an array of tasker.selection_entry_details: list_selection_entries()", func(ctx context.Context, args []string) error {
		var err error
		if params.SelectionUUID, err = parseSelection(args[0]); err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		entries, err := e.ListSelectionEntries(ctx, params)
		if err != nil {
			return err
		}
		return list(a, entries, "no entry matches", a.entryTable(nil), a.entryCells)
	})
	flags := command.Flags()
	flags.StringVarP(&params.State, "state", "s", "", "entries with this outcome of the mass action: waits, open, passed, failed or skipped")
	flags.Int32Var(&params.After, "after", 0, "after this entry, the last entry of the preceding page")
	flags.Int32VarP(&params.Limit, "limit", "l", 100, "how many at most")
	return command
}
