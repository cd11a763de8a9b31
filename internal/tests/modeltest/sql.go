package modeltest

import (
	"slices"
	"strings"
	"time"
)

// sqlFunction is the function that the SQL steps of these tests call.
const sqlFunction = "modelsql.act"

// sqlLease is the lease of a SQL step. The transaction holds a running step, so the lease only matters for an attempt
// that waits.
const sqlLease = 24 * time.Hour

func isSQL(handler string) bool { return strings.HasPrefix(handler, "sql:") }

// attempt is an attempt of a SQL step that is alone in its call.
type attempt struct {
	claim
	conflicts int
	due       time.Time
}

// outcome is the outcome of a function of the database in one call. It returns results, raises an error, or runs until its
// time-out.
type outcome struct {
	code    string // SQLSTATE
	results results
}

// timedOut is the SQLSTATE of a function that ran into its time-out.
const timedOut = "57014"

func (o outcome) permanent() bool {
	return slices.Contains([]string{"TK403", "TK404", "TK410", "TK413", "TK422"}, o.code) || strings.HasPrefix(o.code, "22")
}

// conflicts reports whether a call with this outcome is repeated without counting as an attempt, after this number of
// such calls in a row.
func (o outcome) conflicts(before int) bool {
	return slices.Contains([]string{"40001", "40P01", "55P03"}, o.code) && before < 10
}

func (o outcome) report(c claim) report {
	if o.code != "" {
		return report{claim: c, permanent: o.permanent()}
	}
	return report{claim: c, results: &o.results}
}

// sqlRun counts the steps that a call completed, failed and put off.
type sqlRun struct{ completed, failed, putOff int }

func (d sqlRun) more() bool { return d != sqlRun{} }

// count counts the answers to results.
func (d *sqlRun) count(answers ...string) {
	for _, a := range answers {
		switch a {
		case "completed":
			d.completed++
		case "failed", "retrying":
			d.failed++
		}
	}
}

// putOff writes the attempt of a claimed step. It replaces the attempt of an earlier claim.
func (w *world) putOff(c claim, conflicts int) {
	w.alone = slices.DeleteFunc(w.alone, func(a attempt) bool { return a.task == c.task && a.step == c.step })
	w.alone = append(w.alone, attempt{claim: c, conflicts: conflicts, due: w.now})
}

// runClaimed runs SQL steps that a call has just claimed. Steps that must be alone are put off. The results of the other steps are recorded
// together.
func (w *world) runClaimed(claims []claim, careful bool, outcomes map[place]outcome, late func(c claim) bool) (d sqlRun) {
	var reports []report
	for _, c := range claims {
		s, o := w.step(c), outcomes[place{c.task, c.step}]
		switch {
		case careful || s.attempts > 1 || s.lost > 0 || s.timeout > 0 || late(c):
			w.putOff(c, 0)
			d.putOff++
		case o.conflicts(0):
			w.putOff(c, 1)
			d.putOff++
		default:
			reports = append(reports, o.report(c))
			if o.code == "" {
				s.booked++
			}
		}
	}
	d.count(w.finish(reports)...)
	return d
}

// runAlone runs the attempt in a slot.
func (w *world) runAlone(a attempt, slot int, o outcome) (d sqlRun) {
	s := w.step(a.claim)
	holds, _ := w.holds(a.claim)
	again := false
	switch {
	case w.lost[slot]:
		d.count(w.finish([]report{{claim: a.claim}})...)
	case !holds:
	case o.conflicts(a.conflicts):
		again = true
	default:
		if o.code == "" {
			s.booked++
		}
		d.count(w.finish([]report{o.report(a.claim)})...)
	}
	w.lost[slot] = false
	for i := range w.alone {
		if w.alone[i].claim != a.claim {
			continue
		}
		if again {
			w.alone[i].conflicts, w.alone[i].due = a.conflicts+1, time.Time{}
		} else {
			w.alone = slices.Delete(w.alone, i, i+1)
		}
		break
	}
	return d
}
