package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/nearest"
)

// checkArguments checks the number of a command's arguments against its usage line. NAME is required, [NAME] is optional, and
// NAME... can be repeated.
func checkArguments(command *cobra.Command, args []string) error {
	words := strings.Fields(command.Use)[1:]
	least, most := 0, 0
	for _, word := range words {
		most++
		if !strings.HasPrefix(word, "[") {
			least++
		}
		if strings.Contains(word, "...") {
			most = 1 << 30
		}
	}
	switch {
	case len(args) >= least && len(args) <= most:
		return nil
	case most == 0:
		return usage(command, "%s takes no arguments, not %q", command.CommandPath(), strings.Join(args, " "))
	case len(args) < least:
		return usage(command, "%s lacks %s", command.CommandPath(), strings.Join(words[len(args):least], " "))
	}
	return usage(command, "%s takes only %s, not also %q", command.CommandPath(), strings.Join(words, " "), args[most])
}

func parseUUID(what, text string) (uuid.UUID, error) {
	return parseUUIDFrom(what, text, "tasker task list and tasker task show print them.")
}

// parseUUIDFrom is parseUUID for a UUID from another command: hint names the command.
func parseUUIDFrom(what, text, hint string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return uuid.UUID{}, &problem{Exit: exitUsage, Message: what + " is a UUID, not " + quote(text), Hint: hint}
	}
	return id, nil
}

func quote(text string) string {
	const most = 100
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return `"` + text + `"`
}

// reference is a template's name as people write it: namespace/name, or namespace/name@version.
type reference struct {
	namespace, name string
	version         *string
}

func parseReference(text string) (reference, error) {
	path, version, versioned := strings.Cut(text, "@")
	namespace, name, ok := strings.Cut(path, "/")
	if !ok || namespace == "" || name == "" || versioned && version == "" {
		return reference{}, &problem{
			Exit:    exitUsage,
			Message: "a template is NAMESPACE/NAME or NAMESPACE/NAME@VERSION, not " + quote(text),
			Hint:    "tasker template list shows them.",
		}
	}
	r := reference{namespace: namespace, name: name}
	if versioned {
		r.version = &version
	}
	return r, nil
}

// parseTime reads a time in RFC 3339, or a span before now. If after is 1, the span is after now. For an empty text it returns
// the zero time.
func parseTime(flag, text string, now time.Time, after int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if span, err := time.ParseDuration(text); err == nil {
		return now.Add(time.Duration(after) * span), nil
	}
	return time.Time{}, &problem{
		Exit:    exitUsage,
		Message: "--" + flag + " is a time such as 2026-01-31T12:00:00Z, or a span such as 90m, not " + quote(text),
	}
}

// readText returns the text of an argument: the content of a file for @FILE, and standard input for "-".
func (a *app) readText(argument string) ([]byte, error) {
	if argument == "-" {
		return io.ReadAll(a.In)
	}
	if name, ok := strings.CutPrefix(argument, "@"); ok {
		return os.ReadFile(name)
	}
	return []byte(argument), nil
}

// optional returns a pointer to a value, and nil for the zero value, which means the default in SQL.
func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// findStep returns the step that the arguments name: by the step's id, or by a task and the step's name.
func (a *app) findStep(ctx context.Context, args []string) (executor.StepDetail, error) {
	return a.findStepBy(ctx, args, false)
}

// findStepBy is findStep. If reading is true, the task may be "latest".
func (a *app) findStepBy(ctx context.Context, args []string, reading bool) (executor.StepDetail, error) {
	what := "STEP"
	if len(args) == 2 {
		what = "TASK"
	}
	text, no, short := splitStep(args[0])
	if !short || len(args) == 2 {
		text = args[0]
	}
	id, err := a.findTaskBy(ctx, what, text, reading)
	if err != nil {
		return executor.StepDetail{}, err
	}
	e, err := a.executor(ctx)
	if err != nil {
		return executor.StepDetail{}, err
	}
	task := id
	if len(args) == 1 {
		if task, err = e.TaskUUIDOf(ctx, id); err != nil {
			return executor.StepDetail{}, err
		}
		if task == id && !short {
			return executor.StepDetail{}, &problem{
				Exit: exitUsage, Message: quote(args[0]) + " is a task: its step is missing",
				Hint: "Name the step too, or put its number behind a dot: " + shortID(task) + ".1.",
			}
		}
	}
	steps, err := e.ListSteps(ctx, task)
	if err != nil {
		return executor.StepDetail{}, err
	}
	for _, step := range steps {
		switch {
		case len(args) == 2 && step.Name == args[1],
			len(args) == 1 && short && int(step.StepNo) == no,
			len(args) == 1 && step.WorkflowStepUUID == id:
			return step, nil
		}
	}
	p := &problem{Exit: exitNotFound, Message: "step " + args[0] + " does not exist", Hint: "tasker task show prints a task's steps."}
	if len(args) == 2 {
		p.Message = "task " + id.String() + " has no step " + quote(args[1])
		names, _ := pluck(steps, nil, func(s executor.StepDetail) string { return s.Name })
		if near := nearest.Name(args[1], names); near != "" {
			p.Hint = "Did you mean " + near + "?"
		}
	}
	return executor.StepDetail{}, p
}
