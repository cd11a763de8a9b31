package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Options select the steps that are replayed, and the present templates. The zero value replays all steps.
type Options struct {
	// Steps are the names of the steps, or of the handlers, that are replayed. The others have their recorded results. Default: all.
	Steps []string
	// FunctionsOnly replays only steps whose handlers are durable functions. Default: all steps.
	FunctionsOnly bool
	// Templates are the present templates. An open task diverges if they lack one of its unsettled steps. Default: no template is
	// compared.
	Templates []*template.Template
	// Elsewhere are handlers that run in other programs or are done by people, as in worker.Config. Default: none.
	Elsewhere []string
}

// task is a task that is replayed.
type task struct {
	*Export
	worker  *worker.Worker
	options Options
	byNo    map[int32]*Step
	report  *Report
}

// Task replays an exported task with the handlers of w. An error says that the task cannot be replayed. A divergence is no
// error.
//
// Each step that has ended runs with its recorded inputs and at its recorded time, without a database. It gets the recorded results of
// earlier steps. A durable function gets the recorded results of its calls, and stops before a call that is not recorded. Other effects
// of a handler happen again. To avoid them, give the handler fakes, or choose Options.FunctionsOnly.
func Task(ctx context.Context, w *worker.Worker, e *Export, options Options) (Report, error) {
	t := &task{Export: e, worker: w, options: options, byNo: map[int32]*Step{}, report: &Report{}}
	for i := range e.Steps {
		t.byNo[e.Steps[i].StepNo] = &e.Steps[i]
	}
	slices.SortFunc(e.Steps, func(a, b Step) int { return cmp.Compare(a.StepNo, b.StepNo) })
	for i := range e.Steps {
		t.byNo[e.Steps[i].StepNo] = &e.Steps[i]
	}
	t.compareTemplate()
	for i := range e.Steps {
		if err := ctx.Err(); err != nil {
			return *t.report, err
		}
		outcome, err := t.replay(ctx, &e.Steps[i])
		if err != nil {
			return *t.report, fmt.Errorf("%s: step %q: %w", place(e.File, e.Line), e.Steps[i].Name, err)
		}
		t.report.Steps = append(t.report.Steps, outcome)
	}
	return *t.report, nil
}

// diverges reports a divergence, unless it was accepted.
func (t *task) diverges(s *Step, d Divergence) {
	d.File, d.Task, d.Step = place(t.File, t.Line), t.Task.TaskUUID.String(), s.Name
	d.Template = t.Template.Namespace + "/" + t.Template.Name + "@" + t.Template.Version
	if slices.Contains(t.Accepted, d.key()) {
		t.report.Accepted++
		return
	}
	t.report.Divergences = append(t.report.Divergences, d)
}

// compareTemplate reports the unsettled steps of an open task that no present template or handler has.
func (t *task) compareTemplate() {
	if t.Task.Complete {
		return
	}
	var present []*template.Template
	for _, one := range t.options.Templates {
		if one.Namespace == t.Template.Namespace && one.Name == t.Template.Name {
			present = append(present, one)
		}
	}
	knows := slices.ContainsFunc(t.Steps, func(s Step) bool { return inner.Of(t.worker).Handles(s.Handler) })
	for i := range t.Steps {
		s := &t.Steps[i]
		if settled(s.State) || s.MapNo != nil || s.UndoNo != nil {
			continue
		}
		if len(present) > 0 && !slices.ContainsFunc(present, func(p *template.Template) bool {
			return slices.ContainsFunc(p.Steps, func(x template.Step) bool { return x.Name == s.Name })
		}) {
			t.diverges(s, Divergence{Kind: Vanished, Message: fmt.Sprintf("the task is open and has yet to settle the step, which the template no longer has: it is %s", s.State)})
			continue
		}
		if knows && !t.waits(s) && !inner.Of(t.worker).Handles(s.Handler) && !slices.Contains(t.options.Elsewhere, s.Handler) {
			t.diverges(s, Divergence{Kind: Vanished, Message: fmt.Sprintf("the task is open and has yet to settle the step, whose handler %q the worker no longer has", s.Handler)})
		}
	}
}

func settled(s state.StepState) bool { return s.SatisfiesDependencies() || s == state.StepCancelled }

// waits says whether the step has no handler, because it waits for a signal, starts a task, or is a map.
func (t *task) waits(s *Step) bool {
	return s.Handler == "tasker.await" || s.Handler == "tasker.task" || s.IsMap
}

// skipped returns the reason why a step is not replayed, or "" if the step is replayed.
func (t *task) skipped(s *Step) string {
	last := ""
	for _, h := range s.History {
		last = h.Event
	}
	function := s.Function != nil || s.State == state.StepSuspended && s.Wait != nil
	switch {
	case t.waits(s):
		return "no handler runs it"
	case !t.Payloads:
		return "its inputs were not exported"
	case len(t.options.Steps) > 0 && !slices.Contains(t.options.Steps, s.Name) && !slices.Contains(t.options.Steps, s.Handler):
		return "it was not chosen"
	case t.options.FunctionsOnly && !function:
		return "it is no durable function"
	case !inner.Of(t.worker).Handles(s.Handler):
		return "the worker has no handler for it"
	case inner.Of(t.worker).HandlesTx(s.Handler):
		return "its handler writes in a transaction, and a replay has no database"
	case s.EffectUUID != nil:
		return "its result was taken over from another task"
	case last == "CompleteManually" || last == "ResolveManually":
		return "a person settled it"
	case s.State == state.StepComplete, s.State == state.StepError, function:
		return ""
	case s.State == state.StepWaitingForRetry && s.LastError != nil:
		return ""
	}
	return "it has not ended"
}

// claim is the claim with which the step is replayed, the claim of its last attempt.
func (t *task) claim(s *Step) gen.ClaimedStep {
	c := gen.ClaimedStep{
		TaskUUID: t.Task.TaskUUID, StepUUID: s.StepUUID, StepNo: s.StepNo, ClaimNo: s.ClaimNo, Namespace: t.Template.Namespace,
		TaskName: t.Template.Name, TaskVersion: t.Template.Version, Name: s.Name, Handler: s.Handler, Attempt: max(s.Attempts, 1),
		MaxAttempts: s.MaxAttempts, LostCount: s.LostCount, Priority: s.Priority, CorrelationID: t.Task.CorrelationID,
		ParentCorrelationID: t.Task.ParentCorrelationID, Headers: t.Task.Headers, Context: t.Task.Context,
		Inputs: t.inputs(s), Checkpoint: s.Checkpoint, ParentResults: t.parentResults(s), LastError: lastError(s),
	}
	return c
}

// lastError returns the error of the attempt before the last attempt.
func lastError(s *Step) *string {
	var before, latest string
	for _, h := range s.History {
		switch {
		case h.Event == "Start":
			before = latest
		case h.Metadata.Error != "":
			latest = h.Metadata.Error
		}
	}
	if before == "" || s.Attempts < 2 {
		return nil
	}
	return &before
}

// inputs are the inputs of the step. A compensation gets the result that it undoes.
func (t *task) inputs(s *Step) json.RawMessage {
	if s.UndoNo == nil || strings.Contains(string(s.Inputs), `"result_unknown"`) {
		return s.Inputs
	}
	undone, found := t.byNo[*s.UndoNo]
	inputs := map[string]json.RawMessage{}
	if !found || json.Unmarshal(s.Inputs, &inputs) != nil {
		return s.Inputs
	}
	inputs["result"] = orNull(undone.Results)
	raw, err := json.Marshal(inputs)
	if err != nil {
		return s.Inputs
	}
	return raw
}

// parentResults are the results of the step's parents by their names, as a claim has them.
func (t *task) parentResults(s *Step) json.RawMessage {
	results := map[string]json.RawMessage{}
	for _, no := range s.Parents {
		parent, found := t.byNo[no]
		if !found || !parent.State.SatisfiesDependencies() || s.MapNo != nil && parent.Name == s.ArrayStep {
			continue
		}
		results[parent.Name] = t.resultOf(parent)
	}
	raw, err := json.Marshal(results)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}

// resultOf is the result of a step. The result of a map is the array of its elements' results.
func (t *task) resultOf(s *Step) json.RawMessage {
	if !s.IsMap {
		return orNull(s.Results)
	}
	elements := []json.RawMessage{}
	for i := range t.Steps {
		if no := t.Steps[i].MapNo; no != nil && *no == s.StepNo {
			elements = append(elements, orNull(t.Steps[i].Results))
		}
	}
	raw, err := json.Marshal(elements)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// ancestor is the result of the step of that name, if s depends on it, directly or not.
func (t *task) ancestor(s *Step, name string) (json.RawMessage, bool, error) {
	seen := map[int32]bool{}
	above := slices.Clone(s.Parents)
	for len(above) > 0 {
		no := above[0]
		above = above[1:]
		step, found := t.byNo[no]
		if !found || seen[no] {
			continue
		}
		seen[no] = true
		if step.Name == name && step.State.SatisfiesDependencies() {
			return t.resultOf(step), true, nil
		}
		above = append(above, step.Parents...)
	}
	return nil, false, nil
}

// replay runs a step, unless it is skipped, and compares its outcome.
func (t *task) replay(ctx context.Context, s *Step) (Outcome, error) {
	outcome := Outcome{Step: s.Name, Handler: s.Handler, Skipped: t.skipped(s)}
	if s.LastError != nil && !s.State.SatisfiesDependencies() {
		outcome.Recorded = *s.LastError
	}
	if outcome.Skipped != "" {
		return outcome, nil
	}
	outcome.Ran = true
	w := &world{task: t, step: s, now: time.Now()}
	if s.LastAttemptedAt != nil {
		w.now = *s.LastAttemptedAt
	}
	claim := t.claim(s)
	claim.Kept = w.claimed()
	result, err := inner.Of(t.worker).Do(durable.With(ctx, w), nil, claim)
	switch {
	case w.diverged != nil:
		if w.diverged.Where == "" {
			w.diverged.Where = inner.Of(t.worker).Source(s.Handler)
		}
		t.diverges(s, *w.diverged)
		outcome.Err = w.diverged.Message
		return outcome, nil
	case w.open:
		outcome.Open = true
		return outcome, nil
	case errors.Is(err, errReplayed):
		return outcome, nil
	case err != nil:
		return outcome, err
	}
	outcome.Err, outcome.Result = result.Error, result.Results
	return outcome, t.compare(s, result)
}

// compare reports how a result diverges from the recorded result. A step that failed may now return anything, because its
// code may have been corrected.
func (t *task) compare(s *Step, result direct.StepResult) error {
	if s.State != state.StepComplete {
		return nil
	}
	where := inner.Of(t.worker).Source(s.Handler)
	switch {
	case result.Error != "" && strings.Contains(result.Error, "does not fit"):
		t.diverges(s, Divergence{Kind: Input, Message: "it cannot decode what it gets: " + firstLine(result.Error), Where: where})
		return nil
	case result.Error != "":
		t.diverges(s, Divergence{Kind: Failure, Message: "it fails, and succeeded: " + firstLine(result.Error), Where: where})
		return nil
	}
	present, err := blank(result.Results, t.Blanked)
	if err != nil {
		return err
	}
	recorded, err := blank(s.Results, t.Blanked)
	if err != nil {
		return err
	}
	if what, types := difference(recorded, present); types {
		t.diverges(s, Divergence{Kind: Type, Message: "its result has another type: " + what, Where: where})
	} else if what != "" {
		t.diverges(s, Divergence{Kind: Value, Message: "its result has another value: " + what, Where: where})
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
