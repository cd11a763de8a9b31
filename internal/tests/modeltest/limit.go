package modeltest

import (
	"math"
	"time"

	"github.com/pgtasker/pgtasker/state"
)

// limitNames are the limits that steps of these tests name. One limit has only places. The other limit has places and a rate.
var limitNames = []string{"places", "rate"}

// tenants are the keys of a limit. The first key is empty.
var tenants = []string{"", "ann", "bob"}

// limit has the bounds that apply to each key without separate bounds.
type limit struct {
	concurrency *int32 // nil: any number
	rate        *int32 // nil: any number
	period      int32  // of the rate, in seconds
	burst       int32
}

// limitKey is a key of a limit.
type limitKey struct{ limit, key string }

// interval returns the cost of a start, in microseconds.
func (l limit) interval() int64 {
	return (int64(l.period)*1e6 + int64(*l.rate) - 1) / int64(*l.rate)
}

// bounds returns the bounds of a key: its own bounds, or the bounds of its limit.
func (w *world) bounds(k limitKey) limit {
	if l, ok := w.own[k]; ok {
		return l
	}
	return w.limits[k.limit]
}

// limitOf returns the key that a step waits for. The key's limit is empty if the step names no limit.
func (w *world) limitOf(c claim) limitKey {
	return limitKey{limit: w.step(c).limit, key: w.tasks[c.task].tenant}
}

// ahead returns how far ahead the starts of a key have used up its rate, in microseconds. This is at most the burst.
func (w *world) ahead(k limitKey) int64 {
	l := w.bounds(k)
	return max(0, min(w.paid[k].Sub(w.now).Microseconds(), int64(l.burst)*l.interval()))
}

// free returns how many steps of a key may start now.
func (w *world) free(k limitKey) int {
	l, free := w.bounds(k), math.MaxInt
	if k.limit == "" {
		return free
	}
	if l.concurrency != nil {
		running := 0
		for i, t := range w.tasks {
			for n := range t.steps {
				if t.steps[n].state == state.StepInProgress && w.limitOf(claim{task: i, step: n}) == k {
					running++
				}
			}
		}
		free = max(0, int(*l.concurrency)-running)
	}
	if l.rate != nil {
		free = min(free, int((int64(l.burst)*l.interval()-w.ahead(k))/l.interval()))
	}
	return free
}

// charge charges a key for its starts.
func (w *world) charge(k limitKey, starts int) {
	if l := w.bounds(k); k.limit != "" && l.rate != nil {
		w.paid[k] = w.now.Add(time.Duration(w.ahead(k)+int64(starts)*l.interval()) * time.Microsecond)
	}
}

// room counts the ready steps that may start: the steps without a limit, and all steps. It also returns the number of free
// places of each key.
func (w *world) room(ready []claim) (unlimited, all int, free map[limitKey]int) {
	waiting := map[limitKey]int{}
	for _, c := range ready {
		waiting[w.limitOf(c)]++
	}
	free = map[limitKey]int{}
	for k, n := range waiting {
		free[k] = w.free(k)
		all += min(n, free[k])
		if k.limit == "" {
			unlimited = n
		}
	}
	return unlimited, all, free
}

// lostElsewhere reports whether a lost step of another handler holds a place, which a claim may or may not free.
func (w *world) lostElsewhere(handlers []string) bool {
	for _, t := range w.tasks {
		for _, s := range t.steps {
			if handlers != nil && s.limit != "" && s.handler != handlers[0] && s.state == state.StepInProgress && !s.leaseUntil.After(w.now) {
				return true
			}
		}
	}
	return false
}
