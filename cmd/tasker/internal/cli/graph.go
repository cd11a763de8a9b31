package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/draw"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
)

// taskGraph has the steps of a task and their edges.
type taskGraph struct {
	steps   []executor.StepDetail
	parents [][]int
	maps    map[int]string // the states of the instances of folded maps
	undoes  map[int]int    // the step that a compensation undoes
}

// newTaskGraph combines the database's rows of a task's steps and of their edges.
func newTaskGraph(steps []executor.StepDetail, edges []gen.StepDAGNode) taskGraph {
	slices.SortFunc(steps, func(a, b executor.StepDetail) int { return cmp.Compare(a.StepNo, b.StepNo) })
	g := taskGraph{steps: steps, parents: make([][]int, len(steps)), undoes: map[int]int{}}
	place := make(map[uuid.UUID]int, len(steps))
	numbered := make(map[int32]int, len(steps))
	for i, step := range steps {
		place[step.WorkflowStepUUID], numbered[step.StepNo] = i, i
	}
	for i, step := range steps {
		if step.UndoNo == nil {
			continue
		}
		if undone, known := numbered[*step.UndoNo]; known {
			g.undoes[i] = undone
		}
	}
	for _, node := range edges {
		i, known := place[node.WorkflowStepUUID]
		if !known {
			continue // The step was added between the two calls.
		}
		for _, parent := range node.ParentStepUUIDs {
			if p, known := place[parent]; known {
				g.parents[i] = append(g.parents[i], p)
			}
		}
		slices.Sort(g.parents[i])
	}
	return g
}

// folded returns the graph without the instances of maps. Each map has the counts of its instances. The compensations of a
// map's instances become one step, too.
func (g taskGraph) folded() taskGraph {
	instances := map[string]taskGraph{}
	place := make([]int, len(g.steps))
	f := taskGraph{maps: map[int]string{}, undoes: map[int]int{}}
	for i, step := range g.steps {
		// Only names of instances contain a bracket.
		if base, _, instance := strings.Cut(step.Name, "["); instance {
			of := instances[base]
			of.steps = append(of.steps, step)
			instances[base] = of
			place[i] = draw.None
			if step.UndoNo == nil || len(of.steps) > 1 {
				continue
			}
			step.Name = base
		}
		place[i] = len(f.steps)
		f.steps = append(f.steps, step)
	}
	for i, parents := range g.parents {
		if place[i] == draw.None {
			continue
		}
		f.parents = append(f.parents, nil)
		for _, p := range parents {
			if place[p] != draw.None {
				f.parents[place[i]] = append(f.parents[place[i]], place[p])
			}
		}
	}
	named := map[string]int{}
	for i, step := range f.steps {
		named[step.Name] = i
		of := instances[step.Name]
		if len(of.steps) == 0 {
			continue
		}
		f.maps[i] = fmt.Sprintf("for each of %d: %s", len(of.steps), stepCounts(of.steps))
		if slices.ContainsFunc(of.steps, func(s executor.StepDetail) bool { return s.ChildTaskUUID != nil }) {
			f.maps[i] = "a task " + f.maps[i]
		}
		if step.UndoNo != nil {
			f.steps[i].State = slices.MinFunc(of.steps, func(a, b executor.StepDetail) int { return cmp.Compare(undoOrder(a.State), undoOrder(b.State)) }).State
		}
	}
	for i, step := range f.steps {
		if step.UndoNo == nil {
			continue
		}
		if undone, known := named[strings.TrimPrefix(step.Name, "undo ")]; known {
			f.undoes[i] = undone
		}
	}
	return f
}

// undoOrder returns the rank of a compensation's state: the lower, the more important to an operator.
func undoOrder(s state.StepState) int {
	order := []state.StepState{
		state.StepError, state.StepWaitingForRetry, state.StepInProgress, state.StepEnqueued, state.StepCancelled, state.StepResolvedManually, state.StepComplete,
	}
	if at := slices.Index(order, s); at >= 0 {
		return at
	}
	return 1
}

func (g taskGraph) nodes() []draw.Node {
	nodes := make([]draw.Node, len(g.steps))
	for i, step := range g.steps {
		l := stepLook(step.State)
		nodes[i] = draw.Node{Symbol: l.symbol, Color: l.color, Parents: g.parents[i]}
	}
	return nodes
}

// parentNames returns the names of the steps that a step waits for.
func (g taskGraph) parentNames(step int) string {
	names := make([]string, len(g.parents[step]))
	for i, parent := range g.parents[step] {
		names[i] = g.steps[parent].Name
	}
	return strings.Join(names, ", ")
}

// The share of a terminal's width that a graph's lanes may take, and their width without a terminal.
const (
	laneShare = 3
	laneWidth = 60
)

// drawing returns the lanes of a graph, or its levels if there are too many lanes.
func (a *app) drawing(nodes []draw.Node) (lines []draw.Line, lanes bool) {
	limit := laneWidth
	if a.out.Width > 0 {
		limit = a.out.Width / laneShare
	}
	lines = draw.Lanes(nodes)
	for _, line := range lines {
		if term.Width(line.Cell.String()) > limit {
			return draw.Levels(nodes), false
		}
	}
	return lines, true
}

// stepTable draws a task's graph with a line for each step.
func (a *app) stepTable(g taskGraph, now time.Time) error {
	lines, lanes := a.drawing(g.nodes())
	if lanes {
		table := term.NewTable("", "STEP", "STATE", "TRIES", "").Yield("TRIES")
		for _, line := range lines {
			table.Row(a.stepRow(g, line, now)...)
		}
		return table.Write(a.out)
	}
	table := term.NewTable("", "STEP", "STATE", "TRIES", "AFTER", "").Yield("TRIES")
	for _, line := range lines {
		row := a.stepRow(g, line, now)
		if line.Node != draw.None {
			row = slices.Insert(row, 4, term.Text(g.parentNames(line.Node)))
		}
		table.Row(row...)
	}
	return table.Write(a.out)
}

func (a *app) stepRow(g taskGraph, line draw.Line, now time.Time) []term.Cell {
	if line.Node == draw.None {
		return []term.Cell{line.Cell}
	}
	step := g.steps[line.Node]
	if line.Repeated {
		return []term.Cell{line.Cell, term.Text(step.Name), term.Colored("see above", term.Dim)}
	}
	tries := ""
	if step.Attempts > 0 {
		tries = fmt.Sprintf("%d/%d", step.Attempts, step.MaxAttempts)
	}
	return []term.Cell{
		line.Cell, term.Text(step.Name), term.Colored(string(step.State), stepLook(step.State).color),
		term.Text(tries), term.Text(join("; ", g.maps[line.Node], g.note(line.Node, now))),
	}
}

// note returns the note on a step. For a running map, the instances have the note.
func (g taskGraph) note(i int, now time.Time) string {
	if g.maps[i] != "" && (g.steps[i].State == state.StepPending || g.steps[i].UndoNo != nil) {
		return ""
	}
	note := stepNote(g.steps[i], now)
	if child := g.steps[i].ChildTaskUUID; child != nil && g.steps[i].State != state.StepSuspended {
		note = join("; ", "task "+shortID(*child), note)
	}
	return note
}

// stepNote returns the note on a step in its current state.
func stepNote(step executor.StepDetail, now time.Time) string {
	ago := func(verb string, t *time.Time) string {
		if t == nil {
			return ""
		}
		return verb + span(now.Sub(*t)) + " ago"
	}
	switch step.State {
	case state.StepPending:
		if step.TotalParents > 0 {
			return fmt.Sprintf("%d of %d parents settled", step.TotalParents-step.PendingParents, step.TotalParents)
		}
	case state.StepInProgress:
		note := ago("for ", step.LastAttemptedAt)
		note = strings.TrimSuffix(note, " ago")
		if step.LeaseUntil != nil && step.LeaseUntil.Before(now) {
			note += ", its lease ended " + span(now.Sub(*step.LeaseUntil)) + " ago"
		}
		return note
	case state.StepWaitingForRetry:
		note := "due"
		if step.NextRetryAt != nil && step.NextRetryAt.After(now) {
			note = "in " + span(step.NextRetryAt.Sub(now))
		}
		return join(": ", note, text(step.LastError))
	case state.StepSuspended:
		if step.ChildTaskUUID != nil {
			return "waits for task " + shortID(*step.ChildTaskUUID)
		}
	case state.StepError, state.StepEnqueuedAsErrorForOrchestration:
		return text(step.LastError)
	case state.StepComplete, state.StepResolvedManually, state.StepCancelled:
		return ago("", step.ProcessedAt)
	}
	return ""
}

// join joins the texts that are not empty.
func join(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), separator)
}

// stepCounts returns the number of steps in each state, in the order of the states.
func stepCounts(steps []executor.StepDetail) string {
	counts := map[state.StepState]int{}
	for _, step := range steps {
		counts[step.State]++
	}
	var texts []string
	for _, s := range state.StepStates() {
		if counts[s] > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", counts[s], s))
			delete(counts, s)
		}
	}
	for s, n := range counts {
		texts = append(texts, fmt.Sprintf("%d %s", n, s))
	}
	return strings.Join(texts, ", ")
}
