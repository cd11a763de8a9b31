package schema

import "slices"

// plan is the work of a migration, file by file.
//
// First the up part drops objects that cannot be replaced, the last object first. The hand-written statements follow, and then
// the copies of new or changed files, in the order of the contents page. The down part mirrors the up part: drops of the
// objects that the up part created, the hand-written statements, and the previous copies.
type plan struct {
	steps    []*step // in the order of the contents page
	gone     []*step // files that are deleted, newest first
	findings []Finding
}

// step is the change of one schema file.
type step struct {
	old  *version // nil for a new file
	new  *File    // nil for a deleted file
	up   bool     // the up part drops old and creates new, because create or replace cannot change it
	down bool     // the down part drops new and creates old, likewise
}

func newPlan(t *Tree, before history, target *Migration) *plan {
	p := &plan{}
	byHand := map[string]string{}
	for _, chunk := range target.Up.Chunks {
		if chunk.ByHand {
			byHand[chunk.Path] = chunk.Text
		}
	}
	var unchanged []*step
	for _, file := range t.Files {
		if text, copied := byHand[file.Path]; copied {
			if text != file.Text {
				p.findings = append(p.findings, Finding{
					Path:    target.Path,
					Message: "the copy of " + file.Path + " in the hand-written place is not the file's text",
				})
			}
			continue
		}
		old := before.previous(t, file)
		s := &step{old: old, new: file}
		switch {
		case old == nil:
		case !old.Replaceable() || !file.Replaceable(): // only changed by hand
			continue
		case old.Text == file.Text:
			unchanged = append(unchanged, s)
			continue
		default:
			s.up, s.down = !file.canReplace(old.File), !old.canReplace(file)
		}
		p.steps = append(p.steps, s)
	}
	for _, old := range before.gone(t) {
		p.gone = append(p.gone, &step{old: &old})
	}
	p.recreateDependants(unchanged)
	slices.SortStableFunc(p.steps, func(a, b *step) int {
		return slices.Index(t.Files, a.new) - slices.Index(t.Files, b.new)
	})
	return p
}

// recreateDependants marks for re-creation the objects that prevent a drop, for instance a view that uses a function whose
// parameters change. It repeats this until it finds no further object.
func (p *plan) recreateDependants(unchanged []*step) {
	for found := true; found; {
		found = false
		for _, s := range slices.Concat(p.steps, unchanged) {
			if s.old == nil {
				continue
			}
			up, down := s.up || p.blocksUp(s), s.down || p.blocksDown(s)
			if up == s.up && down == s.down {
				continue
			}
			s.up, s.down, found = up, down, true
			if !slices.Contains(p.steps, s) {
				p.steps = append(p.steps, s)
			}
		}
	}
}

// blocksUp reports whether a step's old text needs something that the up part drops.
func (p *plan) blocksUp(s *step) bool {
	return slices.ContainsFunc(slices.Concat(p.steps, p.gone), func(other *step) bool {
		return other.drops() && needsAny(s.old.File, other.old.File)
	})
}

// blocksDown reports whether a step's new text needs something that the down part drops.
func (p *plan) blocksDown(s *step) bool {
	return slices.ContainsFunc(p.steps, func(other *step) bool { return other.undrops() && needsAny(s.new, other.new) })
}

// drops reports whether the up part drops the old copy.
func (s *step) drops() bool { return s.new == nil || s.up }

// undrops reports whether the down part drops the new copy.
func (s *step) undrops() bool { return s.old == nil || s.down }

// recreates reports whether one of the parts drops a copy and creates the other.
func (s *step) recreates() bool { return s.up || s.down }

// restores reports whether the down part restores the old copy together with other copies that it needs or that need
// it.
func (s *step) restores() bool {
	return s.new == nil || s.old != nil && s.recreates() && (s.down || s.changes())
}

// changes reports whether the two copies differ.
func (s *step) changes() bool { return s.old == nil || s.old.Text != s.new.Text }

func needsAny(file, other *File) bool {
	for _, object := range other.mainObjects() {
		if object.On == "" && file.needs(object.Name) {
			return true
		}
	}
	return false
}

// olds returns the old copies of steps, each before the copies that it needs.
func (p *plan) olds(of func(*step) bool) []*File {
	var candidates []version
	for _, s := range slices.Concat(p.gone, p.steps) {
		if of(s) {
			candidates = append(candidates, *s.old)
		}
	}
	slices.SortFunc(candidates, newestFirst)

	var order []*File
	var visit func(*File)
	visited := map[*File]bool{}
	visit = func(file *File) {
		if visited[file] {
			return
		}
		visited[file] = true
		for _, other := range candidates {
			if needsAny(other.File, file) {
				visit(other.File)
			}
		}
		order = append(order, file)
	}
	for _, candidate := range candidates {
		visit(candidate.File)
	}
	return order
}

// up returns the up part with the statements written by hand in their place.
func (p *plan) up(hand string) string {
	var w writer
	for _, file := range p.olds((*step).drops) {
		w.drop(file)
	}
	w.hand(hand)
	for _, s := range p.steps {
		if s.up || s.changes() {
			w.copy(s.new)
		}
	}
	return w.String()
}

// down returns the down part with the statements written by hand in their place.
func (p *plan) down(hand string) string {
	var w writer
	for _, s := range slices.Backward(p.steps) {
		if s.undrops() {
			w.drop(s.new)
		}
	}
	w.hand(hand)
	for _, file := range slices.Backward(p.olds((*step).restores)) {
		w.copy(file)
	}
	for _, s := range p.steps {
		if s.old != nil && !s.recreates() && s.changes() {
			w.copy(s.old.File)
		}
	}
	return w.String()
}
