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

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// selectable is the largest number of ticked rows: twice a page of the list.
const selectable = 100

// firstShown is how many entries of a set are shown before a mass action.
const firstShown = 5

// massSet is the set of a mass action: the entries that match filters, or the ticked entries.
type massSet struct {
	kind, action string
	filters      map[string]any
	ids          []uuid.UUID
	// back is the page that offered the action. first reads the first entries.
	back  string
	first func(ctx context.Context, q *query) ([]item, error)
}

// massVerb has the words with which the page asks for an action on many things.
type massVerb struct {
	verb, does string
	danger     bool
	effects    []string
	fields     []field
}

var massVerbs = map[string]massVerb{
	"reset":    {verb: "Reset", does: "reset", effects: []string{"The failed steps of each task have all attempts again, and the tasks go on.", "Effects of their handlers happen again."}},
	"retry":    {verb: "Retry", does: "retried", effects: []string{"Their attempts are restored, and they run again as soon as a worker claims them.", "Effects of their handlers happen again."}},
	"cancel":   {verb: "Cancel", does: "cancelled", danger: true, effects: []string{"Each task ends as cancelled, for good, with its open steps.", "Handlers that run now are not stopped; their results will be refused."}},
	"resolve":  {verb: "Resolve", does: "resolved by hand", danger: true, effects: []string{"Each counts as done, without a result: its work was done elsewhere."}},
	"requeue":  {verb: "Requeue", does: "requeued", effects: []string{"Each task goes on: its failed steps have all attempts again.", "The investigations are closed as manually resolved."}},
	"fork":     {verb: "Fork", does: "forked", effects: []string{"A new task repeats each one from its first failed step on, with the version given.", "The old task is cancelled."}, fields: []field{{Name: "version", Label: "Version of the template", Kind: "text", Length: 64, Hint: "Empty: the version of each task."}, {Name: "from_step", Label: "From step", Kind: "text", Length: 128, Hint: "Empty: the first step that failed."}}},
	"complete": {verb: "Complete", does: "completed by hand", danger: true, effects: []string{"Each step is complete with the result that you enter. Its handler does not run any more.", "The steps after it run, and find that result."}, fields: []field{{Name: "results", Label: "Result", Kind: "json", Value: "{}", Required: true, Hint: "JSON, as the handler would have returned it."}}},
}

// massFields are the pace of a mass action.
var massFields = []field{
	{Name: "per_minute", Label: "At most so many a minute", Kind: "integer", Hint: "For the rest, after one and ten. Empty: as fast as batches go."},
	{Name: "stop_percent", Label: "Stop when more than so many percent of the outcomes are failures", Kind: "number", Value: "20", Hint: "Empty: 20."},
	{Name: "at_once", Label: "Act on all at once, without one and ten first", Kind: "check"},
}

var massNouns = map[string]string{"tasks": "task", "steps": "step", "dead_letters": "dead letter"}

func massPath(id uuid.UUID) string { return Root + "/mass/" + id.String() }

// onMass is the action on a set. It shows the set in words with its count and its first entries, and starts a mass action on exactly
// this set.
func onMass(section string, takes []string, read func(ctx context.Context, q *query) (massSet, error)) action {
	return action{
		name: "mass", section: section, mass: true, takes: takes,
		ask: func(ctx context.Context, q *query) (question, error) {
			set, err := read(ctx, q)
			if err != nil {
				return question{}, err
			}
			return askMass(ctx, q, set)
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			set, err := read(ctx, q)
			if err != nil {
				return Note{}, err
			}
			return startMass(ctx, q, set, form)
		},
	}
}

func (s massSet) filterJSON() (json.RawMessage, error) {
	if len(s.filters) == 0 {
		return nil, nil
	}
	return json.Marshal(s.filters)
}

func askMass(ctx context.Context, q *query, set massSet) (question, error) {
	verb := massVerbs[set.action]
	filters, err := set.filterJSON()
	if err != nil {
		return question{}, err
	}
	p, err := q.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: set.kind, Filters: filters, IDs: set.ids})
	if err != nil {
		return question{}, err
	}
	many := count(int64(p.Entries), massNouns[set.kind])
	asks := question{
		Title: verb.verb + " " + many, Button: verb.verb + " " + many, Danger: verb.danger, Reason: why, Back: set.back,
		About:   p.Words + ".",
		Effects: append(slices.Clone(verb.effects), "First one of them, then ten, then the rest. It stops by itself if too many fail again, and you can stop it."),
		Fields:  append(slices.Clone(verb.fields), massFields...),
		Hidden:  []pair{{"digest", p.Digest}, {"entries", strconv.Itoa(int(p.Entries))}, {"filters", string(filters)}},
	}
	if p.More {
		asks.Effects = append(asks.Effects, "More match: a mass action has 10,000 at most. Repeat it for the rest.")
	}
	if p.Entries == 0 {
		asks.Title, asks.Idle = verb.verb+" all that match", "No "+strings.Replace(massNouns[set.kind], "dead", "open dead", 1)+" matches."
		return asks, nil
	}
	if asks.Items, err = set.first(ctx, q); err != nil {
		return question{}, err
	}
	if more := int64(p.Entries) - int64(len(asks.Items)); more > 0 {
		asks.Items = append(asks.Items, item{Name: "… " + count(more, "more")})
	}
	return asks, nil
}

func startMass(ctx context.Context, q *query, set massSet, form url.Values) (Note, error) {
	reason, actor := intent(form)
	params := sqlfn.StartMassActionParams{Action: set.action, Reason: reason, Actor: actor, AtOnce: form.Get("at_once") == "true"}
	if given := strings.TrimSpace(form.Get("per_minute")); given != "" {
		rate, err := strconv.ParseInt(given, 10, 32)
		if err != nil || rate < 1 || rate > 100000 {
			return Note{}, invalid("The rate is "+cut(given, 40)+"; nothing was changed.", "It is a whole number from 1 to 100,000 a minute, or empty.")
		}
		params.PerMinute = int32(rate)
	}
	percent, err := strconv.ParseFloat(cmp.Or(strings.TrimSpace(form.Get("stop_percent")), "20"), 64)
	if err != nil || percent <= 0 || percent > 100 {
		return Note{}, invalid("The percentage is "+cut(form.Get("stop_percent"), 40)+"; nothing was changed.", "It is a number above 0, at most 100.")
	}
	params.StopShare = percent / 100
	arguments := map[string]any{}
	for _, name := range []string{"version", "from_step"} {
		if given := strings.TrimSpace(form.Get(name)); set.action == "fork" && given != "" {
			arguments[name] = given
		}
	}
	if set.action == "complete" {
		if !json.Valid([]byte(form.Get("results"))) {
			return Note{}, invalid("The result is not JSON; nothing was changed.", `For example {"paid": true}.`)
		}
		arguments["results"] = json.RawMessage(form.Get("results"))
	}
	if params.Arguments, err = json.Marshal(arguments); err != nil {
		return Note{}, err
	}

	// Take the filters that were shown, because a span such as "the last hour" has moved since.
	var filters json.RawMessage
	if shown := form.Get("filters"); shown != "" && len(set.filters) > 0 {
		filters = json.RawMessage(shown)
	}
	digest := form.Get("digest")
	if digest == "" {
		return Note{}, invalid("The form does not say which entries it showed; nothing was changed.", "Read the page again.")
	}
	s, err := q.CreateSelection(ctx, sqlfn.CreateSelectionParams{Kind: set.kind, Filters: filters, IDs: set.ids, Actor: actor, Digest: digest})
	if err != nil {
		return Note{}, err
	}
	params.SelectionUUID, params.Entries = s.SelectionUUID, s.Entries
	if _, err = q.StartMassAction(ctx, params); err != nil {
		return Note{}, err
	}
	they := ": they are being "
	if s.Entries == 1 {
		they = ": it is being "
	}
	return Note{Done: true, Text: s.Words + they + massVerbs[set.action].does + ".", To: massPath(s.SelectionUUID)}, nil
}

func taskItem(t executor.TaskDetail) item {
	i := item{Name: t.Namespace + "/" + t.Name + " " + short(t.TaskUUID), Href: taskPath(t.TaskUUID), State: string(t.State)}
	if t.FailedSteps > 0 {
		i.Note = count(int64(t.FailedSteps), "failed step")
	}
	return i
}

func entryItem(e gen.DLQEntry) item {
	i := item{Name: text(e.NamespaceName) + "/" + text(e.TaskName) + " " + short(e.TaskUUID), Href: entryPath(e.DLQEntryUUID), Note: spaced(e.DLQReason)}
	if e.CurrentState != nil {
		i.State = string(*e.CurrentState)
	}
	return i
}

// ticked reads the ids that the address has.
func (q *query) ticked(name, what string) ([]uuid.UUID, error) {
	given := q.r.URL.Query()[name]
	if len(given) == 0 || len(given) > selectable {
		return nil, invalid(fmt.Sprintf("%s are selected.", count(int64(len(given)), what)), fmt.Sprintf("Select 1 to %d in the list.", selectable))
	}
	ids := make([]uuid.UUID, 0, len(given))
	for _, text := range given {
		id, err := parseUUID("a "+what, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// onSelection acts on the tasks that were ticked.
var onSelection = onMass("tasks", []string{"action", "task"}, func(_ context.Context, q *query) (massSet, error) {
	set := massSet{kind: "tasks", action: q.r.URL.Query().Get("action"), back: Root + "/tasks"}
	if !slices.Contains([]string{"reset", "cancel", "fork", "resolve"}, set.action) {
		return set, invalid("There is no such action on a selection.", "It is reset, cancel, fork or resolve.")
	}
	var err error
	if set.ids, err = q.ticked("task", "task"); err != nil {
		return set, err
	}
	set.first = func(ctx context.Context, q *query) (items []item, err error) {
		for _, id := range set.ids[:min(len(set.ids), firstShown)] {
			t, err := q.GetTask(ctx, id)
			if err != nil {
				return nil, err
			}
			items = append(items, taskItem(t))
		}
		return items, nil
	}
	return set, nil
})

// matchParameters are the filters of the list of tasks that an action on all that match takes.
var matchParameters = []string{
	"state", "namespace", "name", "version", "tag", "since", "until", "correlation", "key", "initiator", "schedule", "handler", "step", "error", "longer", "attribute", "where",
}

// onMatching acts on all tasks that match the filters of the list.
func onMatching(act string) action {
	return onMass("tasks", matchParameters, func(_ context.Context, q *query) (massSet, error) {
		f := readTaskFilters(q.r.URL.Query())
		set := massSet{kind: "tasks", action: act, back: Root + "/tasks?" + q.r.URL.RawQuery}
		p, err := f.params(q.now)
		if err != nil {
			return set, err
		}
		if act == "reset" && p.State == "" {
			p.State = "blocked_by_failures"
		}
		set.filters = executor.SelectionFilters(p)
		set.first = func(ctx context.Context, q *query) (items []item, err error) {
			p.Limit = firstShown
			tasks, err := q.ListTasks(ctx, p)
			for _, t := range tasks {
				items = append(items, taskItem(t))
			}
			return items, err
		}
		return set, nil
	})
}

// requeueSelected requeues the dead letters that were ticked.
var requeueSelected = onMass("dead-letters", []string{"entry"}, func(_ context.Context, q *query) (massSet, error) {
	set := massSet{kind: "dead_letters", action: "requeue", back: Root + "/dead-letters"}
	var err error
	if set.ids, err = q.ticked("entry", "dead letter"); err != nil {
		return set, err
	}
	set.first = func(ctx context.Context, q *query) (items []item, err error) {
		for _, id := range set.ids[:min(len(set.ids), firstShown)] {
			e, err := q.GetDLQEntry(ctx, id)
			if err != nil {
				return nil, err
			}
			items = append(items, entryItem(e))
		}
		return items, nil
	}
	return set, nil
})

// requeueMatching requeues the open dead letters that match the filters of the list.
var requeueMatching = onMass("dead-letters", []string{"reason", "namespace"}, func(_ context.Context, q *query) (massSet, error) {
	set := massSet{kind: "dead_letters", action: "requeue", back: Root + "/dead-letters?" + q.r.URL.RawQuery, filters: map[string]any{"status": "pending"}}
	for _, name := range []string{"reason", "namespace"} {
		if value := q.value(name); value != nil {
			set.filters[name] = *value
		}
	}
	set.first = func(ctx context.Context, q *query) (items []item, err error) {
		entries, err := q.ListDLQEntries(ctx, sqlfn.ListDLQEntriesParams{ResolutionStatus: "pending", Reason: text(q.value("reason")), Namespace: text(q.value("namespace")), Limit: firstShown})
		for _, e := range entries {
			items = append(items, entryItem(e))
		}
		return items, err
	}
	return set, nil
})

// onIncident acts on the failed steps of an incident, or on their tasks.
func onIncident(kind, act string) action {
	return onMass("overview", nil, func(ctx context.Context, q *query) (massSet, error) {
		i, err := q.readIncident(ctx)
		if err != nil {
			return massSet{}, err
		}
		set := massSet{kind: kind, action: act, back: incidentPath(i.Incident), filters: map[string]any{"incident": i.Incident}}
		set.first = func(ctx context.Context, q *query) (items []item, err error) {
			steps, err := q.ListIncidentSteps(ctx, i.Incident, uuid.Nil, firstShown)
			for _, s := range steps {
				items = append(items, item{Name: s.Namespace + "/" + s.TaskName + " " + s.StepName, Href: stepPath(s.StepUUID), State: s.State, Note: cut(text(s.Error), 120)})
			}
			return items, err
		}
		return set, nil
	})
}

// massActionPage is a mass action with its entries.
type massActionPage struct {
	gen.MassActionDetail
	Entries []gen.SelectionEntryDetail
	State   string
	Next    string
	Actions []offer
}

func (p massActionPage) mark() any {
	return []any{p.MassActionDetail.State, p.Stage, p.Waits, p.Open, p.Passed, p.Failed, p.Skipped, p.StoppedWhy, p.RanAt == nil}
}

// Verb is its verb, for a title.
func (p massActionPage) Verb() string { return massVerbs[p.Action].verb }

// Steps has the stages and the progress of each.
func (p massActionPage) Steps() []massStage {
	names := []string{"One", "Ten", "The rest"}
	stages := make([]massStage, 0, len(names))
	for no, name := range names {
		s := massStage{Name: name, Word: "waits"}
		switch at := int(p.Stage) - 1; {
		case !p.Canary && no < 2:
			s.Word = "left out"
		case no < at || p.MassActionDetail.State == "done":
			s.Word, s.Done = "done", true
		case no == at:
			s.Word, s.Now = p.MassActionDetail.State, true
		}
		stages = append(stages, s)
	}
	return stages
}

type massStage struct {
	Name, Word string
	Done, Now  bool
}

// Parts are the outcomes with their share of the whole.
func (p massActionPage) Parts() []massPart {
	parts := []massPart{
		{"passed", "passed", "done", p.Passed},
		{"failed", "failed again", "failed", p.Failed},
		{"skipped", "skipped", "off", p.Skipped},
		{"open", "open", "active", p.Open},
		{"waits", "wait", "idle", p.Waits},
	}
	return parts
}

// Percent is the share of failures at which the mass action stops.
func (p massActionPage) Percent() string { return strconv.FormatFloat(100*p.StopShare, 'g', 4, 64) }

// Bars are the parts of the bar, each with its place in a hundred.
func (p massActionPage) Bars() []massBar {
	var bars []massBar
	x := 0.0
	for _, part := range p.Parts() {
		if part.Entries > 0 {
			width := 100 * float64(part.Entries) / float64(max(p.MassActionDetail.Entries, 1))
			bars = append(bars, massBar{part.Class, strconv.FormatFloat(x, 'f', 2, 64), strconv.FormatFloat(width, 'f', 2, 64)})
			x += width
		}
	}
	return bars
}

type massBar struct{ Class, X, Width string }

type massPart struct {
	State, Word, Class string
	Entries            int32
}

func (q *query) selectionUUID() (uuid.UUID, error) {
	return parseUUID("the selection", q.r.PathValue("selection"))
}

func loadMassAction(ctx context.Context, q *query) (page, error) {
	id, err := q.selectionUUID()
	if err != nil {
		return page{}, err
	}
	p := massActionPage{State: text(q.value("state"))}
	if p.MassActionDetail, err = q.GetMassAction(ctx, id); err != nil {
		return page{}, err
	}
	listed, limit := q.paged(ctx, pageSize)
	params := sqlfn.ListSelectionEntriesParams{SelectionUUID: id, State: p.State, Limit: limit}
	if after := q.value("after"); after != nil {
		no, err := strconv.ParseInt(*after, 10, 32)
		if err != nil || no < 0 {
			return page{}, invalid("after is not a number: "+strconv.Quote(cut(*after, 40)), "It is the number of an entry.")
		}
		params.After = int32(no)
	}
	if p.Entries, err = q.ListSelectionEntries(listed, params); err != nil {
		return page{}, err
	}
	if len(p.Entries) > pageSize {
		p.Entries = p.Entries[:pageSize]
		p.Next = q.next(pageSize, "after", strconv.Itoa(int(p.Entries[pageSize-1].EntryNo)))
	}
	switch p.MassActionDetail.State {
	case "running":
		p.Actions = []offer{{"mass", "Stop…", massPath(id) + "/stop", true}}
	case "stopped":
		p.Actions = []offer{{"mass", "Go on…", massPath(id) + "/resume", false}}
	}
	return page{title: massVerbs[p.Action].verb + " " + cut(p.Words, 60), data: p}, nil
}

type massActionsPage struct {
	State   string
	States  []string
	Actions []massActionPage
	Next    string
}

func (p massActionsPage) mark() any {
	seen := []any{}
	for _, a := range p.Actions {
		seen = append(seen, a.mark())
	}
	return seen
}

func loadMassActions(ctx context.Context, q *query) (page, error) {
	p := massActionsPage{State: text(q.value("state")), States: []string{"running", "stopped", "done"}}
	var before uuid.UUID
	if given := q.value("before"); given != nil {
		var err error
		if before, err = parseUUID("before", *given); err != nil {
			return page{}, err
		}
	}
	listed, limit := q.paged(ctx, pageSize)
	actions, err := q.ListMassActions(listed, p.State, before, limit)
	if err != nil {
		return page{}, err
	}
	if len(actions) > pageSize {
		actions = actions[:pageSize]
		p.Next = q.next(pageSize, "before", actions[pageSize-1].SelectionUUID.String())
	}
	for _, a := range actions {
		p.Actions = append(p.Actions, massActionPage{MassActionDetail: a})
	}
	return page{title: "Mass actions", data: p}, nil
}

// massActions stop a mass action, and resume it.
func massActions() map[string]action {
	change := func(title, button, done string, effects []string, call func(ctx context.Context, q *query, id uuid.UUID, by executor.By) (bool, error)) action {
		return action{
			name: "mass", section: "mass",
			ask: func(ctx context.Context, q *query) (question, error) {
				id, err := q.selectionUUID()
				if err != nil {
					return question{}, err
				}
				m, err := q.GetMassAction(ctx, id)
				if err != nil {
					return question{}, err
				}
				asks := question{Title: title, Button: button, Effects: effects, About: massVerbs[m.Action].verb + " " + m.Words + ".", Back: massPath(id), Named: true}
				asks.Effects = append(slices.Clone(effects), fmt.Sprintf("Entries that it has not acted on: %s.", number(int64(m.Waits))))
				return asks, nil
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				id, err := q.selectionUUID()
				if err != nil {
					return Note{}, err
				}
				changed, err := call(ctx, q, id, act(form))
				return answered(changed, done), err
			},
		}
	}
	resume := change("Go on with the mass action", "Go on", "The mass action goes on.", []string{"It acts on the entries that wait, at the stage where it stopped.", "Its stop rule counts only what it does from now on."},
		func(ctx context.Context, q *query, id uuid.UUID, by executor.By) (bool, error) {
			return q.ResumeMassAction(ctx, id, by)
		})
	resume.mass = true
	return map[string]action{
		"/mass/{selection}/stop": change("Stop the mass action", "Stop", "The mass action is stopped.", []string{"It acts on no further entry. What it has done stays."},
			func(ctx context.Context, q *query, id uuid.UUID, by executor.By) (bool, error) {
				return q.StopMassAction(ctx, id, by)
			}),
		"/mass/{selection}/resume": resume,
	}
}
