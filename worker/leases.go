package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// Leases are renewed on a separate connection, which neither handlers nor exchanges use. So no lease is lost because the pool has no free
// connection or a large result is being sent. The connection is opened for the first renewal, and closed when no renewal was needed for the
// length of a lease.

const (
	renewing = "renewing leases"
	// A renewal, including opening its connection, may take an eighth of the lease, but at least leastRenewal and at most longestRenewal.
	leastRenewal   = 250 * time.Millisecond
	longestRenewal = 10 * time.Second
	// noPlaceFor is how long renewals use the pool after the login has reached its connection limit.
	noPlaceFor = 30 * time.Second
)

// running holds the steps whose leases are renewed: steps whose handlers run, and steps whose results the database has not answered yet.
type running struct {
	lease time.Duration
	ended func(claim direct.StepClaim) // called when a lease has ended without a renewal

	mu    sync.Mutex
	steps map[direct.StepClaim]*runningStep
}

type runningStep struct {
	cancel   context.CancelCauseFunc
	renewed  time.Time   // the time at which the newest successful renewal was sent
	end      *time.Timer // the time at which the lease has certainly ended
	finished bool        // the handler has ended, but the database has not answered its result yet
}

func (r *running) add(claim direct.StepClaim, cancel context.CancelCauseFunc, claimedAt time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps[claim] = &runningStep{
		cancel: cancel, renewed: claimedAt,
		end: time.AfterFunc(time.Until(claimedAt.Add(r.lease)), func() { r.ended(claim) }),
	}
}

// finish records that the handler of a step has ended. The lease is still renewed until the database has answered the result.
func (r *running) finish(claim direct.StepClaim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if step, found := r.steps[claim]; found {
		step.finished = true
	}
}

func (r *running) remove(claim direct.StepClaim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if step, found := r.steps[claim]; found {
		step.end.Stop()
		delete(r.steps, claim)
	}
}

// cancel ends a handler's context, and reports whether the handler was running.
func (r *running) cancel(claim direct.StepClaim, cause error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	step, found := r.steps[claim]
	if found {
		step.cancel(cause)
	}
	return found && !step.finished
}

// renewedBefore returns steps whose leases were last renewed before t. With owed it returns only steps whose results are owed.
func (r *running) renewedBefore(t time.Time, owed bool) (claims []direct.StepClaim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for claim, step := range r.steps {
		if step.renewed.Before(t) && (step.finished || !owed) {
			claims = append(claims, claim)
		}
	}
	return claims
}

// renew records that a renewal was answered, with the time at which it was sent.
func (r *running) renew(claims []direct.StepClaim, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, claim := range claims {
		if step, found := r.steps[claim]; found {
			step.renewed = at
			step.end.Reset(r.lease)
		}
	}
}

// extendEnd checks again later whether a lease has ended.
func (r *running) extendEnd(claim direct.StepClaim, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if step, found := r.steps[claim]; found {
		step.end.Reset(d)
	}
}

// oldest returns the time since the oldest renewal of all steps.
func (r *running) oldest() (longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, step := range r.steps {
		longest = max(longest, time.Since(step.renewed))
	}
	return longest
}

// leaseEnded cancels the handler of a step whose lease has ended. Leases count only time in which the server was reachable: a
// server that was away gives every worker the whole lease again.
func (r *run) leaseEnded(claim direct.StepClaim) {
	if left := time.Until(r.awayUntil().Add(r.config.Lease)); left > 0 {
		r.steps.extendEnd(claim, left)
		return
	}
	if r.steps.cancel(claim, errLeaseEnded) {
		r.log.Warn("a lease has ended without a renewal; the handler is cancelled", r.facts.of(claim), "lease", r.config.Lease)
	}
}

// errLeaseEnded is the ErrLost of a lease that could not be renewed in time. The database has not reported this loss.
var errLeaseEnded = fmt.Errorf("%w: its lease could not be renewed in time", ErrLost)

// leaseLine renews leases.
type leaseLine interface {
	ExtendLeases(ctx context.Context, claims []direct.StepClaim, lease time.Duration) ([]gen.StepLease, error)
	// Close closes the line.
	Close()
}

type ownLine struct {
	*direct.Executor
	conn *pgx.Conn
}

func (l ownLine) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), leastRenewal)
	defer cancel()
	_ = l.conn.Close(ctx)
}

// sharedLine renews through the pool.
type sharedLine struct{ database }

func (sharedLine) Close() {}

// openLeases returns a function that opens a connection like the pool's connections. If the login has reached its connection limit,
// renewals use the pool.
func openLeases(pool *pgxpool.Pool, db database) func(ctx context.Context) (leaseLine, error) {
	connect := listen.ConnectLike(pool)
	return func(ctx context.Context) (leaseLine, error) {
		conn, err := connect(ctx)
		var full *pgconn.PgError
		switch {
		case err == nil:
			return ownLine{direct.New(conn), conn}, nil
		case errors.As(err, &full) && strings.HasPrefix(full.Code, "53"):
			return sharedLine{db}, nil
		}
		return nil, err
	}
}

// giveWay closes the connections outside of the pool, because the login has no connection left for work. Renewals then use the pool for a
// while.
func (r *run) giveWay() {
	r.short.Store(time.Now().UnixNano())
	if r.listener != nil {
		r.listener.GiveWay()
	}
}

// hasNoPlace reports whether the login lately had no connection left for work.
func (r *run) hasNoPlace() bool {
	return time.Since(time.Unix(0, r.short.Load())) < max(r.config.Lease, noPlaceFor)
}

// keeper renews leases.
type keeper struct {
	*run
	line leaseLine
	used time.Time
	late bool // the log has a warning that half a lease has passed
}

// renewLeases renews the leases of running steps well before they end, and cancels the handlers of steps that the worker has lost. A
// handler that is still running when the worker should have stopped loses its lease.
func (r *run) renewLeases(ctx context.Context) {
	k := keeper{run: r}
	defer k.hangUp()
	every := r.config.Lease / 4
	ticker := time.NewTicker(every / 2)
	defer ticker.Stop()
	for {
		due := every / 2
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-r.watch.Back():
		case <-r.cancelled: // a step of this worker was cancelled: the answers say which
			due = 0
		}
		claims := r.steps.renewedBefore(time.Now().Add(-due), r.handlers.Err() != nil)
		if len(claims) == 0 && time.Since(k.used) > r.config.Lease || r.hasNoPlace() {
			k.hangUp()
		}
		for len(claims) > 0 && ctx.Err() == nil {
			var call []direct.StepClaim
			call, claims = claimsOfACall(claims)
			k.extend(ctx, call)
		}
	}
}

// claimsOfACall takes the claims of one call from claims. A call names a step once: the database refuses a call that names a step twice. A
// worker may have two claims of one step if the lease of the first claim has ended, or if its result is owed. The database decides in two
// calls which claim counts.
func claimsOfACall(claims []direct.StepClaim) (call, rest []direct.StepClaim) {
	named := make(map[uuid.UUID]bool, min(len(claims), maxBatch))
	for i, claim := range claims {
		switch {
		case len(call) == maxBatch:
			return call, append(rest, claims[i:]...)
		case named[claim.StepUUID]:
			rest = append(rest, claim)
		default:
			named[claim.StepUUID] = true
			call = append(call, claim)
		}
	}
	return call, rest
}

// extend renews the leases of claims. After a failure it tries once more, on a new connection. If the database refuses the call, extend
// renews the claims in halves, so that one step does not cost the others their leases.
func (k *keeper) extend(ctx context.Context, claims []direct.StepClaim) {
	had := k.line != nil
	err := k.try(ctx, claims)
	if err != nil && had && pgerr.Of(err) == pgerr.Passing && ctx.Err() == nil {
		err = k.try(ctx, claims) // on a new connection
	}
	switch {
	case ctx.Err() != nil:
	case err == nil:
		k.late = false
		k.watch.Worked(renewing)
	case len(claims) > 1 && pgerr.ConcernsSome(err):
		k.extend(ctx, claims[:len(claims)/2])
		k.extend(ctx, claims[len(claims)/2:])
	default:
		k.watch.Failed(renewing, err, "steps", len(claims), k.poolInWords())
		if !k.late && k.steps.oldest() > k.config.Lease/2 {
			k.late = true
			k.log.Warn("leases are late: half of one has passed without a renewal; other workers take the steps when it ends",
				"steps", len(claims), "lease", k.config.Lease, "error", err, k.poolInWords())
		}
	}
}

// try makes one call, within its share of the lease. A failed line is given up.
func (k *keeper) try(ctx context.Context, claims []direct.StepClaim) (err error) {
	ctx, cancel := context.WithTimeout(ctx, max(leastRenewal, min(k.config.Lease/8, longestRenewal)))
	defer cancel()
	if k.line == nil && k.hasNoPlace() {
		k.line = sharedLine{k.db}
	}
	if k.line == nil {
		if k.line, err = k.openLeases(ctx); err != nil {
			k.noteAway(err)
			return err
		}
	}
	k.used = time.Now()
	answers, err := k.line.ExtendLeases(ctx, claims, k.config.Lease)
	if listen.NoPlace(err) && k.pool != nil {
		if conn, _ := listen.Free(ctx, k.pool); conn != nil {
			answers, err = direct.New(conn).ExtendLeases(ctx, claims, k.config.Lease)
			conn.Release()
		}
	}
	if err != nil {
		k.noteAway(err)
		k.hangUp()
		return err
	}
	var extended []direct.StepClaim
	for _, answer := range answers {
		claim := direct.StepClaim{StepUUID: answer.StepUUID, ClaimNo: answer.ClaimNo}
		switch answer.Answer {
		case gen.LeaseAnswerExtended:
			extended = append(extended, claim)
		case gen.LeaseAnswerBusy: // the next time
		case gen.LeaseAnswerStale, gen.LeaseAnswerCancelled, gen.LeaseAnswerNotFound:
			_ = k.endStep(claim, answer.Answer == gen.LeaseAnswerCancelled) // a message to the handler, not to the worker
		default:
			k.log.Error("the database answered the renewal of a lease in a way that this worker does not know: the handler goes on",
				k.facts.of(claim), "answer", answer.Answer)
		}
	}
	k.steps.renew(extended, k.used)
	if _, shared := k.line.(sharedLine); shared {
		k.hangUp() // The next renewal tries a separate connection again.
	}
	return nil
}

func (k *keeper) hangUp() {
	if k.line != nil {
		k.line.Close()
		k.line = nil
	}
}

// endStep cancels the handler of a step that the worker has lost according to an answer, and returns the reason. A result that was not
// answered yet is still sent, since this answer says nothing about the result.
func (r *run) endStep(claim direct.StepClaim, cancelled bool) error {
	cause := ErrLost
	if cancelled {
		cause = ErrCancelled
	}
	if r.steps.cancel(claim, cause) {
		r.log.Warn("a running handler is cancelled", r.facts.of(claim), "why", cause)
	}
	r.steps.remove(claim)
	return cause
}

// poolInWords returns a log attribute that says whether the pool has connections left.
func (r *run) poolInWords() slog.Attr {
	if r.pool == nil {
		return slog.Attr{}
	}
	stat := r.pool.Stat()
	return slog.String("pool", fmt.Sprintf("%d of %d connections are in use", stat.AcquiredConns(), stat.MaxConns()))
}
