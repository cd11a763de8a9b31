package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"

	"github.com/pgtasker/pgtasker/internal/inputdoc"
	"github.com/pgtasker/pgtasker/internal/ui/graph"
)

type templatesPage struct {
	Namespace string
	Templates []gen.TaskTemplateSummary
	Spaces    []gen.TaskNamespace
}

func loadTemplates(ctx context.Context, q *query) (page, error) {
	t := templatesPage{Namespace: text(q.value("namespace"))}
	var err error
	if t.Templates, err = q.ListTaskTemplates(q.sorted(ctx), t.Namespace); err != nil {
		return page{}, err
	}
	t.Spaces, err = q.ListNamespaces(ctx)
	return page{title: "Templates", data: t}, err
}

// templateStep is a template's step in a graph.
type templateStep struct {
	Name         string            `json:"name"`
	Handler      string            `json:"handler"`
	Description  string            `json:"description"`
	Join         string            `json:"join"`
	Await        json.RawMessage   `json:"await"`
	Task         json.RawMessage   `json:"task"`
	ForEach      json.RawMessage   `json:"for_each"`
	Dependencies []json.RawMessage `json:"dependencies"`
	Compensate   string            `json:"compensate"`
}

type templatePage struct {
	Template gen.TaskTemplate
	Graph    template.HTML
	Legend   template.HTML
	Steps    []templateStep
	Input    []inputdoc.Field
	Actions  []offer
	// Paused are the handlers that are paused for the template.
	Paused []string
	// Bounds says that the template bounds the runs of a key. Runs are the tasks that have a place of their key, and the waiting
	// tasks. MoreRuns says that there are others.
	Bounds   bool
	Runs     []gen.RunDetail
	MoreRuns bool
}

// runsShown is how many tasks of a template's keys are shown.
const runsShown = 100

func (q *query) readTemplate(ctx context.Context) (gen.TaskTemplate, error) {
	version := q.r.PathValue("version")
	return q.GetTaskTemplate(ctx, q.r.PathValue("namespace"), q.r.PathValue("name"), version)
}

func loadTemplate(ctx context.Context, q *query) (page, error) {
	t, err := q.readTemplate(ctx)
	if err != nil {
		return page{}, err
	}
	shown := templatePage{Template: t, Input: inputdoc.Fields(inputdoc.Of(t.Template))}
	var parsed struct {
		Steps []templateStep  `json:"steps"`
		Runs  json.RawMessage `json:"runs"`
	}
	if err := json.Unmarshal(t.Template, &parsed); err != nil {
		return page{}, err
	}
	shown.Steps = parsed.Steps
	if len(shown.Steps) <= drawnSteps {
		nodes := append(templateNodes(shown.Steps), undoNodes(shown.Steps)...)
		shown.Graph, shown.Legend = graph.Draw(nodes, "Graph of the template's steps"), graph.Legend(nodes)
	} else {
		shown.Steps = shown.Steps[:drawnSteps]
	}
	path := templatePath(t.Namespace, t.Name, t.Version)
	if t.RetiredAt == nil {
		shown.Actions = []offer{
			{"start", "Start a task…", path + "/start", false},
			{"schedule", "Schedule…", Root + "/schedules/new?namespace=" + url.QueryEscape(t.Namespace) + "&template=" + url.QueryEscape(t.Name), false},
			{"template", "Retire…", path + "/retire", true},
		}
	}
	pauses, err := q.ListHandlerPauses(ctx, t.Namespace)
	if err != nil {
		return page{}, err
	}
	// Tasks of a retired version go on, so a retired version can be paused, too.
	hold := offer{"namespace", "Pause…", path + "/pause", false}
	if shown.Paused = pausedFor(pauses, t.Name); shown.Paused != nil {
		hold = offer{"namespace", "Resume…", path + "/resume", false}
	}
	shown.Actions = slices.Insert(shown.Actions, max(0, len(shown.Actions)-1), hold)
	if shown.Bounds = len(parsed.Runs) > 0; shown.Bounds {
		if shown.Runs, err = q.ListRuns(ctx, sqlfn.ListRunsParams{Namespace: t.Namespace, Name: t.Name, Limit: runsShown + 1}); err != nil {
			return page{}, err
		}
		if shown.MoreRuns = len(shown.Runs) > runsShown; shown.MoreRuns {
			shown.Runs = shown.Runs[:runsShown]
		}
	}
	return page{title: t.Name + " " + t.Version, data: shown, still: !shown.Bounds}, nil
}

func templatePath(namespace, name, version string) string {
	return Root + "/templates/" + url.PathEscape(namespace) + "/" + url.PathEscape(name) + "/" + url.PathEscape(version)
}

// Kind names the kind of worker that runs a step.
func (s templateStep) Kind() string {
	switch {
	case len(s.Await) > 0:
		return "waits"
	case len(s.Task) > 0:
		return "child task"
	case len(s.ForEach) > 0:
		return "for each: " + handlerName(s.Handler)
	}
	return handlerName(s.Handler)
}

// parents are the names of a step's parents, with the conditions.
func (s templateStep) parents() (names, conditions []string) {
	names, conditions, _ = s.edges()
	return names, conditions
}

// edges are the parents, with the conditions and with the ends of parents for which the step waits: failed or ended.
func (s templateStep) edges() (names, conditions []string, on map[string]string) {
	on = map[string]string{}
	for _, raw := range s.Dependencies {
		var d struct {
			Step string  `json:"step"`
			When *string `json:"when"`
			On   string  `json:"on"`
		}
		if json.Unmarshal(raw, &d.Step) != nil && json.Unmarshal(raw, &d) != nil {
			continue
		}
		names = append(names, d.Step)
		if d.When != nil {
			conditions = append(conditions, d.Step+": "+*d.When)
		}
		if d.On != "" {
			conditions = append(conditions, d.Step+": "+d.On)
			if d.On != "complete" {
				on[d.Step] = d.On
			}
		}
	}
	return names, conditions, on
}

// After lists the parents of a step.
func (s templateStep) After() []string {
	names, _ := s.parents()
	return names
}

// Conditions are the conditions under which a step runs.
func (s templateStep) Conditions() []string {
	_, conditions := s.parents()
	return conditions
}

// templateNodes makes the nodes of the graph from a template's steps, without their compensations.
func templateNodes(steps []templateStep) []graph.Node {
	place := map[string]int{}
	for i, s := range steps {
		place[s.Name] = i
	}
	nodes := make([]graph.Node, len(steps))
	for i, s := range steps {
		n := graph.Node{ID: fmt.Sprintf("n%d", i+1), Title: s.Name, Below: s.Kind(), Class: "plain", Icon: "ready"}
		switch {
		case len(s.Await) > 0:
			n.Class, n.Icon = "waiting", "pause"
		case len(s.Task) > 0:
			n.Icon = "m-templates"
		case len(s.ForEach) > 0:
			n.Stack = true
		}
		names, conditions, on := s.edges()
		n.First = s.Join == "first"
		n.Whole = s.Name + ", " + s.Kind()
		for _, c := range conditions {
			n.Whole += ", if " + c
		}
		for _, name := range names {
			if p, known := place[name]; known && p != i && !slices.Contains(n.Parents, p) {
				n.Parents = append(n.Parents, p)
				if on[name] != "" {
					n.On = markEdge(n.On, p, on[name])
				}
			}
		}
		nodes[i] = n
	}
	return nodes
}

// undoNodes makes the nodes of the steps' compensations, which stand after the steps.
func undoNodes(steps []templateStep) (nodes []graph.Node) {
	for i, s := range steps {
		if s.Compensate != "" {
			nodes = append(nodes, graph.Node{
				ID: fmt.Sprintf("u%d", i+1), Title: "undo " + s.Name, Below: s.Compensate, Class: "plain", Icon: "ready", Parents: []int{i}, Undo: true,
				Whole: fmt.Sprintf("undo %s, %s: undoes %s if the task fails or is cancelled", s.Name, s.Compensate, s.Name),
			})
		}
	}
	return nodes
}

// retireTemplate ends the creation of tasks from a version.
var retireTemplate = action{
	name: "template", section: "templates",
	ask: func(ctx context.Context, q *query) (question, error) {
		t, err := q.readTemplate(ctx)
		asks := question{
			Title: "Retire the version", Button: "Retire", Danger: true, About: t.Namespace + "/" + t.Name + " " + t.Version,
			Effects: []string{"No new tasks can be created from it; existing tasks keep running.", "Requests without a version take the newest version that is not retired."},
			Back:    templatePath(t.Namespace, t.Name, t.Version),
		}
		if t.RetiredAt != nil {
			asks.Idle = "The version is retired already."
		}
		return asks, err
	},
	do: func(ctx context.Context, q *query, _ url.Values) (Note, error) {
		changed, err := q.RetireTaskTemplate(ctx, q.r.PathValue("namespace"), q.r.PathValue("name"), q.r.PathValue("version"))
		return answered(changed, "The version is retired."), err
	},
}
