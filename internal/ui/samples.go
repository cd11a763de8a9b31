package ui

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/gen"
)

// How queues are remembered: for an hour, a figure each 15 seconds, for as many tokens.
const (
	sampleEvery = 15 * time.Second
	sampleFor   = time.Hour
	sampledFor  = 100
)

// depth is how a queue was at a time.
type depth struct {
	at             time.Time
	ready, running int64
	oldest         float64
}

// samples remember how long queues were while the overview was watched: the database keeps no history of that. Each
// token has its own, since it sees its own namespaces.
type samples struct {
	mutex sync.Mutex
	of    map[[sha256.Size]byte][]depth
}

func newSamples() *samples { return &samples{of: map[[sha256.Size]byte][]depth{}} }

// note remembers the queues as they are now, and returns all that is remembered.
func (s *samples) note(token string, now time.Time, queues []gen.QueueHealth) []depth {
	d := depth{at: now}
	for _, q := range queues {
		d.ready += q.ReadySteps
		d.running += q.LeasedSteps
		if !q.Paused {
			d.oldest = max(d.oldest, q.OldestReadySeconds)
		}
	}
	key := sha256.Sum256([]byte(token))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	kept := s.of[key]
	for len(kept) > 0 && (now.Sub(kept[0].at) > sampleFor || kept[0].at.After(now)) {
		kept = kept[1:]
	}
	if n := len(kept); n == 0 || now.Sub(kept[n-1].at) >= sampleEvery {
		kept = append(kept[:n:n], d)
	} else {
		kept = append(kept[:n-1:n-1], depth{
			at: kept[n-1].at, ready: max(kept[n-1].ready, d.ready), running: max(kept[n-1].running, d.running), oldest: max(kept[n-1].oldest, d.oldest),
		})
	}
	if _, known := s.of[key]; !known && len(s.of) >= sampledFor {
		for other := range s.of {
			delete(s.of, other)
			break
		}
	}
	s.of[key] = kept
	return append(kept[:len(kept):len(kept)], d)
}
