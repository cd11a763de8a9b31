package modeltest

import (
	"math/rand/v2"
	"slices"

	"github.com/pgtasker/pgtasker/state"
)

// branch makes some steps of a template wait for failures. It makes other steps start when the first of their dependencies has
// ended.
func (t *template) branch(r *rand.Rand) {
	parents := make([]int, len(t.steps))
	for i := range t.edges {
		e := &t.edges[i]
		parents[e.to]++
		if r.IntN(3) == 0 {
			e.on, e.when = []string{"failed", "ended"}[r.IntN(2)], condition{}
		}
	}
	for n := range t.steps {
		if parents[n] > 1 && r.IntN(3) == 0 {
			t.steps[n].join = "first"
		}
	}
	// A step further below may wait for the failure, too.
	for found := true; found; {
		found = false
		for _, e := range t.edges {
			if !t.steps[e.from].watched && (e.on != "" || t.steps[e.to].watched) {
				t.steps[e.from].watched, found = true, true
			}
		}
	}
}

// satisfies reports whether the way in which the parent of an edge ended satisfies the edge.
func (t *task) satisfies(e edge) bool {
	parent := t.steps[e.from]
	succeeded := parent.state.SatisfiesDependencies()
	switch e.on {
	case "failed":
		return t.broke(e.from)
	case "ended":
		return succeeded || t.broke(e.from)
	}
	return succeeded && (e.when.text == "" || parent.results != nil && e.when.holds(*parent.results))
}

// broke reports whether a settled step failed, or was skipped because a step above it failed.
func (t *task) broke(n int) bool {
	s := t.steps[n]
	if s.state != state.StepCancelled || !s.skipped {
		return s.state == state.StepCancelled && s.broken
	}
	return slices.ContainsFunc(t.edges, func(e edge) bool { return e.to == n && e.on == "" && t.broke(e.from) })
}

// anyBroken says whether a step failed and another step waited for the failure.
func (t *task) anyBroken() bool {
	return slices.ContainsFunc(t.steps, func(s step) bool { return s.state == state.StepCancelled && s.broken })
}

// takeFailures settles failures that other steps wait for.
func (t *task) takeFailures(moved []int) {
	for _, n := range moved {
		if s := &t.steps[n]; s.state == state.StepError && s.watched {
			s.state, s.broken, s.skipped = state.StepCancelled, true, false
		}
	}
}

// endRaces cancels the losing branches of the races whose notes were due.
func (t *task) endRaces(due []int) {
	slices.Sort(due)
	for _, n := range due {
		if t.state.IsTerminal() {
			return
		}
		t.races = slices.DeleteFunc(t.races, func(m int) bool { return m == n })
		var lost []int
		if t.steps[n].state != state.StepPending {
			lost = t.losers(n)
		}
		for _, l := range lost {
			s := &t.steps[l]
			s.state, s.broken, s.skipped = state.StepCancelled, false, false
		}
		t.settle(lost...)
		t.evaluate()
	}
}

// losers returns the steps above a step that are open or failed and for which no other step waits.
func (t *task) losers(n int) (lost []int) {
	above := map[int]bool{}
	for todo := []int{n}; len(todo) > 0; todo = todo[1:] {
		for _, e := range t.edges {
			if e.to == todo[0] && !above[e.from] {
				above[e.from] = true
				todo = append(todo, e.from)
			}
		}
	}
	kept := map[int]bool{}
	for found := true; found; {
		found = false
		for _, e := range t.edges {
			if !above[e.from] || settles(t.steps[e.from].state) || kept[e.from] || e.to == n {
				continue
			}
			if kept[e.to] || !above[e.to] && t.steps[e.to].state == state.StepPending {
				kept[e.from], found = true, true
			}
		}
	}
	for s := range t.steps {
		if above[s] && !settles(t.steps[s].state) && !kept[s] {
			lost = append(lost, s)
		}
	}
	return lost
}
