package messagingtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/messaging"
)

const (
	// within is how long anything may take that has to happen, on a busy machine too.
	within = 30 * time.Second
	// shortLease is the shortest that there is.
	shortLease = time.Second
	// longLease does not end while a test runs.
	longLease = 10 * time.Minute
)

// suite is one test with a queue of its own.
type suite struct {
	*testing.T
	broker Broker
	name   string
}

// newName returns a name that no other queue has.
func newName() string { return "suite_" + strings.ReplaceAll(uuid.NewString(), "-", "") }

// open opens the test's queue once more, with a lease that does not end.
func (s *suite) open() messaging.Queue {
	s.Helper()
	return s.openWith(messaging.Config{})
}

// openWith opens a queue with this configuration: the test's own, unless it has a name.
func (s *suite) openWith(config messaging.Config) messaging.Queue {
	s.Helper()
	if config.Name == "" {
		config.Name = s.name
	}
	if config.Lease == 0 {
		config.Lease = longLease
	}
	q := s.broker.Open(s.T, config)
	s.Cleanup(func() {
		if err := q.Close(); err != nil {
			s.Errorf("close the queue: %v", err)
		}
	})
	return q
}

// must ends the test if there is an error.
func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("unexpected error: %v", err)
	}
}

// is ends the test unless an error is the one that is expected.
func (s *suite) is(err, target error) {
	s.Helper()
	if !errors.Is(err, target) {
		s.Fatalf("the error is %v, not %v", err, target)
	}
}

// equal ends the test unless two values are equal.
func equal[V comparable](s *suite, got, want V, what string) {
	s.Helper()
	if got != want {
		s.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// ctx returns a context for events that have to happen.
func (s *suite) ctx() context.Context {
	ctx, cancel := context.WithTimeout(s.Context(), within)
	s.Cleanup(cancel)
	return ctx
}

// send sends these JSON texts.
func (s *suite) send(q messaging.Queue, bodies ...string) {
	s.Helper()
	messages := make([]messaging.Message, len(bodies))
	for i, body := range bodies {
		messages[i].Body = json.RawMessage(body)
	}
	s.must(q.Send(s.ctx(), messages...))
}

// receive receives exactly so many messages.
func (s *suite) receive(q messaging.Queue, count int) []messaging.Delivery {
	s.Helper()
	ctx := s.ctx()
	var all []messaging.Delivery
	for len(all) < count {
		some, err := q.Receive(ctx, min(count-len(all), messaging.MaxBatch))
		if err != nil {
			s.Fatalf("%d of %d messages came, then: %v", len(all), count, err)
		}
		if len(some) == 0 || len(some) > count-len(all) {
			s.Fatalf("Receive returned %d messages of 1 to %d", len(some), count-len(all))
		}
		all = append(all, some...)
	}
	return all
}

// one receives one message.
func (s *suite) one(q messaging.Queue) messaging.Delivery {
	s.Helper()
	return s.receive(q, 1)[0]
}

// none ends the test if a message comes in this time.
func (s *suite) none(q messaging.Queue, wait time.Duration) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), wait)
	defer cancel()
	got, err := q.Receive(ctx, 1)
	if len(got) > 0 {
		s.Fatalf("message %s came, attempt %d", got[0].ID, got[0].Attempt)
	}
	s.is(err, context.DeadlineExceeded)
}

// acknowledge acknowledges deliveries.
func (s *suite) acknowledge(q messaging.Queue, deliveries ...messaging.Delivery) {
	s.Helper()
	for _, d := range deliveries {
		s.must(q.Acknowledge(s.ctx(), d))
	}
}

// deep ends the test unless the queue reaches this depth.
func (s *suite) deep(q messaging.Queue, want int64) {
	s.Helper()
	var got int64
	s.eventually(fmt.Sprintf("the depth becomes %d", want), func() bool {
		var err error
		got, err = q.Depth(s.ctx())
		s.must(err)
		return got == want
	}, &got)
}

// eventually asks again and again until something holds.
func (s *suite) eventually(what string, holds func() bool, last any) {
	s.Helper()
	overdue := time.After(within)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-overdue:
			s.Fatalf("waited for this in vain: %s; last seen: %v", what, shown(last))
		}
	}
}

func shown(last any) any {
	if n, ok := last.(*int64); ok {
		return *n
	}
	return last
}

// numbered returns the JSON texts of the numbers from 0.
func numbered(count int) []string {
	bodies := make([]string, count)
	for i := range bodies {
		bodies[i] = fmt.Sprint(i)
	}
	return bodies
}
