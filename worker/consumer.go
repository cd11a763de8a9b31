package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/stepmessage"
	"github.com/pgtasker/pgtasker/messaging"
)

const (
	// brokered is the transport of namespaces whose steps arrive as messages of a broker.
	brokered = "broker"
	// listEvery is the time after which a worker again reads which namespaces have this transport.
	listEvery = 10 * time.Second
	// receiveFor is how long a courier waits for messages before it counts the free places again.
	receiveFor = 10 * time.Second
	// A message of a later lane waits for an earlier lane if the earlier lane had a message in the last busyRounds rounds. The
	// wait is twice the time that the last message of the earlier lane took to arrive, but within these bounds, so that a slow
	// broker does not reverse the order. In a fixed number of rounds each lane comes first at least once.
	graceOfLanes = 20 * time.Millisecond
	mostOfGrace  = 400 * time.Millisecond
	busyRounds   = 12
	// idleAfter is the longest time that even a slow broker takes to deliver a message that was in the queue from the
	// beginning. A message that takes longer was sent during the wait.
	idleAfter = 2 * time.Second
	// giveBackAfter is how long the worker keeps a message whose step it cannot claim now, before it returns the message to the
	// broker.
	giveBackAfter = time.Second
	// acknowledgeWithin bounds the time for acknowledging messages, even while the worker stops.
	acknowledgeWithin = 5 * time.Second
)

// carry runs, until ctx ends, a courier for each of the worker's namespaces whose steps arrive as messages.
func (r *run) carry(ctx context.Context) {
	couriers := map[string]*courier{}
	var all sync.WaitGroup
	defer all.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		timer.Reset(jittered(listEvery))
		var namespaces []gen.TaskNamespace
		err := r.once(ctx, "listing namespaces", func(ctx context.Context) (err error) {
			namespaces, err = r.db.ListNamespaces(ctx)
			return err
		})
		if err != nil {
			timer.Reset(jittered(time.Second))
			continue
		}
		wanted := map[string]bool{}
		for _, n := range namespaces {
			if n.Transport == brokered && (len(r.config.Namespaces) == 0 || slices.Contains(r.config.Namespaces, n.Name)) {
				wanted[n.Name] = true
				if couriers[n.Name] == nil {
					c := &courier{run: r, namespace: n.Name}
					c.ctx, c.cancel = context.WithCancel(ctx)
					couriers[n.Name] = c
					all.Go(c.work)
				}
			}
		}
		for name, c := range couriers {
			if !wanted[name] {
				c.cancel()
				delete(couriers, name)
			}
		}
	}
}

// courier brings the steps of one namespace from the queues of its lanes to the loop.
type courier struct {
	*run
	namespace string
	ctx       context.Context
	cancel    context.CancelFunc
	queues    []messaging.Queue // by lane
	round     int
	full      bool             // the last round brought as many messages as there were free places
	brought   [3]int           // the last round in which each lane had a message. In the first rounds every lane counts as busy
	took      [3]time.Duration // for each lane, how long a message that was already in the queue took to arrive
	later     sync.WaitGroup   // goroutines that return messages later
}

// parcel is a message and its step.
type parcel struct {
	queue    messaging.Queue
	delivery messaging.Delivery
	step     stepmessage.Body
	readable bool
	group    *group // the group in which a place is kept for the step, nil if no place is kept
	full     bool   // the worker has no place at all
}

func (c *courier) work() {
	defer c.cancel()
	defer func() {
		c.later.Wait()
		for _, queue := range c.queues {
			_ = queue.Close()
		}
	}()
	failures := 0
	for c.ctx.Err() == nil {
		err := c.turn()
		if err == nil {
			c.watch.Worked("taking steps from the broker")
			failures = 0
			continue
		}
		if c.ctx.Err() != nil {
			return
		}
		failures++
		c.watch.FailedElsewhere("taking steps from the broker", err, "namespace", c.namespace)
		_ = pause(c.ctx, jittered(min(firstRetry<<min(failures, 8), 5*time.Second)))
	}
}

// turn waits for a free place, then for messages, and handles them.
func (c *courier) turn() error {
	for _, lane := range stepmessage.Lanes()[len(c.queues):] {
		queue, err := c.config.Broker(c.ctx, stepmessage.Queue(c.namespace, lane))
		if err != nil {
			return err
		}
		c.queues = append(c.queues, queue)
	}
	free, ok := c.places()
	if !ok {
		return nil
	}
	parcels, err := c.receive(min(free, messaging.MaxBatch/2))
	if len(parcels) > 0 {
		err = errors.Join(err, c.deal(parcels))
	}
	return err
}

// places waits until the loop has free places, and returns their number.
func (c *courier) places() (int, bool) {
	free := make(chan int, 1)
	select {
	case c.asks <- func(l *loop) { l.hungry = append(l.hungry, free) }:
	case <-c.over:
		return 0, false
	case <-c.ctx.Done():
		return 0, false
	}
	select {
	case n := <-free:
		return n, true
	case <-c.over:
	case <-c.ctx.Done():
	}
	return 0, false
}

// feed reports the number of free places to waiting couriers.
func (l *loop) feed() {
	if l.free <= 0 || l.stopping {
		return
	}
	for _, waits := range l.hungry {
		waits <- l.free
	}
	l.hungry = l.hungry[:0]
}

// order returns the lanes, by number, in the order in which their messages are taken: mostly the fast lane first, but every fourth time the
// normal lane and every twelfth time the slow lane, so that no lane starves.
func (c *courier) order() [3]int {
	c.round++
	switch {
	case c.round%12 == 0:
		return [3]int{2, 1, 0}
	case c.round%4 == 0:
		return [3]int{1, 0, 2}
	}
	return [3]int{0, 1, 2}
}

// receive waits for messages of all lanes, and returns them in the order in which the worker should take them. A message of a
// later lane waits a moment for earlier lanes that had messages recently.
func (c *courier) receive(free int) ([]parcel, error) {
	ctx, end := context.WithTimeout(c.ctx, receiveFor)
	defer end()
	order := c.order()
	var got [3][]messaging.Delivery
	var errs [3]error
	var lanes sync.WaitGroup
	began := time.Now()
	var came [3]time.Duration
	for i, lane := range order {
		most := free
		if i > 0 && c.full {
			most = max(1, free/4)
		}
		lanes.Go(func() {
			got[i], errs[i] = c.queues[lane].Receive(ctx, most)
			if ctx.Err() != nil && len(got[i]) == 0 {
				errs[i] = nil
				return
			}
			came[i] = time.Since(began)
			_ = pause(ctx, c.grace(order[:i]))
			end()
		})
	}
	lanes.Wait()
	brought := 0
	for _, deliveries := range got {
		if len(deliveries) > 0 {
			brought++
		}
	}
	var parcels []parcel
	for i, lane := range order {
		if len(got[i]) > 0 {
			c.brought[lane] = c.round
			// If only one lane brought messages, its time may show only how long the lane was empty, unless there were as many
			// messages as free places.
			if came[i] < idleAfter && (brought > 1 || c.full) {
				c.took[lane] = came[i]
			}
		}
		for _, d := range got[i] {
			p := parcel{queue: c.queues[lane], delivery: d}
			p.readable = json.Unmarshal(d.Body, &p.step) == nil && p.step.StepUUID != uuid.Nil
			parcels = append(parcels, p)
		}
	}
	c.full = len(parcels) >= free
	return parcels, errors.Join(errs[:]...)
}

// grace returns how long a message waits for messages of earlier lanes.
func (c *courier) grace(earlier []int) (longest time.Duration) {
	for _, lane := range earlier {
		if c.round-c.brought[lane] <= busyRounds {
			longest = max(longest, min(max(graceOfLanes, 2*c.took[lane]), mostOfGrace))
		}
	}
	return longest
}

// deal claims the steps of as many messages as there are places, gives the steps to the loop, and acknowledges the messages.
func (c *courier) deal(parcels []parcel) error {
	held := make(chan struct{})
	select {
	case c.asks <- func(l *loop) { l.hold(parcels); close(held) }:
		<-held
	case <-c.over:
		return nil // the messages return to the broker when the queues are closed
	}
	var steps []uuid.UUID
	for _, p := range parcels {
		if p.group != nil {
			steps = append(steps, p.step.StepUUID)
		}
	}
	var reply direct.ExchangeReply
	at := time.Now()
	err := c.persistUnless(pgerr.ToMend, c.calls, "claiming steps that messages bring", func(ctx context.Context) (err error) {
		if len(steps) > 0 {
			at = time.Now()
			reply, err = c.db.ClaimDeliveredSteps(ctx, steps, c.courier, c.config.Lease)
		}
		return err
	})
	c.asks <- func(l *loop) { l.takeCarried(parcels, reply.Claimed, c.courier, at) } // the loop waits: it keeps places for these steps
	c.answer(parcels, reply)
	return err
}

// hold keeps places for the steps of messages in the order of the messages, and marks the messages whose steps have a place.
func (l *loop) hold(parcels []parcel) {
	l.starting++
	for i := range parcels {
		g := l.groupOf[parcels[i].step.Handler]
		if parcels[i].readable && g != nil && g.free > 0 && l.free > 0 && !l.stopping {
			parcels[i].group = g
			l.giveBack([]*group{g}, -1)
		}
		parcels[i].full = parcels[i].group == nil && (l.free <= 0 || l.stopping)
	}
}

// takeCarried begins the claimed steps, and frees the unused places.
func (l *loop) takeCarried(parcels []parcel, claimed []gen.ClaimedStep, worker uuid.UUID, at time.Time) {
	l.starting--
	l.counts.claimed.Add(int64(len(claimed)))
	for _, p := range parcels {
		if p.group == nil {
			continue
		}
		n := slices.IndexFunc(claimed, func(s gen.ClaimedStep) bool { return s.StepUUID == p.step.StepUUID })
		if n < 0 {
			l.giveBack([]*group{p.group}, 1)
			continue
		}
		step := claimed[n]
		claimed = slices.Delete(slices.Clone(claimed), n, n+1)
		// The message may be wrong about the handler.
		if real := l.groupOf[step.Handler]; real != p.group {
			p.group.free++
			if real != nil {
				real.free--
			}
		}
		l.take(exchangeCall{Exchange: direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: worker}}, sent: at}, step)
	}
	l.lastEvent, l.asked = time.Now(), false
	l.beginQueued(time.Now())
}

// answer acknowledges the messages of steps that were claimed or no longer exist, and returns the other messages to the broker.
// It returns a message at once if this worker only lacked a place, and otherwise after a while.
func (c *courier) answer(parcels []parcel, reply direct.ExchangeReply) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), acknowledgeWithin)
	defer cancel()
	byStep := map[uuid.UUID]gen.ResultAnswer{}
	for _, a := range reply.Answers {
		byStep[a.StepUUID] = a.Answer
	}
	for _, s := range reply.Claimed {
		byStep[s.StepUUID] = gen.ResultAnswerGone
	}
	paused := false
	for _, p := range parcels {
		var err error
		switch answer := byStep[p.step.StepUUID]; {
		case !p.readable:
			c.log.Error("a message that brings no step was dropped", "namespace", c.namespace, "message", p.delivery.ID)
			err = p.queue.Acknowledge(ctx, p.delivery)
		case answer == gen.ResultAnswerGone:
			err = p.queue.Acknowledge(ctx, p.delivery)
		case p.group == nil && p.full && answer == "":
			err = p.queue.Refuse(ctx, p.delivery)
		default:
			if answer != "" && !slices.Contains([]gen.ResultAnswer{gen.ResultAnswerPaused, gen.ResultAnswerLimited, gen.ResultAnswerBusy}, answer) {
				c.log.Error("the database answered a delivery in a way that this worker does not know: the message is given back",
					"namespace", c.namespace, "answer", answer)
			}
			paused = paused || answer == gen.ResultAnswerPaused
			c.later.Go(func() {
				_ = pause(c.ctx, jittered(giveBackAfter))
				ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), acknowledgeWithin)
				defer cancel()
				_ = p.queue.Refuse(ctx, p.delivery) // if this fails, the message comes again when its lease ends
			})
		}
		if err != nil && !errors.Is(err, messaging.ErrExpired) {
			c.log.Warn("answering a message failed; it comes again", "namespace", c.namespace, "error", err)
		}
	}
	if paused {
		_ = pause(c.ctx, jittered(2*giveBackAfter))
	}
}
