package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) taskLog() *cobra.Command {
	var (
		options executor.StreamOptions
		stream  string
	)
	command := a.leaf(cobra.Command{
		Use:   "log STEP|TASK [NAME]",
		Short: "Show the log of a step, or another stream",
		Long: `Show the log of a step with the numbers of its attempts, or another stream of the step. Given a task, the
command shows the log of its only step with a log. If several steps have a log, name the step. --follow shows further lines
until the step has ended.`,
		Example: "  tasker task log 5b1d2c3a charge --follow\n  tasker task log 5b1d2c3a.2 --search declined",
	}, "an array of tasker.stream_entries: read_stream(); with --follow one object a line", func(ctx context.Context, args []string) error {
		step, err := a.findWriter(ctx, args, stream)
		if err != nil {
			return err
		}
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		entries := []gen.StreamEntry{}
		for entry, err := range executor.NewClient(pool).Tasks().ReadStream(ctx, step, stream, options) {
			switch {
			case err != nil && ctx.Err() != nil && options.Follow:
				return nil // An interrupt is the normal end of --follow.
			case err != nil:
				return err
			case a.json && options.Follow:
				err = writeJSON(a.Out, entry, "")
			case a.json:
				entries = append(entries, entry)
			default:
				err = a.out.Say("%s\n", a.lineOf(entry))
			}
			if err != nil {
				return err
			}
		}
		if a.json && !options.Follow {
			return writeJSON(a.Out, entries, "  ")
		}
		return nil
	})
	command.Flags().BoolVarP(&options.Follow, "follow", "f", false, "show further lines until the step has ended")
	command.Flags().StringVar(&stream, "stream", "log", "the name of the stream")
	command.Flags().StringVar(&options.Search, "search", "", "only lines that contain this text, in upper or lower case")
	command.Flags().Int64Var(&options.After, "after", 0, "only lines after this number")
	return command
}

// findWriter returns the step that the arguments name. If they name only a task, it returns the task's only step with the stream.
func (a *app) findWriter(ctx context.Context, args []string, stream string) (uuid.UUID, error) {
	if _, _, short := splitStep(args[0]); short || len(args) == 2 {
		step, err := a.findStepBy(ctx, args, true)
		return step.WorkflowStepUUID, err
	}
	id, err := a.findTaskBy(ctx, "TASK", args[0], true)
	if err != nil {
		return uuid.Nil, err
	}
	pool, err := a.connect(ctx)
	if err != nil {
		return uuid.Nil, err
	}
	var found []gen.StreamDetail
	for detail, err := range executor.NewClient(pool).Tasks().Streams(ctx, id) {
		if err != nil {
			return uuid.Nil, err
		}
		if detail.Name == stream && detail.Value == nil {
			found = append(found, detail)
		}
	}
	switch len(found) {
	case 0:
		return uuid.Nil, &problem{
			Exit: exitNotFound, Message: fmt.Sprintf("no step of task %s has a stream %q", shortID(id), stream),
			Hint: "Name the step to wait for its first line with --follow.",
		}
	case 1:
		return found[0].StepUUID, nil
	}
	return uuid.Nil, &problem{
		Exit: exitUsage, Message: fmt.Sprintf("%s of task %s have a stream %q", count(len(found), "step"), shortID(id), stream),
		Hint: "Name one, such as tasker task log " + shortID(id) + " " + found[0].StepName + ".",
	}
}

// lineOf returns an item as a line: an item of a log with its time, level, message and attributes, any other item as JSON.
func (a *app) lineOf(entry gen.StreamEntry) string {
	var fields map[string]json.RawMessage
	var msg string
	if json.Unmarshal(entry.Item, &fields) != nil || json.Unmarshal(fields["msg"], &msg) != nil {
		return term.Clean(fmt.Sprintf("%d %s", entry.ItemNo, entry.Item))
	}
	var level string
	_ = json.Unmarshal(fields["level"], &level)
	at := entry.WrittenAt
	_ = json.Unmarshal(fields["time"], &at)
	parts := []string{a.at(at), fmt.Sprintf("#%d", entry.Attempt), level, msg}
	for _, key := range []string{"time", "level", "msg"} {
		delete(fields, key)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, key+"="+string(fields[key]))
	}
	return term.Clean(strings.Join(parts, " "))
}
