package messagingtest

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/messaging"
)

func order(s *suite) {
	q := s.open()
	bodies := numbered(300)
	s.send(q, bodies[:1]...)
	s.send(q, bodies[1:200]...)
	for _, body := range bodies[200:220] {
		s.send(q, body)
	}
	s.send(q, bodies[220:]...)
	for i, d := range s.receive(q, len(bodies)) {
		equal(s, string(d.Body), bodies[i], "the body at this place")
		equal(s, d.Attempt, 1, "the attempt of a message that was never delivered")
	}
}

func acknowledged(s *suite) {
	q := s.open()
	s.send(q, `1`, `2`)
	first, second := s.one(q), s.one(q)
	s.acknowledge(q, first)
	s.is(q.Acknowledge(s.ctx(), first), messaging.ErrExpired)
	s.is(q.Refuse(s.ctx(), first), messaging.ErrExpired)
	s.is(q.Extend(s.ctx(), first, longLease), messaging.ErrExpired)
	s.must(q.Refuse(s.ctx(), second))
	equal(s, s.one(q).ID, second.ID, "the only message that is left")
}

func refused(s *suite) {
	q := s.open()
	s.must(q.Send(s.ctx(), messaging.Message{
		ID: "order-1", Body: json.RawMessage(`{"n": 1}`), Headers: map[string]string{"traceparent": "00-ab-cd-01"},
	}))
	for attempt := 1; attempt <= 3; attempt++ {
		d := s.one(q)
		equal(s, d.Attempt, attempt, "the attempt")
		equal(s, d.ID, "order-1", "the ID")
		equal(s, d.Headers["traceparent"], "00-ab-cd-01", "the header")
		equal(s, len(d.Headers), 1, "how many headers there are")
		s.must(q.Refuse(s.ctx(), d))
	}
	last := s.one(q)
	s.acknowledge(q, last)
	s.deep(q, 0)
}

func leaseEnded(s *suite) {
	q, other := s.openWith(messaging.Config{Lease: shortLease}), s.open()
	s.send(q, `"slow"`)
	first := s.one(q)
	second := s.one(other)
	equal(s, second.ID, first.ID, "the ID of the message that comes again")
	equal(s, second.Attempt, 2, "its attempt")
	s.is(q.Acknowledge(s.ctx(), first), messaging.ErrExpired)
	s.is(q.Refuse(s.ctx(), first), messaging.ErrExpired)
	s.is(q.Extend(s.ctx(), first, longLease), messaging.ErrExpired)
	s.acknowledge(other, second)
	s.deep(other, 0)
}

func extended(s *suite) {
	q, other := s.openWith(messaging.Config{Lease: 2 * shortLease}), s.open()
	s.send(q, `1`)
	d := s.one(q)
	s.must(q.Extend(s.ctx(), d, longLease))
	s.none(other, 3*shortLease)
	s.must(q.Extend(s.ctx(), d, shortLease))
	equal(s, s.one(other).Attempt, 2, "a lease can be made shorter: the attempt")
	s.is(q.Acknowledge(s.ctx(), d), messaging.ErrExpired)
}

func duplicates(s *suite) {
	q := s.open()
	m := messaging.Message{ID: "charge-7", Body: json.RawMessage(`7`)}
	s.must(q.Send(s.ctx(), m, m))
	s.must(q.Send(s.ctx(), m))
	for _, d := range s.receive(q, 3) {
		equal(s, d.ID, "charge-7", "the ID")
		s.acknowledge(q, d)
	}
	s.send(q, `1`, `1`)
	two := s.receive(q, 2)
	equal(s, two[0].ID != "" && two[0].ID != two[1].ID, true, "messages without an ID get different ones")
}

func poison(s *suite) {
	config := messaging.Config{MaxDeliveries: 3}
	q := s.openWith(config)
	s.must(q.Send(s.ctx(), messaging.Message{
		ID: "poison", Body: json.RawMessage(`{"a": "b"}`), Headers: map[string]string{"h": "1"},
	}))
	for attempt := 1; attempt <= config.MaxDeliveries; attempt++ {
		d := s.one(q)
		equal(s, d.Attempt, attempt, "the attempt")
		s.must(q.Refuse(s.ctx(), d))
	}
	s.send(q, `"good"`)
	good := s.one(q)
	equal(s, string(good.Body), `"good"`, "what comes after the last attempt")
	s.acknowledge(q, good)

	dead := s.openWith(messaging.Config{Name: messaging.DeadLetters(s.name)})
	for range 2 * config.MaxDeliveries {
		d := s.one(dead)
		equal(s, d.ID, "poison", "the ID of the dead letter")
		equal(s, d.Headers["h"], "1", "its header")
		s.sameJSON(d.Body, `{"a": "b"}`)
		s.must(dead.Refuse(s.ctx(), d)) // Dead letters are delivered without limit.
	}
	s.acknowledge(dead, s.one(dead))
	s.deep(dead, 0)
	s.deep(q, 0)
}

func poisonAtOnce(s *suite) {
	q := s.openWith(messaging.Config{MaxDeliveries: 1, Lease: shortLease})
	s.send(q, `"refused"`, `"forgotten"`)
	for _, d := range s.receive(q, 2) {
		if string(d.Body) == `"refused"` {
			s.must(q.Refuse(s.ctx(), d))
		}
	}
	s.none(q, 3*shortLease)
	dead := s.openWith(messaging.Config{Name: messaging.DeadLetters(s.name)})
	bodies := map[string]bool{}
	for _, d := range s.receive(dead, 2) {
		bodies[string(d.Body)] = true
	}
	equal(s, bodies[`"refused"`] && bodies[`"forgotten"`], true, "both are dead letters")
}
