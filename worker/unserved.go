package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/nearest"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/template"
)

// Require makes Run fail at its start if w lacks a handler that a step or a compensation of these templates needs, or does not serve the
// namespace of a template. Without Require such steps would wait. Config.Elsewhere names handlers that people or other programs serve.
func (w *Worker) Require(templates ...*template.Template) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		panic("worker: Require after Run")
	}
	w.required = append(w.required, templates...)
	for _, t := range templates {
		w.spaces[t.Namespace] = true
	}
}

// misplaced returns an error that names the required namespaces from which the worker takes no steps.
func (w *Worker) misplaced() error {
	var problems []error
	for _, space := range slices.Sorted(maps.Keys(w.spaces)) {
		if w.config.Namespaces == nil || slices.Contains(w.config.Namespaces, space) {
			continue
		}
		text := fmt.Sprintf("the worker takes no steps of namespace %q: Config.Namespaces has %s", space, strings.Join(w.config.Namespaces, ", "))
		if near := nearest.Name(space, w.config.Namespaces); near != "" {
			text += fmt.Sprintf("; did you mean %q instead of %q?", space, near)
		}
		problems = append(problems, fmt.Errorf("worker: %s: %w", text, errNamespace))
	}
	return errors.Join(problems...)
}

// missing returns an error that names the handlers that the required templates need and that are not in entries.
func missing(entries map[string]*entry, elsewhere []string, templates []*template.Template) error {
	var problems []error
	need := func(t *template.Template, step, handler, what string) {
		if entries[handler] != nil || slices.Contains(elsewhere, handler) {
			return
		}
		text := fmt.Sprintf("template %q, %s %q needs handler %q", t.Namespace+"/"+t.Name, what, step, handler)
		if near := nearest.Name(handler, slices.Sorted(maps.Keys(entries))); near != "" {
			text += fmt.Sprintf(" (did you mean %q?)", near)
		}
		problems = append(problems, fmt.Errorf("worker: %s: %w", text, errNoHandler))
	}
	for _, t := range templates {
		for _, step := range t.Steps {
			if len(step.Await) == 0 && step.Task == nil { // otherwise no worker runs it
				need(t, step.Name, cmp.Or(step.Handler, step.Name), "step")
			}
			if step.Compensate != "" {
				need(t, step.Name, step.Compensate, "the compensation of step")
			}
		}
	}
	return errors.Join(problems...)
}

const (
	// unservedEvery is how often a worker queries ready steps for which no worker has a handler.
	unservedEvery = time.Minute
	// unservedAgain is the shortest time before a worker repeats a warning.
	unservedAgain = 15 * time.Minute
)

// unserved logs warnings about ready steps whose handlers no running worker has.
type unserved struct {
	askAt  time.Time
	warned map[string]time.Time // by namespace and handler
}

// warn reads the unserved steps if the next check is due, and repeats the warning about a handler only after a while.
func (u *unserved) warn(ctx context.Context, r *run) {
	now := time.Now()
	if now.Before(u.askAt) {
		return
	}
	u.askAt = now.Add(jittered(unservedEvery))
	const querying = "querying steps without a handler"
	err := r.once(ctx, querying, func(ctx context.Context) error {
		steps, err := r.db.ListUnservedSteps(ctx, r.config.Namespaces)
		if err != nil {
			return err
		}
		for _, step := range steps {
			key := step.Namespace + " " + step.Handler
			if slices.Contains(r.config.Elsewhere, step.Handler) {
				continue
			}
			if last, before := u.warned[key]; before && now.Sub(last) < unservedAgain {
				continue
			}
			u.warned[key] = now
			attrs := []any{
				"handler", step.Handler, "namespace", step.Namespace, "ready_since", step.ReadySince, "step_uuid", step.StepUUID,
			}
			if step.Nearest != nil {
				attrs = append(attrs, "nearest", *step.Nearest)
			}
			r.log.WarnContext(ctx, "steps are ready, but no running worker has their handler", attrs...)
		}
		return nil
	})
	if pgerr.Of(err) == pgerr.Judged {
		r.watch.Failed(querying, err)
	}
}
