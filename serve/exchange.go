package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// exchangeOperation is the call that workers repeat: it takes results and returns steps. An exchange that finds no steps may
// wait for steps. While it waits, it holds no connection.
var exchangeOperation = operation{
	method: http.MethodPost, path: "/v1/exchange", id: "exchangeSteps",
	summary: "Record results and claim steps, in one transaction",
	description: "With results it answers at once. Without any, and if nothing is ready, it waits up to wait_seconds for a step. " +
		"Sent again with the same request_uuid after a lost answer, it hands out the same steps. A client that has gone before " +
		"its answer hands its claims back. A new exchange that claims ends an older one of the same worker. docs/http-workers.md is the protocol.",
	writes: true, refusals: []int{http.StatusConflict},
	in: reflect.TypeFor[exchangeIn](), out: reflect.TypeFor[exchangedBody](),
	outside: func(ctx context.Context, s *Server, c *caller, in any) (any, error) {
		return s.exchange(ctx, c, *in.(*exchangeIn))
	},
}

type exchangeIn struct {
	WorkerUUID   uuid.UUID        `json:"worker_uuid" required:"true" doc:"Any UUID that the process keeps. It belongs to the token: another token's worker of the same UUID is another worker."`
	RequestUUID  *uuid.UUID       `json:"request_uuid" doc:"Makes the claim repeatable; a new one for each exchange that is not a repeat."`
	Namespaces   []string         `json:"namespaces" doc:"Whose steps are claimed; all of the token's by default."`
	Handlers     []string         `json:"handlers" doc:"Whose steps are claimed; all by default."`
	Limit        int32            `json:"limit" minimum:"0" maximum:"1000" doc:"How many steps are claimed at most; 0 only records results."`
	LeaseSeconds int32            `json:"lease_seconds,omitempty" minimum:"0" maximum:"86400" doc:"How long the steps are the worker's without a renewal; 0 is the setting lease_seconds."`
	WaitSeconds  int32            `json:"wait_seconds,omitempty" minimum:"0" maximum:"3600" doc:"How long to wait for a step, if there are no results and nothing is ready; the server may have a shorter limit."`
	Ahead        int32            `json:"ahead" minimum:"0" maximum:"1000" doc:"How many of limit the worker has no free handler for yet."`
	Waiting      []uuid.UUID      `json:"waiting" doc:"Steps of earlier claims that still wait for a handler."`
	Results      []stepResultBody `json:"results" doc:"What became of steps, in any order."`
	KnownTasks   *[]uuid.UUID     `json:"known_tasks,omitempty" doc:"Tasks whose context the worker has. If it is given, the contexts of claimed steps are in contexts, once for each other task."`
}

// stepClaimBody is a step and the claim under which a worker holds it.
type stepClaimBody struct {
	StepUUID uuid.UUID `json:"step_uuid"`
	ClaimNo  int32     `json:"claim_no" doc:"claim_no of the claim, the fence: with another number nothing is changed."`
}

// stepResultBody is the outcome of a claimed step: a failure if it has an error.
type stepResultBody struct {
	StepUUID        uuid.UUID       `json:"step_uuid"`
	ClaimNo         int32           `json:"claim_no" doc:"claim_no of the claim."`
	Result          json.RawMessage `json:"result,omitempty" doc:"What the steps after it find: any JSON value; null by default."`
	Error           *string         `json:"error,omitempty" doc:"What went wrong; null or left out is success."`
	Permanent       bool            `json:"permanent,omitempty" doc:"Whether another attempt makes no sense."`
	BackoffSeconds  *float64        `json:"backoff_seconds,omitempty" minimum:"0" maximum:"31536000" doc:"How long to wait before the next attempt, such as 0.25; the template's policy by default."`
	ExecutionTimeMS int64           `json:"execution_time_ms,omitempty" doc:"How long the handler ran, for the audit."`
}

// exchangedBody is the answer to an exchange, in the form that tasker.exchange returns.
type exchangedBody struct {
	Answers  []gen.StepAnswer  `json:"answers" doc:"One for each result, in order."`
	Claimed  []gen.ClaimedStep `json:"claimed" doc:"The steps that are the worker's now."`
	Contexts json.RawMessage   `json:"contexts,omitempty" doc:"With known_tasks: the contexts of the claimed steps' tasks, by task_uuid."`

	raw    json.RawMessage // the database's answer, nil until it arrives
	claims []direct.StepClaim
	after  func(gone bool)
}

// MarshalJSON returns the database's answer unchanged, so that clients over HTTP and over SQL get the same answer.
func (e *exchangedBody) MarshalJSON() ([]byte, error) {
	if e.raw == nil {
		return []byte(`{"answers": [], "claimed": []}`), nil
	}
	return e.raw, nil
}

// take keeps the database's answer, and reads the claims from it, which the server hands back if the client has gone.
func (e *exchangedBody) take(raw json.RawMessage) error {
	var read struct {
		Claimed []stepClaimBody `json:"claimed"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return err
	}
	e.raw, e.claims = raw, nil
	for _, step := range read.Claimed {
		e.claims = append(e.claims, direct.StepClaim(step))
	}
	return nil
}

// delivered ends the exchange. The server calls it when it has written the answer, or cannot write the answer because the
// client has gone.
func (e *exchangedBody) delivered(gone bool) {
	if e.after != nil {
		e.after(gone)
	}
}

// workerUUID returns the UUID under which the database knows a worker of this token. Two tokens of one role cannot work under
// the same UUID, so they never get each other's claims, even if their workers use the same name.
func (c *caller) workerUUID(given uuid.UUID) uuid.UUID {
	return uuid.NewSHA1(uuid.UUID(c.secret[:16]), given[:])
}

// request returns the exchange in the form that the database takes.
func (in exchangeIn) request(worker uuid.UUID) (json.RawMessage, error) {
	in.WorkerUUID, in.WaitSeconds = worker, 0
	for i := range in.Results {
		if err := in.Results[i].prepare(); err != nil {
			return nil, err
		}
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(in)
	return body.Bytes(), err
}

// check refuses numbers that the database would not receive unchanged.
func (in exchangeIn) check() error {
	if in.LeaseSeconds < 0 || in.WaitSeconds < 0 {
		return invalid("lease_seconds and wait_seconds cannot be negative", "Leave them out for the defaults.")
	}
	return nil
}

// prepare makes a result storable. If one result had a form that PostgreSQL cannot read, the database would refuse the whole
// request and would not name the result.
func (r *stepResultBody) prepare() error {
	if err := pgjson.Check(r.Result); err != nil {
		return invalid(err.Error(), "PostgreSQL cannot store it.")
	}
	if r.Error != nil {
		if *r.Error == "" {
			return invalid("the error of a failed step is empty", "Say what went wrong, or leave error out.")
		}
		r.Error = new(strings.ReplaceAll(*r.Error, "\x00", "\uFFFD"))
		r.Result = nil
	}
	r.ExecutionTimeMS = max(0, r.ExecutionTimeMS)
	return nil
}

// exchange records results and claims steps. If the client goes away, the transactions still run to their end: they record the
// results, and the server then hands the claims back.
func (s *Server) exchange(ctx context.Context, c *caller, in exchangeIn) (*exchangedBody, error) {
	out := &exchangedBody{}
	worker := c.workerUUID(in.WorkerUUID)
	request, err := in.request(worker)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return nil, s.asCaller(ctx, c, err)
	}
	if in.Limit <= 0 {
		return out, s.exchangeOnce(ctx, c, in, request, out, nil)
	}

	ctx, leave, err := s.polls.turn(ctx, worker)
	if err != nil {
		return nil, err
	}
	kept := false // whether the turn lasts until the answer is delivered
	defer func() {
		if !kept {
			leave()
		}
	}()
	out.after = func(gone bool) {
		defer leave()
		if gone {
			s.handBack(ctx, c, out)
		}
	}
	if in.WaitSeconds == 0 || len(in.Results) > 0 {
		err = s.exchangeOnce(ctx, c, in, request, out, nil)
	} else {
		err = s.poll(ctx, c, in, request, out, time.Duration(in.WaitSeconds)*time.Second)
	}
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // The client has gone, a newer exchange took its place, or the server stops.
		s.handBack(ctx, c, out)
	}
	kept = true
	return out, nil
}

// asCaller returns a refusal to a caller with a valid token. A caller without a valid token gets only the refusal of the token.
func (s *Server) asCaller(ctx context.Context, c *caller, refused error) error {
	return s.transact(ctx, c, false, func(context.Context, executor.DBTX) error { return refused })
}

// exchangeOnce makes the exchange in one transaction. If it claims nothing, it sets due to the time when the next step is due.
func (s *Server) exchangeOnce(ctx context.Context, c *caller, in exchangeIn, request json.RawMessage, out *exchangedBody, due **time.Time) error {
	return s.transact(context.WithoutCancel(ctx), c, true, func(ctx context.Context, db executor.DBTX) error {
		e := direct.New(db)
		answer, err := e.Exchange(ctx, request)
		if err == nil {
			err = out.take(answer)
		}
		if err == nil && due != nil && len(out.claims) == 0 {
			*due, err = e.NextLaterAt(ctx, in.Namespaces) // This worker cannot claim the steps that are already due.
		}
		return err
	})
}

// handBack releases the claims of a client that has gone. The released attempts do not count.
func (s *Server) handBack(ctx context.Context, c *caller, out *exchangedBody) {
	claims := out.claims
	if len(claims) == 0 {
		return
	}
	out.raw, out.claims = nil, nil
	err := s.transact(context.WithoutCancel(ctx), c, true, func(ctx context.Context, db executor.DBTX) error {
		_, err := direct.New(db).ReleaseSteps(ctx, claims)
		return err
	})
	if err != nil {
		s.config.Logger.WarnContext(ctx, "claims of a client that has gone could not be handed back; they run again when their leases have ended",
			"steps", len(claims), "error", err)
	}
}
