package serve

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// stepsCancelled is the channel on which the engine notifies a worker that some of its running steps should stop. The payload
// is the worker's UUID.
const stepsCancelled = "tasker_cancelled"

// leasesOperation renews leases. It may wait until one of the worker's steps is cancelled. While it waits, it holds no
// connection.
var leasesOperation = operation{
	method: http.MethodPost, path: "/v1/leases", id: "extendLeases", summary: "Renew the leases of running steps",
	description: "One answer for each, in order; a worker stops a handler whose step is stale or cancelled. With wait_seconds and worker_uuid, " +
		"and if every lease is renewed, it answers when a running step of the worker is cancelled, or when the time is over: the leases are " +
		"renewed again then. docs/http-workers.md is the protocol.",
	writes: true,
	in:     reflect.TypeFor[leasesIn](), out: reflect.TypeFor[pageBody[gen.StepLease]](),
	outside: func(ctx context.Context, s *Server, c *caller, in any) (any, error) {
		return s.extendLeases(ctx, c, *in.(*leasesIn))
	},
}

type leasesIn struct {
	releaseIn
	LeaseSeconds int32       `json:"lease_seconds" minimum:"0" maximum:"86400" doc:"For how long from now; 0 is the setting lease_seconds."`
	WorkerUUID   *uuid.UUID  `json:"worker_uuid" doc:"Whose cancelled steps end the wait: the UUID that the process sends with its exchanges."`
	Others       []uuid.UUID `json:"other_worker_uuids" doc:"Further ones, of a process that has several exchanges under way, each with a UUID of its own."`
	WaitSeconds  int32       `json:"wait_seconds" minimum:"0" maximum:"3600" doc:"How long to wait for a cancellation; the server may have a shorter limit."`
}

func (in leasesIn) check() error {
	switch {
	case in.LeaseSeconds < 0 || in.WaitSeconds < 0:
		return invalid("lease_seconds and wait_seconds cannot be negative", "Leave them out for the defaults.")
	case in.WaitSeconds > 0 && in.WorkerUUID == nil:
		return invalid("wait_seconds needs worker_uuid", "Send the UUID of the exchanges, whose cancelled steps end the wait.")
	}
	return nil
}

// extendLeases renews leases, waits if the request asks for it, and renews them again. The second renewal finds any step that
// was cancelled after the first renewal.
func (s *Server) extendLeases(ctx context.Context, c *caller, in leasesIn) (pageBody[gen.StepLease], error) {
	if err := in.check(); err != nil {
		return pageBody[gen.StepLease]{}, s.asCaller(ctx, c, err)
	}
	if in.WaitSeconds == 0 {
		return s.extendOnce(ctx, c, in)
	}
	workers := []uuid.UUID{c.workerUUID(*in.WorkerUUID)}
	for _, worker := range in.Others {
		workers = append(workers, c.workerUUID(worker))
	}
	cancelled, leave, err := s.polls.hearCancelled(workers)
	if err != nil {
		return pageBody[gen.StepLease]{}, s.asCaller(ctx, c, err)
	}
	defer leave()
	page, err := s.extendOnce(ctx, c, in)
	if err != nil || slices.ContainsFunc(page.Items, func(l gen.StepLease) bool { return l.Answer != "extended" && l.Answer != "busy" }) {
		return page, err
	}
	over := time.NewTimer(min(time.Duration(in.WaitSeconds)*time.Second, s.config.MaxWait))
	defer over.Stop()
	select {
	case <-cancelled:
	case <-over.C:
	case <-ctx.Done():
		return page, nil
	case <-s.polls.closing:
		return page, nil
	}
	return s.extendOnce(ctx, c, in)
}

func (s *Server) extendOnce(ctx context.Context, c *caller, in leasesIn) (page pageBody[gen.StepLease], err error) {
	err = s.transact(ctx, c, true, func(ctx context.Context, db executor.DBTX) error {
		rows, err := direct.New(db).ExtendLeases(ctx, in.claims(), time.Duration(in.LeaseSeconds)*time.Second)
		page = pageOf(rows)
		return err
	})
	return page, err
}

// hearCancelled returns a channel that gets a value when a running step of these workers is cancelled.
func (p *polls) hearCancelled(workers []uuid.UUID) (<-chan struct{}, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting+len(p.hearers) >= p.config.MaxPolling {
		return nil, nil, unavailable("too many requests wait for steps")
	}
	mine := &hearer{workers, make(chan struct{}, 1)}
	p.hearers[mine] = struct{}{}
	p.listenTo(nil)
	return mine.cancelled, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.hearers, mine)
	}, nil
}

// hearer is a request that waits until a step of one of its workers is cancelled.
type hearer struct {
	workers   []uuid.UUID
	cancelled chan struct{}
}

// hearCancellation wakes the requests that wait for the worker that the payload names. The caller must hold the lock.
func (p *polls) hearCancellation(payload string) {
	worker, err := uuid.Parse(payload)
	for h := range p.hearers {
		if err == nil && slices.Contains(h.workers, worker) {
			select {
			case h.cancelled <- struct{}{}:
			default:
			}
		}
	}
}
