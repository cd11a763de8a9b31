package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/listen"
)

// running is the steps whose handlers run.
type running struct {
	mu    sync.Mutex
	steps map[executor.StepClaim]*runningStep
}

type runningStep struct {
	cancel  context.CancelCauseFunc
	renewed time.Time
}

func (r *running) add(claim executor.StepClaim, cancel context.CancelCauseFunc, claimedAt time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps[claim] = &runningStep{cancel: cancel, renewed: claimedAt}
}

func (r *running) remove(claim executor.StepClaim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.steps, claim)
}

// end cancels a step's handler, and says whether it ran.
func (r *running) end(claim executor.StepClaim, cause error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	step, found := r.steps[claim]
	if found {
		step.cancel(cause)
	}
	return found
}

// renewedBefore returns steps whose leases were last renewed before t.
func (r *running) renewedBefore(t time.Time) []executor.StepClaim {
	r.mu.Lock()
	defer r.mu.Unlock()
	var claims []executor.StepClaim
	for claim, step := range r.steps {
		if step.renewed.Before(t) {
			claims = append(claims, claim)
		}
	}
	return claims
}

func (r *running) renew(claims []executor.StepClaim, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, claim := range claims {
		if step, found := r.steps[claim]; found {
			step.renewed = at
		}
	}
}

// renewLeases renews the leases of running steps well before they end, and cancels the handlers of those
// that are no longer ours. A handler that continues when the worker should have stopped loses its lease.
func (r *run) renewLeases(ctx context.Context) {
	every := r.config.Lease / 4
	ticker := time.NewTicker(every / 2)
	defer ticker.Stop()
	for {
		var before time.Time
		select {
		case <-ctx.Done():
			return
		case <-r.handlers.Done():
			return
		case <-ticker.C:
			before = time.Now().Add(-every / 2)
		case <-r.cancelled:
			before = time.Now()
		}
		claims := r.steps.renewedBefore(before)
		for len(claims) > 0 {
			n := min(len(claims), maxBatch)
			r.extend(ctx, claims[:n])
			claims = claims[n:]
		}
	}
}

func (r *run) extend(ctx context.Context, claims []executor.StepClaim) {
	at := time.Now()
	err := r.once(ctx, func(ctx context.Context) error {
		answers, err := r.db.ExtendLeases(ctx, claims, r.config.Lease)
		var extended []executor.StepClaim
		for _, answer := range answers {
			claim := executor.StepClaim{StepUUID: answer.StepUUID, ClaimNo: answer.ClaimNo}
			switch answer.Answer {
			case "extended":
				extended = append(extended, claim)
			case "busy": // the next time
			default:
				_ = r.endStep(claim, answer.Answer) // said to the handler, not to us
			}
		}
		r.steps.renew(extended, at)
		return err
	})
	if err != nil && ctx.Err() == nil {
		r.log.Warn("leases could not be renewed; trying again", "steps", len(claims), "error", err)
	}
}

// endStep cancels the handler of a step that an answer says is no longer ours, and returns why.
func (r *run) endStep(claim executor.StepClaim, answer string) error {
	cause := ErrLost
	if answer == "cancelled" {
		cause = ErrCancelled
	}
	if r.steps.end(claim, cause) {
		r.log.Warn("a running handler is cancelled", r.facts.of(claim), "answer", answer)
	}
	return cause
}

const (
	beatEvery = 15 * time.Second
	beatRetry = time.Second
)

// bePresent enters the worker in the table of workers and keeps it seen there, and looks how far the
// server's clock is from ours.
func (r *run) bePresent(ctx context.Context) {
	registered := false
	unserved := unserved{warned: map[string]time.Time{}}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		var err error
		registered, err = r.beat(ctx, registered)
		timer.Reset(jittered(beatEvery))
		if err == nil {
			if err := unserved.warn(ctx, r); err != nil && ctx.Err() == nil {
				r.log.Warn("querying steps without a handler failed", "error", err)
			}
		}
		if err != nil && ctx.Err() == nil {
			r.log.Warn("heartbeat failed", "error", err)
			timer.Reset(jittered(min(beatRetry, beatEvery)))
			if refuses(err) {
				timer.Reset(jittered(max(beatRetry, r.config.PollInterval)))
			}
		}
	}
}

func (r *run) beat(ctx context.Context, registered bool) (bool, error) {
	err := r.once(ctx, func(ctx context.Context) error {
		if err := r.offset.measure(ctx, r.db); err != nil {
			return err
		}
		ids := slices.Clone(r.uuids)
		if r.config.Broker != nil {
			ids = append(ids, r.courier)
		}
		for i, id := range ids {
			known := registered
			if known {
				var err error
				if known, err = r.db.HeartbeatWorker(ctx, id); err != nil {
					return err
				}
			}
			if known {
				continue
			}
			name := r.config.Name
			if i > 0 {
				name = fmt.Sprintf("%s#%d", name, i+1)
			}
			worker := executor.RegisterWorkerParams{
				WorkerUUID: id, Name: name, Namespaces: r.config.Namespaces, Handlers: slices.Sorted(maps.Keys(r.entries)),
			}
			if _, err := r.db.RegisterWorker(ctx, worker); err != nil {
				return err
			}
		}
		registered = true
		return nil
	})
	return registered, err
}

// clockOffset is how far the server's clock is ahead of ours.
type clockOffset struct{ nanoseconds atomic.Int64 }

func (o *clockOffset) measure(ctx context.Context, db database) error {
	before := time.Now()
	server, err := db.Clock(ctx)
	if err != nil {
		return err
	}
	o.nanoseconds.Store(int64(server.Sub(before.Add(time.Since(before) / 2))))
	return nil
}

// local is a time of the server's clock by ours.
func (o *clockOffset) local(t time.Time) time.Time {
	return t.Add(-time.Duration(o.nanoseconds.Load()))
}

// stepsReady is the channel on which the engine announces steps, with a dot and the namespace behind it.
const stepsReady = "tasker_steps_ready."

// channelsEvery is how often the listener checks for new namespaces, and tests its connection.
const channelsEvery = 30 * time.Second

// newListener returns a listener that wakes the loop when steps are announced, and marks in the database that it sleeps.
func (r *run) newListener() *listen.Listener {
	return &listen.Listener{
		Connect: r.config.Connect, Channels: r.channels, PollInterval: channelsEvery, Logger: r.log,
		Hearer: listen.Func(r.hear),
		Marks:  listen.Channels{Sleeper: uuid.New(), Names: func() []string { return r.heard }},
	}
}

func (r *run) channels(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	namespaces := r.config.Namespaces
	if len(namespaces) == 0 {
		all, err := executor.New(conn).ListNamespaces(ctx)
		if err != nil {
			return nil, err
		}
		for _, n := range all {
			namespaces = append(namespaces, n.Name)
		}
	} else if err := conn.Ping(ctx); err != nil {
		return nil, err
	}
	if len(namespaces) == 0 {
		return nil, errors.New("no namespace to listen to")
	}
	channels := make([]string, len(namespaces))
	for i, namespace := range namespaces {
		channels[i] = stepsReady + namespace
	}
	r.heard = channels
	return append(slices.Clip(channels), stepsCancelled), nil
}
