package ui

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
)

// sqlFunction returns the function that steps with this handler call in the database, such as shop.reserve. It returns "" if a worker
// runs the steps.
func sqlFunction(handler string) string {
	function, found := strings.CutPrefix(handler, "sql:")
	if !found {
		return ""
	}
	return function
}

// builtin describes a step that no worker runs. It returns "" if a handler runs the step.
func builtin(handler string) string {
	name, found := strings.CutPrefix(handler, "tasker.")
	switch {
	case !found:
		return ""
	case name == "task":
		return "starts a task"
	case name == "await" || name == "wait":
		return "waits"
	}
	return name
}

// handlerKind, handlerName and namedHandler name the runner of the steps with a handler: "handler ship", or "SQL function shop.reserve".
func handlerKind(handler string) string {
	if sqlFunction(handler) != "" {
		return "SQL function"
	}
	return "handler"
}

func namedHandler(handler string) string {
	return handlerKind(handler) + " " + cmp.Or(sqlFunction(handler), handler)
}

func handlerName(handler string) string {
	if sqlFunction(handler) != "" {
		return namedHandler(handler)
	}
	return handler
}

func handlerPath(namespace, handler string) string {
	return Root + "/handlers/" + url.PathEscape(namespace) + "/" + url.PathEscape(handler)
}

// hoursFrom reads a number of hours from a form, and returns the time that many hours from now. It returns the zero time if the
// field is empty.
func hoursFrom(form url.Values, now time.Time) (time.Time, error) {
	given := strings.TrimSpace(form.Get("hours"))
	if given == "" {
		return time.Time{}, nil
	}
	hours, err := time.ParseDuration(given + "h")
	if err != nil || hours <= 0 {
		return time.Time{}, invalid("Hours are a number above 0, not "+cut(given, 40)+".", "Leave the field empty for no end.")
	}
	return now.Add(hours), nil
}

// handlerActions pause a handler in a namespace, and resume it.
func handlerActions() map[string]action {
	const path = "/handlers/{namespace}/{handler}"
	on := func(asks question, do func(ctx context.Context, q *query, namespace, handler string, form url.Values) (Note, error)) action {
		return action{
			name: "namespace", section: "queues",
			ask: func(ctx context.Context, q *query) (question, error) {
				namespace, handler := q.r.PathValue("namespace"), q.r.PathValue("handler")
				pauses, err := q.ListHandlerPauses(ctx, namespace)
				if err != nil {
					return question{}, err
				}
				shown := asks
				shown.Back, shown.Named = Root+"/queues", true
				shown.About = capital(namedHandler(handler)) + " of namespace " + namespace + "."
				if p := pauseOf(pauses, namespace, handler); p != nil {
					shown.About += " It is paused, by " + p.PausedBy + "."
					if p.Reason != nil {
						shown.About += " The reason: " + *p.Reason
					}
				}
				return shown, nil
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				return do(ctx, q, q.r.PathValue("namespace"), q.r.PathValue("handler"), form)
			},
		}
	}
	return map[string]action{
		path + "/pause": on(question{
			Title: "Pause the handler", Button: "Pause",
			Effects: []string{"None of its steps is claimed until it is resumed. Steps that run finish.", "Other handlers go on. Past its end the pause is an incident: it does not end by itself."},
			Fields:  []field{{Name: "hours", Label: "For how many hours", Kind: "number", Hint: "Empty: without an end."}},
		}, func(ctx context.Context, q *query, namespace, handler string, form url.Values) (Note, error) {
			until, err := hoursFrom(form, q.now)
			if err != nil {
				return Note{}, err
			}
			changed, err := q.PauseHandler(ctx, namespace, handler, until, act(form))
			return answered(changed, capital(namedHandler(handler))+" is paused."), err
		}),
		path + "/resume": on(question{
			Title: "Resume the handler", Button: "Resume", Effects: []string{"Its steps are claimed again, those that wait at once."},
		}, func(ctx context.Context, q *query, namespace, handler string, form url.Values) (Note, error) {
			changed, err := q.ResumeHandler(ctx, namespace, handler, act(form))
			return answered(changed, capital(namedHandler(handler))+" runs again."), err
		}),
	}
}

// pauseOf returns the pause of a handler, or nil if the handler is not paused.
func pauseOf(pauses []gen.HandlerPause, namespace, handler string) *gen.HandlerPause {
	for i, p := range pauses {
		if p.Namespace == namespace && p.Handler == handler {
			return &pauses[i]
		}
	}
	return nil
}
