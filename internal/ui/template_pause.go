package ui

import (
	"context"
	"net/url"
	"strings"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// pausedFor are the handlers that are paused for a template.
func pausedFor(pauses []gen.HandlerPause, template string) (handlers []string) {
	for _, p := range pauses {
		if p.Template != nil && *p.Template == template {
			handlers = append(handlers, handlerName(p.Handler))
		}
	}
	return handlers
}

// templatePauseActions pause a template, of all versions, and resume it.
func templatePauseActions() map[string]action {
	const path = "/templates/{namespace}/{name}/{version}"
	on := func(asks question, do func(ctx context.Context, q *query, namespace, name string, form url.Values) (Note, error)) action {
		return action{
			name: "namespace", section: "templates",
			ask: func(ctx context.Context, q *query) (question, error) {
				t, err := q.readTemplate(ctx)
				if err != nil {
					return question{}, err
				}
				pauses, err := q.ListHandlerPauses(ctx, t.Namespace)
				if err != nil {
					return question{}, err
				}
				shown := asks
				shown.Back, shown.Named = templatePath(t.Namespace, t.Name, t.Version), true
				shown.About = t.Namespace + "/" + t.Name + ", all versions."
				if paused := pausedFor(pauses, t.Name); paused != nil {
					shown.About += " It is paused, with the handlers " + strings.Join(paused, ", ") + "."
				}
				return shown, nil
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				return do(ctx, q, q.r.PathValue("namespace"), q.r.PathValue("name"), form)
			},
		}
	}
	return map[string]action{
		path + "/pause": on(question{
			Title: "Pause the template", Button: "Pause",
			Effects: []string{
				"No step of its handlers is claimed in the namespace until it is resumed. Steps that run finish, and tasks can still be created.",
				"Past its end the pause is an incident: it does not end by itself.",
			},
			Fields: []field{
				{Name: "hours", Label: "For how many hours", Kind: "number", Hint: "Empty: without an end."},
				{Name: "shared", Label: "Also handlers that other templates use", Kind: "check", Hint: "Their steps stand still, too. Without it such a pause is refused."},
			},
		}, func(ctx context.Context, q *query, namespace, name string, form url.Values) (Note, error) {
			until, err := hoursFrom(form, q.now)
			if err != nil {
				return Note{}, err
			}
			handlers, err := q.PauseTemplate(ctx, sqlfn.PauseTemplateParams{Namespace: namespace, Name: name, Until: until, Shared: form.Has("shared")}, act(form))
			return Note{Done: true, Text: "Template " + name + " is paused: " + count(int64(len(handlers)), "handler") + "."}, err
		}),
		path + "/resume": on(question{
			Title: "Resume the template", Button: "Resume", Effects: []string{"The handlers that were paused for it are claimed again, waiting steps at once."},
		}, func(ctx context.Context, q *query, namespace, name string, form url.Values) (Note, error) {
			handlers, err := q.ResumeTemplate(ctx, namespace, name, act(form))
			return answered(len(handlers) > 0, "Template "+name+" runs again."), err
		}),
	}
}
