package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// exportFilter says which tasks are exported, and how. A command continues an export only if its filter is the same.
type exportFilter struct {
	Namespace   string     `json:"namespace,omitempty"`
	Name        string     `json:"name,omitempty"`
	Version     string     `json:"template_version,omitempty"`
	State       string     `json:"state,omitempty"`
	Tags        []string   `json:"tags,omitempty"`
	Correlation *uuid.UUID `json:"correlation_id,omitempty"`
	Since       string     `json:"since,omitempty"`
	Until       string     `json:"until,omitempty"`
	Children    bool       `json:"children,omitempty"`
	Payloads    bool       `json:"payloads"`
	Blank       []string   `json:"blank,omitempty"`
}

// exportState is the content of the file export.json, with the progress of an export.
type exportState struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Filter  exportFilter `json:"filter"`
	// After and Before are the absolute times of the filter, computed when the export began.
	After  *time.Time `json:"requested_after,omitempty"`
	Before *time.Time `json:"requested_before,omitempty"`
	// Cursor is the last listed task that was exported. The next task is older.
	Cursor *uuid.UUID `json:"cursor,omitempty"`
	// Part is the number of the current part. PartTasks and PartBytes count its complete tasks and bytes.
	Part      int   `json:"part"`
	PartTasks int   `json:"part_tasks"`
	PartBytes int64 `json:"part_bytes"`
	// Tasks is the number of documents in all parts. Gone is the number of tasks that retention dropped meanwhile.
	Tasks    int         `json:"tasks"`
	Gone     int         `json:"gone,omitempty"`
	TooLarge []uuid.UUID `json:"too_large,omitempty"`
	Done     bool        `json:"done"`
}

const (
	exportStateFile = "export.json"
	// partTasks is how many documents a part has.
	partTasks = 1000
	// exportPage is how many tasks are listed at once. After each page the state is written.
	exportPage = 100
	// mostTooLarge bounds how many tasks the state names as too large.
	mostTooLarge = 1000
	progressPace = 2 * time.Second
)

func (a *app) taskExport() *cobra.Command {
	var (
		filter          exportFilter
		folder          string
		withoutPayloads bool
		correlation     string
	)
	command := a.leaf(cobra.Command{
		Use:   "export [TASK]",
		Short: "Export a task, or all tasks that match every filter, as JSON documents",
		Long: `Export a task as one JSON document: its template, context, steps, results, attempts, errors, kept calls, signals, events and
times. docs/task-export.schema.json describes it; docs/howto/replay.md shows what to do with it.

With a task, the document is printed. With --out DIR, all tasks that match every filter are written, newest first, into the
files DIR/tasks-000001.ndjson and so on, a document on each line, 1,000 in a file. DIR/export.json has the progress of the
export. You can interrupt the export at any time, and the same command continues it. Tasks that are created meanwhile are not
exported.

--children adds the tasks that steps started, each after its parent task. A child that itself matches the filters is written
twice.`,
		Example: `  tasker task export 5b1d2c3a > testdata/replay/order.json
  tasker task export --out failed -n shop --state blocked_by_failures --since 24h
  tasker task export --out all --children --blank '$.**.email' --blank '$.cards[*].number'`,
	}, "an object: the document (export_task()); with --out what export.json says", func(ctx context.Context, args []string) error {
		filter.Payloads = !withoutPayloads
		if correlation != "" {
			id, err := parseUUID("--correlation", correlation)
			if err != nil {
				return err
			}
			filter.Correlation = &id
		}
		switch {
		case len(args) == 0 && folder == "":
			return &problem{Exit: exitUsage, Message: "name a task, or a folder with --out for all that match"}
		case len(args) == 0:
			return a.exportTasks(ctx, filter, folder)
		case !reflect.DeepEqual(filter, exportFilter{Children: filter.Children, Payloads: filter.Payloads, Blank: filter.Blank}) || folder != "":
			return &problem{Exit: exitUsage, Message: "a task goes with --children, --without-payloads and --blank only"}
		}
		return a.exportOne(ctx, args[0], filter)
	})
	flags := command.Flags()
	flags.StringVarP(&folder, "out", "o", "", "the folder for all tasks that match")
	flags.StringVarP(&filter.Namespace, "namespace", "n", "", "of this namespace")
	flags.StringVar(&filter.Name, "name", "", "of templates of this name")
	flags.StringVar(&filter.Version, "version", "", "of templates of this version")
	flags.StringVarP(&filter.State, "state", "s", "", "in this state")
	flags.StringSliceVarP(&filter.Tags, "tag", "t", nil, "with this tag; given more than once, with all of them")
	flags.StringVar(&correlation, "correlation", "", "with this correlation id")
	flags.StringVar(&filter.Since, "since", "", "requested at this time or later: 2h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&filter.Until, "until", "", "requested before this time")
	flags.BoolVar(&filter.Children, "children", false, "with the tasks that steps started")
	flags.BoolVar(&withoutPayloads, "without-payloads", false, "leave out contexts, inputs, results and the texts of errors")
	flags.StringArrayVar(&filter.Blank, "blank", nil, "write null in place of the values of this jsonpath, such as $.**.email; may be given more than once")
	a.completeFlag(command, "namespace", a.namespaces)
	_ = command.RegisterFlagCompletionFunc("state", taskStates)
	return command
}

// exportOne prints the document of a task, and with --children the documents of the tasks below it, one on each line.
func (a *app) exportOne(ctx context.Context, argument string, filter exportFilter) error {
	id, err := a.findTaskBy(ctx, "TASK", argument, true)
	if err != nil {
		return err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	if !filter.Children {
		document, err := e.ExportTask(ctx, id, filter.Payloads, filter.Blank)
		if err != nil {
			return err
		}
		return writeJSON(a.Out, document, "  ")
	}
	return exportFamily(ctx, e, id, filter, func(document json.RawMessage) error {
		_, err := fmt.Fprintf(a.Out, "%s\n", document)
		return err
	})
}

// exportFamily exports a task and, if the filter says so, the tasks below it.
func exportFamily(ctx context.Context, e *executor.SqlFunctionExecutor, id uuid.UUID, filter exportFilter, write func(json.RawMessage) error) error {
	document, err := e.ExportTask(ctx, id, filter.Payloads, filter.Blank)
	if err != nil {
		return err
	}
	if err := write(document); err != nil || !filter.Children {
		return err
	}
	family, err := e.GetTaskTree(ctx, id, 100_000)
	if err != nil {
		return err
	}
	for _, child := range family {
		if child.Level == 0 || child.State == nil {
			continue // retention has dropped it
		}
		document, err := e.ExportTask(ctx, child.TaskUUID, filter.Payloads, filter.Blank)
		if errors.Is(err, executor.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := write(document); err != nil {
			return err
		}
	}
	return nil
}

// export is an export into a folder.
type export struct {
	a      *app
	e      *executor.SqlFunctionExecutor
	folder string
	state  exportState
	file   *os.File
	out    *bufio.Writer
	said   time.Time
}

func (a *app) exportTasks(ctx context.Context, filter exportFilter, folder string) error {
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	x := &export{a: a, e: e, folder: folder}
	if err := x.begin(ctx, filter); err != nil {
		return err
	}
	err = x.run(ctx)
	if x.file != nil {
		err = errors.Join(err, x.file.Close())
	}
	switch {
	case ctx.Err() != nil:
		_ = a.errs.Say("interrupted after %s; the same command goes on\n", count(x.state.Tasks, "task"))
		return err
	case err != nil:
		return err
	}
	if len(x.state.TooLarge) > 0 {
		_ = a.errs.Say("%s too large for a document: %s\n", count(len(x.state.TooLarge), "task"), x.state.TooLarge[0])
	}
	return a.show(x.state, func() error {
		return a.out.Say("exported %s in %s\n", count(x.state.Tasks, "task"), folder)
	})
}

// begin reads the state of the export, or begins the export.
func (x *export) begin(ctx context.Context, filter exportFilter) error {
	if err := os.MkdirAll(x.folder, 0o755); err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(x.folder, exportStateFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		now, err := x.e.Clock(ctx)
		if err != nil {
			return err
		}
		x.state = exportState{Format: "pgtasker.export", Version: 1, Filter: filter, Part: 1}
		for _, bound := range []struct {
			flag, text string
			at         **time.Time
		}{{"since", filter.Since, &x.state.After}, {"until", filter.Until, &x.state.Before}} {
			at, err := parseTime(bound.flag, bound.text, now, -1)
			if err != nil {
				return err
			}
			if !at.IsZero() {
				*bound.at = &at
			}
		}
		return x.save()
	case err != nil:
		return err
	}
	if err := json.Unmarshal(raw, &x.state); err != nil || x.state.Format != "pgtasker.export" {
		return &problem{Exit: exitInvalid, Message: x.folder + " has an export.json that is not an export's", Hint: "Name another folder."}
	}
	var before, after bytes.Buffer
	_ = json.NewEncoder(&before).Encode(x.state.Filter)
	_ = json.NewEncoder(&after).Encode(filter)
	if before.String() != after.String() {
		return &problem{Exit: exitInvalid, Message: x.folder + " has an export with other filters", Hint: "Name another folder, or the same filters."}
	}
	return nil
}

// save replaces the file of the state atomically.
func (x *export) save() error {
	raw, err := json.MarshalIndent(x.state, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(x.folder, exportStateFile)
	if err := os.WriteFile(name+".new", append(raw, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// run exports page after page. It writes the documents of a page to their file, and then the state. So the next run can cut off
// the output of an interrupted page.
func (x *export) run(ctx context.Context) error {
	for !x.state.Done {
		params := sqlfn.ListTasksParams{
			Namespace: x.state.Filter.Namespace, Name: x.state.Filter.Name, Version: x.state.Filter.Version, State: x.state.Filter.State,
			Tags: x.state.Filter.Tags, Limit: exportPage,
		}
		if x.state.Filter.Correlation != nil {
			params.CorrelationID = *x.state.Filter.Correlation
		}
		if x.state.After != nil {
			params.RequestedAfter = *x.state.After
		}
		if x.state.Before != nil {
			params.RequestedBefore = *x.state.Before
		}
		if x.state.Cursor != nil {
			params.Before = *x.state.Cursor
		}
		tasks, err := x.e.ListTasks(ctx, params)
		if err != nil {
			return err
		}
		for _, task := range tasks {
			if err := x.one(ctx, task.TaskUUID); err != nil {
				return err
			}
			x.progress(task)
		}
		if x.out != nil {
			if err := errors.Join(x.out.Flush(), x.file.Sync()); err != nil {
				return err
			}
		}
		x.state.Done = len(tasks) < exportPage
		if len(tasks) > 0 {
			x.state.Cursor = &tasks[len(tasks)-1].TaskUUID
		}
		if err := x.save(); err != nil {
			return err
		}
	}
	return nil
}

func (x *export) one(ctx context.Context, id uuid.UUID) error {
	err := exportFamily(ctx, x.e, id, x.state.Filter, x.write)
	switch {
	case errors.Is(err, executor.ErrNotFound):
		x.state.Gone++
		return nil
	case errors.Is(err, executor.ErrTooLarge):
		if len(x.state.TooLarge) < mostTooLarge {
			x.state.TooLarge = append(x.state.TooLarge, id)
		}
		return nil
	}
	return err
}

// write adds a document to the current part, and begins the next part if the current part is full.
func (x *export) write(document json.RawMessage) error {
	if x.state.PartTasks >= partTasks {
		if x.file != nil {
			if err := errors.Join(x.out.Flush(), x.file.Sync(), x.file.Close()); err != nil {
				return err
			}
			x.file = nil
		}
		x.state.Part++
		x.state.PartTasks, x.state.PartBytes = 0, 0
	}
	if x.file == nil {
		file, err := os.OpenFile(filepath.Join(x.folder, fmt.Sprintf("tasks-%06d.ndjson", x.state.Part)), os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		x.file = file
		if err := file.Truncate(x.state.PartBytes); err != nil {
			return err
		}
		if _, err := file.Seek(x.state.PartBytes, 0); err != nil {
			return err
		}
		x.out = bufio.NewWriter(file)
	}
	n, err := x.out.Write(append(document, '\n'))
	x.state.PartBytes += int64(n)
	x.state.PartTasks++
	x.state.Tasks++
	return err
}

// progress reports the progress of the export from time to time.
func (x *export) progress(last executor.TaskDetail) {
	if now := time.Now(); now.Sub(x.said) >= progressPace {
		x.said = now
		_ = x.a.errs.Say("%s, back to %s\n", count(x.state.Tasks, "task"), x.a.at(last.RequestedAt))
	}
}
