package rabbitmq

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/messaging"
)

// holds are the leases of the messages that were received over a session. A delivery is ended once: by its timer or by its receiver.
type holds struct {
	mu    sync.Mutex
	byTag map[uint64]*time.Timer
}

// begin calls giveBack when the lease has ended, unless the receiver has ended it before.
func (h *holds) begin(tag uint64, lease time.Duration, giveBack func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byTag == nil {
		h.byTag = map[uint64]*time.Timer{}
	}
	h.byTag[tag] = time.AfterFunc(lease, func() {
		if h.end(tag) {
			giveBack()
		}
	})
}

// end reports whether the delivery was held until now, and is no longer.
func (h *holds) end(tag uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	timer, held := h.byTag[tag]
	if held {
		timer.Stop()
		delete(h.byTag, tag)
	}
	return held
}

// extend reports whether the delivery is held, now for so long.
func (h *holds) extend(tag uint64, lease time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	timer, held := h.byTag[tag]
	if held {
		timer.Reset(lease)
	}
	return held
}

// drop ends all leases without giving anything back: the broker does.
func (h *holds) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for tag, timer := range h.byTag {
		timer.Stop()
		delete(h.byTag, tag)
	}
}

// Acknowledge implements [messaging.Queue]. The broker does not confirm acknowledgements: if the connection is lost
// right after, the message may come again.
func (q *queue) Acknowledge(_ context.Context, delivery messaging.Delivery) error {
	s, tag, err := q.held(delivery)
	if err != nil {
		return err
	}
	if !s.holds.end(tag) {
		return messaging.ErrExpired
	}
	return lost(s.in.Ack(tag, false))
}

// Refuse implements [messaging.Queue].
func (q *queue) Refuse(_ context.Context, delivery messaging.Delivery) error {
	s, tag, err := q.held(delivery)
	if err != nil {
		return err
	}
	if !s.holds.end(tag) {
		return messaging.ErrExpired
	}
	return lost(s.in.Nack(tag, false, true))
}

// Extend implements [messaging.Queue].
func (q *queue) Extend(_ context.Context, delivery messaging.Delivery, lease time.Duration) error {
	if err := messaging.CheckLease(lease); err != nil {
		return err
	}
	s, tag, err := q.held(delivery)
	if err != nil {
		return err
	}
	if !s.holds.extend(tag, lease) {
		return messaging.ErrExpired
	}
	return nil
}

// held returns the session over which a delivery came, if that is still there, and its number in it.
func (q *queue) held(delivery messaging.Delivery) (*session, uint64, error) {
	number, tag, err := parse(delivery.Receipt)
	q.mu.Lock()
	s := q.current
	q.mu.Unlock()
	switch {
	case q.closed.Err() != nil:
		return nil, 0, messaging.ErrClosed
	case err != nil:
		return nil, 0, err
	case s == nil || s.number != number:
		return nil, 0, fmt.Errorf("its connection was lost: %w", messaging.ErrExpired)
	}
	return s, tag, nil
}

func parse(receipt string) (session int64, tag uint64, err error) {
	number, rest, _ := strings.Cut(receipt, "/")
	session, err = strconv.ParseInt(number, 10, 64)
	if err == nil {
		tag, err = strconv.ParseUint(rest, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%.100q is no receipt of this queue: %w", receipt, messaging.ErrInvalid)
	}
	return session, tag, nil
}

// lost says of an answer that did not reach the broker that the message comes again.
func lost(err error) error {
	if err != nil {
		return fmt.Errorf("%w: %w", messaging.ErrExpired, err)
	}
	return nil
}
