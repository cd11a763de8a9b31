package messagingtest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/messaging"
)

func depth(s *suite) {
	q := s.open()
	s.deep(q, 0)
	s.send(q, numbered(5)...)
	s.deep(q, 5)
	held := s.receive(q, 2)
	s.deep(q, 3)
	s.must(q.Refuse(s.ctx(), held[0]))
	s.deep(q, 4)
	s.acknowledge(q, held[1])
	s.deep(q, 4)
	for _, d := range s.receive(q, 4) {
		s.acknowledge(q, d)
	}
	s.deep(q, 0)
}

func concurrent(s *suite) {
	const messages, processes, receivers = 400, 3, 2
	sender := s.open()
	ctx, stop := context.WithCancel(s.ctx())
	defer stop()
	var mu sync.Mutex
	seen := map[string]int{}
	var running sync.WaitGroup
	for range processes {
		q := s.open()
		for range receivers {
			running.Go(func() {
				for {
					got, err := q.Receive(ctx, 7)
					if err != nil {
						return
					}
					for _, d := range got {
						if err := q.Acknowledge(ctx, d); err != nil {
							s.Errorf("acknowledge: %v", err)
						}
						mu.Lock()
						seen[string(d.Body)]++
						if len(seen) == messages {
							stop()
						}
						mu.Unlock()
					}
				}
			})
		}
	}
	bodies := numbered(messages)
	for range 2 {
		part := bodies[:messages/2]
		bodies = bodies[messages/2:]
		running.Go(func() {
			for i := 0; i < len(part); i += 20 {
				s.send(sender, part[i:i+20]...)
			}
		})
	}
	running.Wait()
	equal(s, len(seen), messages, "how many messages came")
	for body, count := range seen {
		equal(s, count, 1, "how often message "+body+" came")
	}
	s.deep(sender, 0)
}

func waiting(s *suite) {
	q, sender := s.open(), s.open()
	s.none(q, 100*time.Millisecond)
	type answer struct {
		got []messaging.Delivery
		err error
	}
	answers := make(chan answer, 1)
	ctx := s.ctx()
	go func() {
		got, err := q.Receive(ctx, messaging.MaxBatch)
		answers <- answer{got, err}
	}()
	s.send(sender, `"here"`)
	a := <-answers
	s.must(a.err)
	equal(s, string(a.got[0].Body), `"here"`, "what came")
	s.acknowledge(q, a.got...)
}

// stopsWaiting has the waits of a receiver end at any time while messages come. The leases do not end: a message that was taken by
// a call which returned an error would not come again.
func stopsWaiting(s *suite) {
	const messages = 200
	q, sender := s.open(), s.open()
	var sending sync.WaitGroup
	sending.Go(func() {
		for _, body := range numbered(messages) {
			s.send(sender, body)
		}
	})
	seen := map[string]bool{}
	ctx := s.ctx()
	for round := 0; len(seen) < messages; round++ {
		waiting, stop := context.WithTimeout(ctx, time.Duration(round%50)*200*time.Microsecond)
		got, err := q.Receive(waiting, 3)
		stop()
		if ctx.Err() != nil {
			s.Fatalf("%d of %d messages came: the others were taken by calls that returned an error", len(seen), messages)
		}
		if err != nil {
			s.is(err, context.DeadlineExceeded)
		}
		for _, d := range got {
			seen[string(d.Body)] = true
			s.acknowledge(q, d)
		}
	}
	sending.Wait()
	s.deep(q, 0)
}

func closedReceiver(s *suite) {
	gone, other := s.openWith(messaging.Config{Lease: 2 * shortLease}), s.open()
	s.send(gone, `1`, `2`)
	held := s.one(gone)
	s.must(gone.Close())
	ids := map[string]bool{}
	for _, d := range s.receive(other, 2) {
		ids[d.ID] = true
		s.acknowledge(other, d)
	}
	equal(s, ids[held.ID] && len(ids) == 2, true, "the other receiver gets both")
}

func closed(s *suite) {
	q := s.open()
	s.send(q, `1`)
	d := s.one(q)
	blocked := make(chan error, 1)
	ctx := s.ctx()
	go func() {
		_, err := q.Receive(ctx, 1)
		blocked <- err
	}()
	s.must(q.Close())
	s.is(<-blocked, messaging.ErrClosed)
	s.must(q.Close())
	_, err := q.Receive(s.ctx(), 1)
	s.is(err, messaging.ErrClosed)
	_, err = q.Depth(s.ctx())
	s.is(err, messaging.ErrClosed)
	s.is(q.Send(s.ctx(), d.Message), messaging.ErrClosed)
	s.is(q.Acknowledge(s.ctx(), d), messaging.ErrClosed)
	s.is(q.Refuse(s.ctx(), d), messaging.ErrClosed)
	s.is(q.Extend(s.ctx(), d, longLease), messaging.ErrClosed)
}

func disconnected(s *suite) {
	const messages = 60
	q := s.openWith(messaging.Config{Lease: 2 * shortLease, MaxDeliveries: -1})
	sender := s.openWith(messaging.Config{MaxDeliveries: -1})
	bodies := numbered(messages)
	s.send(sender, bodies[:messages/2]...)
	held := s.receive(q, 5)
	s.acknowledge(q, held[0])

	s.broker.Disconnect(s.T)
	// A message that was received before may be acknowledged still, or has been given to the others.
	seen := map[string]bool{string(held[0].Body): true}
	if err := q.Acknowledge(s.ctx(), held[1]); err == nil {
		seen[string(held[1].Body)] = true
	} else if !errors.Is(err, messaging.ErrExpired) {
		s.Logf("acknowledging over a lost connection: %v", err)
	}
	for i, body := range bodies[messages/2:] {
		if i%10 == 5 {
			s.broker.Disconnect(s.T)
		}
		// The sender does not know whether a message whose Send failed was kept: it sends it again.
		s.eventually("a message can be sent", func() bool {
			return sender.Send(s.ctx(), messaging.Message{ID: body, Body: []byte(body)}) == nil
		}, body)
	}
	s.eventually("all messages come", func() bool {
		got, err := q.Receive(s.ctx(), 10)
		s.must(err)
		for _, d := range got {
			if q.Acknowledge(s.ctx(), d) == nil {
				seen[string(d.Body)] = true
			}
		}
		return len(seen) == messages
	}, seen)
}
