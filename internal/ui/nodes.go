package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/ui/graph"
)

// folded are the steps that one node stands for: one step, or a map with its instances.
type folded struct {
	step      executor.StepDetail
	instances []executor.StepDetail
}

// mapped returns the name of the map of which a step is an instance, if its name is the name of an instance: ship for
// ship[3].
func mapped(name string) (string, bool) {
	at := strings.LastIndexByte(name, '[')
	if at <= 0 || !strings.HasSuffix(name, "]") {
		return "", false
	}
	return name[:at], true
}

// taskNodes makes the nodes of the graph from a task's steps, in the order of their numbers. A map and its instances are one node.
func taskNodes(steps []executor.StepDetail, dag []gen.StepDAGNode) []graph.Node {
	groups := []folded{}
	place, named := map[uuid.UUID]int{}, map[string]int{}
	for _, s := range steps {
		if name, instance := mapped(s.Name); instance {
			// A map has a lower number than its instances.
			if at, known := named[name]; known {
				groups[at].instances = append(groups[at].instances, s)
				place[s.WorkflowStepUUID] = at
				continue
			}
			// The compensations of a map's elements have no map of their own. The first compensation stands for all
			// of them.
			if s.UndoNo != nil {
				place[s.WorkflowStepUUID], named[name] = len(groups), len(groups)
				one := s
				one.Name = name
				groups = append(groups, folded{step: one, instances: []executor.StepDetail{s}})
				continue
			}
		}
		place[s.WorkflowStepUUID], named[s.Name] = len(groups), len(groups)
		groups = append(groups, folded{step: s})
	}
	parents, on := make([][]int, len(groups)), make([]map[int]string, len(groups))
	for _, d := range dag {
		at, known := place[d.WorkflowStepUUID]
		if !known {
			continue
		}
		for i, p := range d.ParentStepUUIDs {
			if from, known := place[p]; known && from != at && !slices.Contains(parents[at], from) {
				parents[at] = append(parents[at], from)
				if i < len(d.ParentOutcomes) && d.ParentOutcomes[i] != "complete" {
					on[at] = markEdge(on[at], from, d.ParentOutcomes[i])
				}
			}
		}
	}
	at := map[int32]int{}
	for _, s := range steps {
		at[s.StepNo] = place[s.WorkflowStepUUID]
	}
	nodes := make([]graph.Node, len(groups))
	for i, g := range groups {
		if g.step.UndoNo != nil && len(g.instances) > 0 {
			g.step.State = slices.MaxFunc(g.instances, func(a, b executor.StepDetail) int { return urgency(string(a.State)) - urgency(string(b.State)) }).State
		}
		nodes[i] = stepNode(g.step)
		if len(g.instances) > 0 {
			nodes[i] = mapNode(nodes[i], g)
		}
		nodes[i].Parents, nodes[i].On, nodes[i].First = parents[i], on[i], g.step.JoinMode == "first"
		nodes[i].Whole += waitsFor(nodes[i], func(at int) string { return groups[at].step.Name })
		if g.step.UndoNo == nil {
			continue
		}
		if undone, known := at[*g.step.UndoNo]; known {
			nodes[i].Parents, nodes[i].Undo = []int{undone}, true
			nodes[i].Whole += ", undoes " + groups[undone].step.Name
		}
	}
	return nodes
}

// stepNode is the node of one step.
func stepNode(s executor.StepDetail) graph.Node {
	l := lookOf(string(s.State))
	n := graph.Node{ID: fmt.Sprintf("n%d", s.StepNo), Title: s.Name, Href: stepPath(s.WorkflowStepUUID), Class: l.Class, Icon: l.Icon, Below: spaced(string(s.State))}
	if took := lasted(s); took != "" {
		n.Below += " · " + took
	}
	if s.Attempts > 1 {
		n.Below += fmt.Sprintf(" · %d/%d", s.Attempts, s.MaxAttempts)
	}
	n.Whole = fmt.Sprintf("%s: %s, attempt %d of %d, %s", s.Name, spaced(string(s.State)), s.Attempts, s.MaxAttempts, namedHandler(s.Handler))
	if s.ChildTaskUUID != nil {
		n.Title, n.Href = n.Title+" ↗", taskPath(*s.ChildTaskUUID)
		n.Whole = fmt.Sprintf("%s: %s, child task %s", s.Name, spaced(string(s.State)), short(*s.ChildTaskUUID))
	}
	return n
}

// mapNode changes the node of a map to a node that also stands for the map's instances. It shows how many instances have
// settled, and the most urgent state.
func mapNode(n graph.Node, g folded) graph.Node {
	counts, worst := map[string]int{}, ""
	done := 0
	for _, s := range g.instances {
		state := shownState(s)
		counts[state]++
		if ended(s) {
			done++
		}
		if worst == "" || urgency(state) > urgency(worst) {
			worst = state
		}
	}
	n.Stack = true
	n.Below = fmt.Sprintf("%d of %d %s", counts[worst], len(g.instances), spaced(worst))
	kind := "a map"
	if g.step.UndoNo != nil {
		kind = "the compensations of a map"
	} else if slices.ContainsFunc(g.instances, func(s executor.StepDetail) bool { return s.ChildTaskUUID != nil }) {
		n.Title, kind = n.Title+" ↗", "a map of tasks"
	}
	n.Whole = fmt.Sprintf("%s, %s: %s, %s, %s", g.step.Name, kind, spaced(string(g.step.State)), count(len(g.instances), "element"), said(counts))
	// A settled map shows its own outcome, even if some of its elements ended differently.
	if !ended(g.step) {
		l := lookOf(worst)
		n.Class, n.Icon = l.Class, l.Icon
		if done > 0 && done < len(g.instances) {
			n.Below = fmt.Sprintf("%d/%d · %d %s", done, len(g.instances), counts[worst], spaced(worst))
		}
	}
	n.Href = taskPath(g.step.TaskUUID) + "?state=" + worst + "#steps"
	return n
}

// ended says whether a step has ended, with or without success.
func ended(s executor.StepDetail) bool { return settled(s) != "" || string(s.State) == "error" }

// lasted returns the duration of a step's last attempt, or "" if the attempt has not ended.
func lasted(s executor.StepDetail) string {
	if s.ProcessedAt == nil || s.LastAttemptedAt == nil || !s.ProcessedAt.After(*s.LastAttemptedAt) {
		return ""
	}
	return span(s.ProcessedAt.Sub(*s.LastAttemptedAt))
}

// shownState is the state of a step as the page shows it. An element that a map was allowed to lose is cancelled in the database,
// but the page shows it as failed.
func shownState(s executor.StepDetail) string {
	if _, element := mapped(s.Name); element && string(s.State) == "cancelled" && s.LastError != nil {
		return "failed"
	}
	return string(s.State)
}

// said lists the number of steps in each state, the most urgent state first.
func said(counts map[string]int) string {
	states := make([]string, 0, len(counts))
	for state := range counts {
		states = append(states, state)
	}
	slices.SortFunc(states, func(a, b string) int { return urgency(b) - urgency(a) })
	parts := make([]string, len(states))
	for i, state := range states {
		parts[i] = fmt.Sprintf("%d %s", counts[state], spaced(state))
	}
	return strings.Join(parts, ", ")
}

// foldAbove is the number of nodes above which a graph folds the nodes that need no person.
const foldAbove = 60

// foldNodes makes one node of the nodes that stand in the same column and look the same, except for failures, steps that wait for another
// attempt, and the nodes beside these. It returns the nodes unchanged if there are few.
func foldNodes(nodes []graph.Node, href func(state string) string) []graph.Node {
	if len(nodes) <= foldAbove {
		return nodes
	}
	kept := make([]bool, len(nodes))
	keeps := 0
	keep := func(i int) {
		if !kept[i] && keeps < foldAbove {
			kept[i] = true
			keeps++
		}
	}
	trouble := func(i int) bool { return nodes[i].Class == "failed" || nodes[i].Class == "warn" }
	for i := range nodes {
		if trouble(i) {
			keep(i)
		}
	}
	for i, n := range nodes {
		for _, p := range n.Parents {
			if trouble(i) {
				keep(p)
			} else if trouble(p) {
				keep(i)
			}
		}
	}
	levels := graph.Levels(nodes)
	place := make([]int, len(nodes))
	groups := map[string]int{}
	var folded []graph.Node
	members := map[int]int{}
	for i, n := range nodes {
		state, _, _ := strings.Cut(n.Below, " · ")
		key := fmt.Sprint(levels[i], " ", state, " ", n.Undo)
		at, known := groups[key]
		switch {
		case kept[i]:
			place[i] = len(folded)
			n.Parents, n.On = nil, nil
			folded = append(folded, n)
		case known:
			place[i] = at
			members[at]++
		default:
			place[i], groups[key] = len(folded), len(folded)
			members[len(folded)] = 1
			one := n
			one.Parents, one.On = nil, nil
			folded = append(folded, one)
		}
	}
	for at, many := range members {
		if many > 1 {
			n := &folded[at]
			state, _, _ := strings.Cut(n.Below, " · ")
			n.Title, n.Below, n.Stack, n.Href = fmt.Sprintf("%d steps", many), state, true, href(strings.ReplaceAll(state, " ", "_"))
			n.Whole, n.First = fmt.Sprintf("%d steps, %s", many, state), false
		}
	}
	for i, n := range nodes {
		to := place[i]
		for _, p := range n.Parents {
			if from := place[p]; from != to && !slices.Contains(folded[to].Parents, from) {
				folded[to].Parents = append(folded[to].Parents, from)
				if on := n.On[p]; on != "" && members[from] <= 1 && members[to] <= 1 {
					folded[to].On = markEdge(folded[to].On, from, on)
				}
			}
		}
	}
	return folded
}

// drawFolded draws a task with many steps by its template, if most steps are instances of maps.
func (t *taskPage) drawFolded(ctx context.Context, q *query) error {
	first, err := q.PageSteps(ctx, t.Task.TaskUUID, 0, stepsAtOnce)
	if err != nil {
		return err
	}
	// Instances come after the steps of the template. If the first steps include no instance, the template itself is
	// large.
	if !slices.ContainsFunc(first, func(s executor.StepDetail) bool { _, instance := mapped(s.Name); return instance }) {
		return nil
	}
	found, err := q.GetTaskTemplate(ctx, t.Task.Namespace, t.Task.Name, t.Task.Version)
	if err != nil {
		return err
	}
	var parsed struct {
		Steps []templateStep `json:"steps"`
	}
	if err := json.Unmarshal(found.Template, &parsed); err != nil {
		return err
	}
	t.Graph, t.Folded = graph.Draw(foldedNodes(parsed.Steps, first), "Graph of the task's steps, with the elements of maps folded"), true
	return nil
}

// foldedNodes gives the nodes of a template the states of a task's steps.
func foldedNodes(steps []templateStep, first []executor.StepDetail) []graph.Node {
	nodes := templateNodes(steps)
	for i, template := range steps {
		at := slices.IndexFunc(first, func(s executor.StepDetail) bool { return s.Name == template.Name })
		if at < 0 {
			continue
		}
		n := stepNode(first[at])
		n.Parents = nodes[i].Parents
		if names, _ := template.parents(); len(template.ForEach) > 0 {
			n.Stack = true
			open, made := first[at].PendingParents, first[at].TotalParents-int32(len(names)) // A template has few.
			if !ended(first[at]) && made > 0 {
				n.Below = fmt.Sprintf("%s done · %s open", number(int64(made-open)), number(int64(open)))
				n.Class, n.Icon = lookOf("in_progress").Class, lookOf("in_progress").Icon
			}
			n.Whole = template.Name + ", a map: " + n.Below
		}
		nodes[i] = n
	}
	return nodes
}

// markEdge adds a mark to the marks of a node's edges.
func markEdge(on map[int]string, from int, outcome string) map[int]string {
	if on == nil {
		on = map[int]string{}
	}
	on[from] = outcome
	return on
}

// waitsFor describes the ends that a step waits for, unless it waits for the success of all its parents.
func waitsFor(n graph.Node, name func(at int) string) (said string) {
	for _, from := range n.Parents {
		if on := n.On[from]; on != "" {
			said += ", if " + name(from) + " has " + on
		}
	}
	if n.First {
		said += ", begins with the first of the steps before it"
	}
	return said
}
