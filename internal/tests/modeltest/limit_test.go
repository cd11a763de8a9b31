package modeltest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// began compares the steps that a claim took with the free places.
func (s *session) began(before int, free map[limitKey]int) {
	s.Helper()
	taken := map[limitKey]int{}
	for _, c := range s.claims[before:] {
		taken[s.limitOf(c)]++
	}
	for k, n := range taken {
		require.LessOrEqual(s, n, free[k], "key %q of limit %q", k.key, k.limit)
		s.charge(k, n)
	}
}

// lookAgain checks the note of a claim that took fewer steps than were ready. The note says that there are more steps, so that
// no place is lost. If only suspects may be left, the note is due in a second, because a worker that runs a suspect postpones
// the other suspects by a second.
func (s *session) lookAgain(suspects bool) {
	s.Helper()
	latest := s.now
	if suspects {
		latest = latest.Add(time.Second)
	}
	due, err := s.e.NextDueAt(s.Context(), nil, false)
	require.NoError(s, err)
	require.True(s, due != nil && !due.After(latest), "the next claim is due at %s, not at %s", latest, due)
}

// setLimit changes the bounds of a limit, except its rate, since the engine keeps payments of another rate differently.
func (s *session) setLimit(name string, concurrency *int32) {
	s.Helper()
	l := s.limits[name]
	l.concurrency = concurrency
	s.limits[name] = l
	s.say("limit %s: %s at once", name, places(concurrency))
	_, err := s.e.SetLimit(s.Context(), sqlfn.SetLimitParams{
		Namespace: s.plan.namespace, Name: name, Concurrency: concurrency, Rate: l.rate, PerSeconds: l.period, Burst: l.burst,
	})
	require.NoError(s, err)
}

// setLimitKey gives one key of a limit bounds of its own, with the rate of the limit, or removes the key's bounds.
func (s *session) setLimitKey(k limitKey, concurrency *int32) {
	s.Helper()
	if _, ok := s.own[k]; ok {
		s.dropLimitKey(k)
		return
	}
	l := s.limits[k.limit]
	l.concurrency = concurrency
	s.own[k] = l
	s.say("limit %s, key %q: %s at once", k.limit, k.key, places(concurrency))
	key, err := s.e.SetLimitKey(s.Context(), sqlfn.SetLimitKeyParams{
		Namespace: s.plan.namespace, Name: k.limit, LimitKey: k.key, Concurrency: concurrency, Rate: l.rate, PerSeconds: l.period, Burst: l.burst,
	})
	require.NoError(s, err)
	require.Equal(s, concurrency, key.Concurrency)
	require.True(s, key.OwnBounds)
}

func (s *session) dropLimitKey(k limitKey) {
	s.Helper()
	delete(s.own, k)
	s.say("limit %s, key %q: no bounds of its own", k.limit, k.key)
	gone, err := s.e.DropLimitKey(s.Context(), s.plan.namespace, k.limit, k.key)
	require.NoError(s, err)
	require.True(s, gone)
}

func places(concurrency *int32) string {
	if concurrency == nil {
		return "any"
	}
	return fmt.Sprint(*concurrency)
}

// setLimits sets the first bounds of a session's limits, after the rates of the previous session are restored.
func (s *session) setLimits() {
	s.Helper()
	s.paid, s.own = map[limitKey]time.Time{}, map[limitKey]limit{}
	s.limits = map[string]limit{"places": {}, "rate": {
		rate: new(int32(1 + s.r.IntN(3))), period: int32(1 + s.r.IntN(5)), burst: int32(1 + s.r.IntN(3)),
	}}
	s.pass(2 * time.Minute) // No step accepts the events of another session.
	for _, name := range limitNames {
		s.setLimit(name, s.randomPlaces())
	}
}

// randomPlaces returns no bound, or a bound of zero to four places.
func (s *session) randomPlaces() *int32 {
	if s.r.IntN(4) == 0 {
		return nil
	}
	return new(int32(s.r.IntN(5)))
}
