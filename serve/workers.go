package serve

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// workerOperations are the calls that only workers make. docs/http-workers.md is the protocol.
var workerOperations = group(
	"Workers",
	exchangeOperation,
	registration(),
	leasesOperation,
	write(http.MethodPost, "/v1/releases", "releaseSteps", "Hand back claimed steps that were not begun",
		func(ctx context.Context, e *direct.Executor, in releaseIn) (pageBody[gen.StepAnswer], error) {
			rows, err := e.ReleaseSteps(ctx, in.claims())
			return pageOf(rows), err
		}).and("The attempts do not count. One answer for each, in order."),
	writeStep("/checkpoint", "checkpointStep", "Keep how far a running step has come, and renew its lease",
		func(ctx context.Context, e *direct.Executor, in checkpointIn) (answer answerBody, err error) {
			if in.LeaseSeconds < 0 {
				return answer, invalid("lease_seconds cannot be negative", "Leave it out for the setting lease_seconds.")
			}
			answer.Answer, err = e.CheckpointStep(ctx, in.claim(), orNull(in.Checkpoint), time.Duration(in.LeaseSeconds)*time.Second)
			return answer, err
		}),
	writeStep("/kept", "keepStepResult", "Keep the result of a call of a durable function",
		func(ctx context.Context, e *direct.Executor, in keepIn) (gen.KeptAnswer, error) {
			if in.Error != nil && *in.Error == "" {
				return gen.KeptAnswer{}, invalid("the error of a call is empty", "Say what went wrong, or leave error out.")
			}
			return e.KeepStepResult(ctx, in.claim(), in.kept(), orNull(in.Value), value(in.Error))
		}),
	writeStep("/suspend", "suspendStep", "Suspend a running step whose durable function waits",
		func(ctx context.Context, e *direct.Executor, in suspendIn) (gen.KeptAnswer, error) {
			return e.SuspendStep(ctx, in.claim(), in.kept(), in.Wait)
		}),
	writeStep("/diverge", "divergeStep", "Suspend a running step whose durable function asks for something else than it has kept",
		func(ctx context.Context, e *direct.Executor, in divergeIn) (gen.KeptAnswer, error) {
			return e.DivergeStep(ctx, in.claim(), *in.Position, in.Name)
		}),
	writeStep("/snooze", "snoozeStep", "Suspend a running step whose handler asks to run again later",
		func(ctx context.Context, e *direct.Executor, in snoozeIn) (gen.KeptAnswer, error) {
			return e.SnoozeStep(ctx, in.claim(), time.Duration(in.Seconds*float64(time.Second)), in.Reason)
		}),
	writeStep("/continue", "continueStep", "Let a durable function begin again with a new state",
		func(ctx context.Context, e *direct.Executor, in continueIn) (gen.KeptAnswer, error) {
			return e.ContinueStep(ctx, in.claim(), *in.Round, orNull(in.State))
		}),
	paged(stepPath+"/parent-results", "getParentResults", "List the results of the steps that a step depends on directly",
		onStep(func(ctx context.Context, e *direct.Executor, in pageOfStep) ([]gen.ParentResult, error) {
			after, err := in.Cursor.sortKey("getParentResults")
			if err != nil {
				return nil, err
			}
			return e.GetParentResults(ctx, in.StepUUID, min(value(after), math.MaxUint16), in.Limit)
		}),
		func(_ pageOfStep, last gen.ParentResult) cursor {
			return afterNumber("getParentResults", int64(last.StepNo))
		}),
	listOfStep("/ancestor-results", "getAncestorResult", "Find the result of a step that a step depends on, directly or not",
		func(ctx context.Context, e *direct.Executor, in ancestorOf) ([]gen.ParentResult, error) {
			return e.GetAncestorResult(ctx, in.StepUUID, in.Name)
		}),
)

type releaseIn struct {
	Claims []stepClaimBody `json:"claims" required:"true" doc:"The steps and their claims, 1,000 at most."`
}

func (in releaseIn) claims() []direct.StepClaim {
	claims := make([]direct.StepClaim, len(in.Claims))
	for i, claim := range in.Claims {
		claims[i] = direct.StepClaim(claim)
	}
	return claims
}

// answerBody is the outcome of a call.
type answerBody struct {
	Answer gen.LeaseAnswer `json:"answer" doc:"saved; stale, if the claim is no longer the current one; cancelled."`
}

// claimed is a running step, by its claim.
type claimed struct {
	step
	ClaimNo int32 `json:"claim_no" required:"true" doc:"claim_no of the claim."`
}

func (c claimed) claim() direct.StepClaim {
	return direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}
}

type checkpointIn struct {
	claimed
	Checkpoint   json.RawMessage `json:"checkpoint" doc:"Any JSON value, which the next attempt gets."`
	LeaseSeconds int32           `json:"lease_seconds" minimum:"0" maximum:"86400" doc:"For how long the lease is renewed; 0 is the setting lease_seconds."`
}

type keptCall struct {
	claimed
	Position   int32  `json:"position" required:"true" minimum:"1" doc:"Which call of the function it is, from 1."`
	Name       string `json:"name" required:"true" doc:"The call's name."`
	Occurrence int32  `json:"occurrence" required:"true" minimum:"1" doc:"Which call of this name it is, from 1."`
}

func (c keptCall) kept() direct.KeptCall {
	return direct.KeptCall{Position: c.Position, Name: c.Name, Occurrence: c.Occurrence}
}

type keepIn struct {
	keptCall
	Value json.RawMessage `json:"value" doc:"What the call returned: any JSON value."`
	Error *string         `json:"error" doc:"What the call failed with for good, instead of a value."`
}

type suspendIn struct {
	keptCall
	Wait json.RawMessage `json:"wait" required:"true" doc:"What it waits for, as a template's step says it: {\"await\": {\"signal\": \"approved\"}, \"timeout\": \"3d\"}."`
}

type divergeIn struct {
	claimed
	Position *int32 `json:"position" required:"true" minimum:"0" doc:"Where something else is kept; 0 if the result of a step above does not fit."`
	Name     string `json:"name" required:"true" doc:"The name that was asked for; $end if the function returned; at position 0 that of the step above."`
}

type snoozeIn struct {
	claimed
	Seconds float64 `json:"seconds" required:"true" minimum:"0.001" maximum:"31536000" doc:"After how many seconds the step runs again; the attempt does not count."`
	Reason  string  `json:"reason,omitempty" maxLength:"20000" doc:"Why, for the history of the step."`
}

type continueIn struct {
	claimed
	Round *int32          `json:"round" required:"true" minimum:"0" doc:"The round that ends, 0 the first: a repeat is answered alike and changes nothing."`
	State json.RawMessage `json:"state" doc:"What the function begins again with: any JSON value."`
}

type ancestorOf struct {
	step
	Name string `query:"name" required:"true" doc:"The name of the step."`
}

// orNull is an optional JSON value.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// registeredBody is a registered worker.
type registeredBody struct {
	WorkerUUID uuid.UUID `json:"worker_uuid" doc:"Under which lists and histories have it: made from the token and the given UUID."`
	Name       string    `json:"name" doc:"The token's name, a slash, and the given name."`
	Registered bool      `json:"registered" doc:"Whether it is new."`
	Clock      time.Time `json:"clock" doc:"The database's time."`

	TokenExpiresAt *time.Time `json:"token_expires_at" doc:"When the token ends; null if it does not. A client warns a week before."`
}

type workerIn struct {
	WorkerUUID uuid.UUID `json:"worker_uuid" required:"true" doc:"The UUID that the process sends with its exchanges."`
	Name       string    `json:"name" required:"true" doc:"What people recognise, such as host and process."`
	Namespaces []string  `json:"namespaces" doc:"Which it serves; null is all of the token's."`
	Handlers   []string  `json:"handlers" doc:"Which it has; null is any."`
	Version    string    `json:"version,omitempty" doc:"The version of its program, by which incidents compare deployments."`
}

// registration registers a worker under the token's name, so that no token can pose as the worker of another token.
func registration() operation {
	return operation{
		method: http.MethodPost, path: "/v1/workers", id: "registerWorker", summary: "Register a worker, or note that it lives",
		description: "Not needed to claim. Repeat it every half minute: a worker without exchanges is otherwise taken for gone.",
		writes:      true, refusals: []int{http.StatusConflict},
		in: reflect.TypeFor[workerIn](), out: reflect.TypeFor[registeredBody](),
		call: func(ctx context.Context, e *direct.Executor, c caller, in any) (any, error) {
			given := in.(*workerIn) // It has the operation's type.
			worker := registeredBody{WorkerUUID: c.workerUUID(given.WorkerUUID), Name: c.token + "/" + given.Name, TokenExpiresAt: c.expires}
			var err error
			worker.Registered, err = e.RegisterWorker(ctx, sqlfn.RegisterWorkerParams{
				WorkerUUID: worker.WorkerUUID, Name: worker.Name, Namespaces: given.Namespaces, Handlers: given.Handlers, Version: given.Version,
			})
			if err == nil {
				worker.Clock, err = e.Clock(ctx)
			}
			return worker, err
		},
	}
}
