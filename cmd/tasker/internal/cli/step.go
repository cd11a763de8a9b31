package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/seal"
	"github.com/pgtasker/pgtasker/state"
)

func (a *app) stepCommands() *cobra.Command {
	return a.group("step", "Look at single steps, and intervene", `STEP is a step's id: whole, or its task's short one, a dot and its number, such as 5b1d2c3a.2. Or name it by its
task and its name.

`+taskForms,
		a.stepShow(), a.stepExplain(), a.stepHistory(), a.stepRetry(), a.stepRerun(), a.stepResolve(), a.stepComplete())
}

func (a *app) stepShow() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:     "show STEP|TASK [NAME]",
		Short:   "Show a step: its state, attempts, error, inputs, results, and the kept results of its function",
		Example: "  tasker step show 5b1d2c3a.2\n  tasker step show 5b1d2c3a charge",
	}, "an object of tasker.step_details: list_steps()", func(ctx context.Context, args []string) error {
		step, err := a.findStepBy(ctx, args, true)
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
		return a.show(step, func() error {
			if err := a.printStep(step, nameOf(ctx, e, step.WorkerUUID), now); err != nil {
				return err
			}
			return a.printFunction(ctx, e, step)
		})
	})
}

// nameOf returns the name of a worker in brackets, or "" if the worker has no name or the role may not list workers.
func nameOf(ctx context.Context, e *executor.SqlFunctionExecutor, worker *uuid.UUID) string {
	if worker == nil {
		return ""
	}
	workers, err := e.ListWorkers(ctx, 0)
	if err != nil {
		return ""
	}
	for _, w := range workers {
		if w.WorkerUUID == *worker && w.Name != "" && w.Name != worker.String() {
			return "(" + join(" ", w.Name, text(w.Version)) + ")"
		}
	}
	return ""
}

// printStep prints a step and the name of its worker, if it has one.
func (a *app) printStep(s executor.StepDetail, workerOf string, now time.Time) error {
	retryable := ""
	if !s.Retryable {
		retryable = ", not to be retried"
	}
	lost, worker, priority := "", "", ""
	if s.LostCount > 0 {
		lost = count(int(s.LostCount), "time")
	}
	if s.WorkerUUID != nil {
		worker = join(" ", s.WorkerUUID.String(), workerOf)
	}
	if s.Priority != 0 {
		priority = fmt.Sprint(s.Priority)
	}
	parents := ""
	if s.TotalParents > 0 {
		parents = fmt.Sprintf("%d of %d settled, %d satisfied, join %s",
			s.TotalParents-s.PendingParents, s.TotalParents, s.SatisfiedParents, s.JoinMode)
	}
	err := term.Fields(a.out,
		"step", s.WorkflowStepUUID.String(),
		"name", s.Name,
		"task", s.TaskUUID.String(),
		"number", fmt.Sprint(s.StepNo),
		"handler", s.Handler,
		"state", string(s.State),
		"parents", parents,
		"attempts", fmt.Sprintf("%d of %d%s", s.Attempts, s.MaxAttempts, retryable),
		"workers lost", lost,
		"priority", priority,
		"worker", worker,
		"lease until", a.when(s.LeaseUntil, now),
		"created", a.when(&s.CreatedAt, now),
		"last attempt", a.when(s.LastAttemptedAt, now),
		"last failure", a.when(s.LastFailureAt, now),
		"next attempt", a.when(s.NextRetryAt, now),
		"processed", a.when(s.ProcessedAt, now),
	)
	if err != nil {
		return err
	}
	for _, block := range []struct{ title, body string }{
		{"error", text(s.LastError)},
		{"inputs", indented(s.Inputs)},
		{"checkpoint", indented(s.Checkpoint)},
		{"results", indented(s.Results)},
	} {
		if block.body == "" {
			continue
		}
		write := a.out.Printf // Print JSON unchanged. An error is wrapped between words.
		if block.title == "error" {
			write = a.out.Say
		}
		if err := write("\n%s\n%s\n", a.out.Paint(block.title, term.Dim), term.CleanLines(block.body)); err != nil {
			return err
		}
	}
	return nil
}

// keptShown is how many kept results are shown.
const keptShown = 100

// printFunction shows the wait of a step and the kept results of its function.
func (a *app) printFunction(ctx context.Context, e *executor.SqlFunctionExecutor, step executor.StepDetail) error {
	if step.State == state.StepSuspended {
		why, err := e.ExplainStep(ctx, step.WorkflowStepUUID)
		if err != nil {
			return err
		}
		if err := a.out.Say("\n%s\n", term.Clean(inOwnWords(why.Summary))); err != nil {
			return err
		}
	}
	kept, err := e.GetKeptResults(ctx, step.WorkflowStepUUID, 0, keptShown+1)
	if err != nil || len(kept) == 0 {
		return err
	}
	more := ""
	if len(kept) > keptShown {
		kept, more = kept[:keptShown], "\n…"
	}
	lines := make([]string, len(kept))
	for i, k := range kept {
		value := compact(k.Value)
		if k.Error != nil {
			value = "error: " + text(k.Error)
		}
		lines[i] = strings.TrimRight(fmt.Sprintf("%d  %s  %s", k.Position, k.Name, value), " ")
	}
	return a.out.Printf("\n%s\n%s%s\n", a.out.Paint("kept", term.Dim), term.CleanLines(strings.Join(lines, "\n")), more)
}

// indented returns indented JSON, or "" for an empty object.
func indented(raw json.RawMessage) string {
	if compact(raw) == "" {
		return ""
	}
	if sealed := seal.Shown(raw, keyShows); sealed != "" {
		return sealed
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return string(raw)
	}
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(raw)
	}
	return string(text)
}

func (a *app) stepExplain() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:     "explain STEP|TASK [NAME]",
		Short:   "Explain why a step is not running",
		Example: "  tasker step explain 5b1d2c3a ship",
	}, "an object of tasker.step_explanations: explain_step()", func(ctx context.Context, args []string) error {
		step, err := a.findStepBy(ctx, args, true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		why, err := e.ExplainStep(ctx, step.WorkflowStepUUID)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(why, func() error { return a.printExplanation(why, now) })
	})
}

// related is a step that an explanation names.
type related struct {
	Name      string  `json:"name"`
	State     string  `json:"state"`
	Condition *string `json:"condition"`
	Distance  int     `json:"distance"`
	Error     *string `json:"error"`
}

func (a *app) printExplanation(why gen.StepExplanation, now time.Time) error {
	if err := a.out.Say("%s\n\n", term.Clean(inOwnWords(why.Summary))); err != nil {
		return err
	}
	err := term.Fields(a.out,
		"step", why.Name,
		"state", string(why.CurrentState),
		"task", why.TaskUUID.String(),
		"its state", string(why.TaskState),
		"reason", text(why.BlockingReason),
		"due", a.when(why.DueAt, now),
		"attempts", fmt.Sprintf("%d of %d", why.Attempts, why.RetryLimit),
		"moved by", login(why.Login, why.Role),
		"last error", text(why.LastError),
	)
	if err != nil {
		return err
	}
	for _, group := range []struct {
		title string
		steps json.RawMessage
	}{
		{"waits for", why.WaitingFor}, {"not satisfied by", why.Unsatisfied}, {"blocked by", why.BlockedBy},
	} {
		var steps []related
		if err := json.Unmarshal(group.steps, &steps); err != nil {
			return fmt.Errorf("read the explanation that the database returned: %w", err)
		}
		if len(steps) == 0 {
			continue
		}
		table := term.NewTable("", "", "")
		for _, s := range steps {
			condition := ""
			if s.Condition != nil {
				condition = "when " + *s.Condition
			}
			table.Row(term.Text(s.Name), term.Text(s.State), term.Text(join(" ", condition, text(s.Error))))
		}
		if err := a.out.Say("\n%s\n", a.out.Paint(group.title, term.Dim)); err != nil {
			return err
		}
		if err := table.Write(a.out); err != nil {
			return err
		}
	}
	return nil
}
