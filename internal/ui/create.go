package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/inputdoc"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// jsonObject reads a JSON object from a form. An empty field is the empty object.
func jsonObject(form url.Values, name string) (json.RawMessage, error) {
	given := cmp.Or(strings.TrimSpace(form.Get(name)), "{}")
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(given), &object) != nil || object == nil {
		return nil, invalid("The "+name+" is not a JSON object; nothing was changed.", `For example {"order": 7}.`)
	}
	return json.RawMessage(given), nil
}

// wholeNumber reads a whole number from a form. An empty field is 0.
func wholeNumber(form url.Values, name string) (int32, error) {
	given := strings.TrimSpace(form.Get(name))
	if given == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(given, 10, 32)
	if err != nil {
		return 0, invalid(strconv.Quote(cut(given, 40))+" is not a whole number; nothing was changed.", "For example 20.")
	}
	return int32(n), nil
}

// listed reads texts that stand between commas.
func listed(given string) (texts []string) {
	for part := range strings.SplitSeq(given, ",") {
		if part = strings.TrimSpace(part); part != "" {
			texts = append(texts, part)
		}
	}
	return texts
}

var priorityField = field{Name: "priority", Label: "Priority", Kind: "integer", Hint: "From -1000 to 1000: above 0 takes the fast lane, below 0 the slow one."}

// inputOf divides the input that a template's schema describes into fields. Without a schema there are no fields.
func inputOf(t gen.TaskTemplate) (part, error) {
	text := inputdoc.Of(t.Template)
	if text == nil {
		return part{}, nil
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		return part{}, err
	}
	if s.Type == "" {
		s.Type = "object"
	}
	return partsOf(s, "", "c", true, 0), nil
}

// givenContext is the context of a form. It is the JSON text if one was entered, else an object of the form's fields.
func givenContext(t gen.TaskTemplate, form url.Values) (json.RawMessage, error) {
	input, err := inputOf(t)
	if err != nil {
		return nil, err
	}
	if len(input.parts) == 0 || strings.TrimSpace(form.Get("context")) != "" {
		return jsonObject(form, "context")
	}
	made, _, err := input.payload(form)
	return made, err
}

// encrypts says whether the payloads of a template are encrypted.
func encrypts(t gen.TaskTemplate) bool {
	var says struct{ Encrypted *struct{} }
	return json.Unmarshal(t.Template, &says) == nil && says.Encrypted != nil
}

// startTask creates a task of a template.
var startTask = action{
	name: "start", section: "templates",
	ask: func(ctx context.Context, q *query) (question, error) {
		t, err := q.readTemplate(ctx)
		input, _ := inputOf(t)
		context := field{Name: "context", Label: "Context", Kind: "json", Value: "{}", Hint: "A JSON object, which the handlers get."}
		if len(input.parts) > 0 {
			context.Label, context.Value = "The whole context as JSON", ""
			context.Hint = "In place of the fields above."
		}
		asks := question{
			Title: "Start a task", Button: "Start the task", About: t.Namespace + "/" + t.Name + " " + t.Version, Named: true,
			Effects: []string{"A task is created, and its first steps run as soon as a worker claims them."},
			Back:    templatePath(t.Namespace, t.Name, t.Version),
			Fields: []field{
				context,
				{Name: "tags", Label: "Tags", Kind: "text", Length: 1000, Hint: "With commas between them."},
				priorityField,
			},
		}
		if len(input.parts) > 0 {
			asks.Fields = append(input.fields(), asks.Fields...)
		}
		if t.IdentityStrategy == "caller_provided" {
			asks.Fields = append([]field{{Name: "key", Label: "Key", Kind: "text", Length: 1000, Required: true, Hint: "A request with the same key is the same task."}}, asks.Fields...)
		}
		switch {
		case t.RetiredAt != nil:
			asks.Idle = "The version is retired."
		case encrypts(t):
			asks.Idle = "The payloads of the template are encrypted, and the page has no key. The command line starts a task, with --key."
		}
		return asks, err
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		t, err := q.readTemplate(ctx)
		if err != nil {
			return Note{}, err
		}
		reason, actor := intent(form)
		request := executor.TaskRequest{Namespace: t.Namespace, Name: t.Name, Version: t.Version, IdentityKey: strings.TrimSpace(form.Get("key"))}
		request.Tags, request.Initiator, request.SourceSystem, request.Reason = listed(form.Get("tags")), actor, "page", reason
		if request.Context, err = givenContext(t, form); err != nil {
			return Note{}, err
		}
		if request.Priority, err = wholeNumber(form, "priority"); err != nil {
			return Note{}, err
		}
		created, err := q.CreateTask(ctx, request)
		if err != nil {
			return Note{}, err
		}
		note := Note{Done: created.Created, Text: "The task is started.", To: taskPath(created.TaskUUID)}
		if !created.Created {
			note.Text = "The key has this task already; nothing was changed."
		}
		return note, nil
	},
}

// forkTask repeats a task from a given step, with the version that a person chooses.
var forkTask = action{
	name: "fork", section: "tasks", takes: []string{"step"},
	ask: func(ctx context.Context, q *query) (question, error) {
		id, err := q.taskUUID()
		if err != nil {
			return question{}, err
		}
		t, err := q.GetTask(ctx, id)
		if err != nil {
			return question{}, err
		}
		steps, err := q.PageSteps(ctx, id, 0, stepsAtOnce)
		if err != nil {
			return question{}, err
		}
		from := field{Name: "step", Label: "From step", Kind: "choice", Required: true, Value: text(q.value("step")), Hint: "It runs again, with all steps that depend on it. The results of the others are taken over."}
		for _, s := range steps {
			if _, element := mapped(s.Name); !element && s.UndoNo == nil {
				from.Choices = append(from.Choices, s.Name)
				if from.Value == "" && s.State == "error" {
					from.Value = s.Name
				}
			}
		}
		templates, err := q.ListTaskTemplates(ctx, t.Namespace)
		if err != nil {
			return question{}, err
		}
		version := field{Name: "version", Label: "Version of the template", Kind: "choice", Required: true, Value: t.Version}
		for _, k := range templates {
			if k.Name == t.Name && k.RetiredAt == nil {
				version.Choices = append(version.Choices, k.Version)
			}
		}
		if !slices.Contains(version.Choices, t.Version) {
			version.Value = ""
		}
		asks := question{
			Title: "Fork the task", Button: "Fork the task", Reason: why, About: t.Namespace + "/" + t.Name + " " + t.Version + " " + short(id), State: string(t.State), Back: taskPath(id),
			Effects: []string{"A new task repeats this one from the step on. Effects of handlers that run again happen again."},
			Fields:  []field{from, version},
		}
		if !t.Complete {
			asks.Effects = append(asks.Effects, "Unless it is cancelled, this task goes on, too.")
			asks.Fields = append(asks.Fields, field{Name: "cancel", Label: "Cancel this task", Kind: "check", Value: "true"})
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		id, err := q.taskUUID()
		if err != nil {
			return Note{}, err
		}
		reason, actor := intent(form)
		made, err := q.ForkTask(ctx, sqlfn.ForkTaskParams{
			TaskUUID: id, FromStep: form.Get("step"), Version: form.Get("version"), Cancel: form.Get("cancel") == "true", Reason: reason, Actor: actor,
		})
		return Note{Done: true, Text: fmt.Sprintf("This task repeats task %s from step %s on.", short(id), form.Get("step")), To: taskPath(made)}, err
	},
}

// scheduleFields ask for the fields of a schedule. They begin with the values of an existing schedule.
func scheduleFields(s gen.Schedule) []field {
	numberOf := func(n *int32) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(int(*n))
	}
	priority := priorityField
	if s.Priority != 0 {
		priority.Value = strconv.Itoa(int(s.Priority))
	}
	context, hint := cmp.Or(pretty(s.Context), "{}"), "A JSON object, which each task gets."
	if seal.Is(s.Context) {
		context, hint = string(s.Context), "It is encrypted. Keep it as it is: a client with a codec sets another one."
	}
	return []field{
		{Name: "template", Label: "Tasks of template", Kind: "text", Value: s.TaskName, Required: true, Length: 128},
		{Name: "version", Label: "Version", Kind: "text", Value: text(s.TaskVersion), Length: 64, Hint: "Empty: the newest that is not retired, at each tick."},
		{Name: "cron", Label: "Cron expression", Kind: "text", Value: text(s.Cron), Length: 200, Hint: "For example 0 6 * * 1-5. Either this or a number of seconds."},
		{Name: "every", Label: "Every so many seconds", Kind: "integer", Value: numberOf(s.EverySeconds)},
		{Name: "timezone", Label: "Time zone", Kind: "text", Value: cmp.Or(s.Timezone, "UTC"), Length: 64},
		{Name: "context", Label: "Context", Kind: "json", Value: context, Hint: hint},
		{Name: "overlap", Label: "If the task before still runs", Kind: "choice", Value: cmp.Or(s.Overlap, "allow"), Choices: []string{"allow", "skip", "queue_one"}, Required: true},
		{Name: "catch_up", Label: "Ticks that were missed", Kind: "choice", Value: cmp.Or(s.CatchUp, "one"), Choices: []string{"skip", "one", "all"}, Required: true},
		{Name: "tags", Label: "Tags", Kind: "text", Value: strings.Join(s.Tags, ", "), Length: 1000, Hint: "With commas between them."},
		priority,
	}
}

// saveSchedule sets the fields of s that the form asks for, and keeps the others.
func saveSchedule(ctx context.Context, q *query, s gen.Schedule, form url.Values, done string) (Note, error) {
	every, err := wholeNumber(form, "every")
	if err != nil {
		return Note{}, err
	}
	priority, err := wholeNumber(form, "priority")
	if err != nil {
		return Note{}, err
	}
	given, err := jsonObject(form, "context")
	if err != nil {
		return Note{}, err
	}
	params := sqlfn.SetScheduleParams{
		Namespace: s.Namespace, Schedule: s.Schedule, TaskName: strings.TrimSpace(form.Get("template")), TaskVersion: strings.TrimSpace(form.Get("version")),
		Cron: strings.TrimSpace(form.Get("cron")), EverySeconds: every, Timezone: strings.TrimSpace(form.Get("timezone")), Context: given, Priority: priority,
		Tags: listed(form.Get("tags")), Overlap: form.Get("overlap"), CatchUp: form.Get("catch_up"), CatchUpLimit: s.CatchUpLimit, JitterSeconds: s.JitterSeconds,
	}
	if s.DeadlineSeconds != nil {
		params.DeadlineSeconds = *s.DeadlineSeconds
	}
	if s.StartsAt != nil {
		params.StartsAt = *s.StartsAt
	}
	if s.EndsAt != nil {
		params.EndsAt = *s.EndsAt
	}
	saved, err := q.SetSchedule(ctx, params, act(form))
	return Note{Done: true, Text: done, To: schedulePath(saved)}, err
}

// newSchedule creates a schedule, and editSchedule changes one.
var newSchedule = action{
	name: "schedule", section: "schedules", takes: []string{"namespace", "template"},
	ask: func(_ context.Context, q *query) (question, error) {
		fields := []field{
			{Name: "namespace", Label: "Namespace", Kind: "text", Value: text(q.value("namespace")), Required: true, Length: 64},
			{Name: "schedule", Label: "Name", Kind: "text", Required: true, Length: 128},
		}
		return question{
			Title: "New schedule", Button: "Create the schedule", Back: Root + "/schedules", Named: true,
			About: "A schedule creates a task at every tick.", Effects: []string{"It ticks from now on."},
			Fields: append(fields, scheduleFields(gen.Schedule{TaskName: text(q.value("template"))})...),
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		s := gen.Schedule{Namespace: strings.TrimSpace(form.Get("namespace")), Schedule: strings.TrimSpace(form.Get("schedule")), CatchUpLimit: 100}
		all, err := q.ListSchedules(ctx, s.Namespace)
		if err != nil {
			return Note{}, err
		}
		if slices.ContainsFunc(all, func(other gen.Schedule) bool {
			return other.Namespace == s.Namespace && other.Schedule == s.Schedule
		}) {
			return Note{}, invalid("There is a schedule of this name; nothing was changed.", "Choose another name, or change the one that there is.")
		}
		return saveSchedule(ctx, q, s, form, "The schedule is created.")
	},
}

var editSchedule = action{
	name: "schedule", section: "schedules",
	ask: func(ctx context.Context, q *query) (question, error) {
		s, err := q.readSchedule(ctx)
		return question{
			Title: "Change the schedule", Button: "Change the schedule", About: s.Namespace + "/" + s.Schedule, Back: schedulePath(s), Named: true,
			Effects: []string{"It holds from the next tick on. Tasks that it has created go on."}, Fields: scheduleFields(s),
		}, err
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		s, err := q.readSchedule(ctx)
		if err != nil {
			return Note{}, err
		}
		return saveSchedule(ctx, q, s, form, "The schedule is changed.")
	},
}
