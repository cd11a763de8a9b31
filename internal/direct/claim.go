package direct

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// ClaimRequest asks for work. Only WorkerUUID and Limit must be set.
type ClaimRequest struct {
	// WorkerUUID is any UUID that the process keeps.
	WorkerUUID uuid.UUID
	// Limit is how many steps at most, up to 1000.
	Limit int
	// Namespaces to take steps from. Default: all.
	Namespaces []string
	// Handlers whose steps are taken. Default: all.
	Handlers []string
	// Lease is how long the steps belong to the worker without a renewal, in whole seconds. Default: the
	// setting lease_seconds.
	Lease time.Duration
	// RequestUUID makes the claim repeatable: sent again, after a reply was lost, it hands out the same
	// steps. Default: not repeatable.
	RequestUUID uuid.UUID
}

// ClaimSteps hands ready steps to a worker, no step to two, each with all that its handler needs. It
// first does whatever is due. No steps is no error.
func (e *Executor) ClaimSteps(ctx context.Context, request ClaimRequest) ([]gen.ClaimedStep, error) {
	rows, err := e.Functions.ClaimSteps(ctx, sqlfn.ClaimStepsParams{
		Namespaces:   request.Namespaces,
		WorkerUUID:   request.WorkerUUID,
		Limit:        int32(request.Limit),
		LeaseSeconds: seconds(request.Lease),
		Handlers:     request.Handlers,
		RequestUUID:  request.RequestUUID,
	})
	return rows, err
}

// ClaimStep hands one known step to a worker, if it is ready: pgx.ErrNoRows says that it is not. A lease
// of 0 is that of the setting lease_seconds.
func (e *Executor) ClaimStep(
	ctx context.Context, stepUUID, workerUUID uuid.UUID, lease time.Duration,
) (gen.ClaimedStep, error) {
	row, err := e.Functions.ClaimStep(ctx, stepUUID, workerUUID, seconds(lease))
	return gen.ClaimedStep(row), err
}

// StepClaim is a step and the claim under which a worker has it.
type StepClaim struct {
	StepUUID uuid.UUID
	ClaimNo  int32
}

// Exchange is results in, new steps out.
type Exchange struct {
	// Results to record, completions and failures in any order.
	Results []StepResult
	// ClaimRequest says which steps to claim afterwards, none if its Limit is 0.
	ClaimRequest
	// Ahead is how many of Limit the worker has no free handler for yet: the last ones of the reply.
	Ahead int
	// Waiting are steps of earlier claims with the same WorkerUUID that still wait for a handler. A waiting step whose
	// worker is lost has not lost a worker, unless its lease was renewed. Nil, with a Limit of 0, leaves what was said
	// before. Default: none.
	Waiting []uuid.UUID
}

// ExchangeReply has an answer for each result, in order, and the steps that were claimed.
type ExchangeReply struct {
	Answers []gen.StepAnswer
	Claimed []gen.ClaimedStep
}

// ExchangeSteps records results and claims new steps in one round trip and one transaction.
func (e *Executor) ExchangeSteps(ctx context.Context, exchange Exchange) (ExchangeReply, error) {
	arrays, err := spread(exchange.Results)
	if err != nil {
		return ExchangeReply{}, err
	}
	rows, err := e.Functions.ExchangeSteps(ctx, sqlfn.ExchangeStepsParams{
		WorkerUUID:       exchange.WorkerUUID,
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Results:          arrays.results,
		Errors:           arrays.errors,
		Permanent:        arrays.permanent,
		BackoffSeconds:   arrays.backoffs,
		ExecutionTimesMs: arrays.executionTimes,
		Namespaces:       exchange.Namespaces,
		Limit:            int32(exchange.Limit),
		LeaseSeconds:     seconds(exchange.Lease),
		Handlers:         exchange.Handlers,
		RequestUUID:      exchange.RequestUUID,
		Ahead:            int32(exchange.Ahead),
		Waiting:          exchange.Waiting,
	})
	if err != nil {
		return ExchangeReply{}, err
	}

	reply := ExchangeReply{Answers: make([]gen.StepAnswer, 0, len(exchange.Results))}
	for _, row := range rows {
		if row.Answer != nil {
			reply.Answers = append(reply.Answers, gen.StepAnswer{
				StepUUID: row.StepUUID, ClaimNo: row.ClaimNo, Answer: *row.Answer, NextRetryAt: row.NextRetryAt,
			})
			continue
		}
		reply.Claimed = append(reply.Claimed, claimed(row))
	}
	return reply, nil
}

// ClaimDeliveredSteps claims the steps that messages of a broker carry. For steps that it does not claim, the answers say what
// to do with the messages: "gone", "paused", "limited" or "busy". The message of a claimed step is acknowledged, too: from now on the lease is the guarantee.
func (e *Executor) ClaimDeliveredSteps(
	ctx context.Context, stepUUIDs []uuid.UUID, workerUUID uuid.UUID, lease time.Duration,
) (ExchangeReply, error) {
	rows, err := e.Functions.ClaimDeliveredSteps(ctx, stepUUIDs, workerUUID, seconds(lease))
	if err != nil {
		return ExchangeReply{}, err
	}
	var reply ExchangeReply
	for _, row := range rows {
		if row.Answer != nil {
			reply.Answers = append(reply.Answers, gen.StepAnswer{StepUUID: row.StepUUID, Answer: *row.Answer})
			continue
		}
		reply.Claimed = append(reply.Claimed, claimed(row))
	}
	return reply, nil
}

// claimed is the part of an exchange's row that belongs to a claimed step: its columns that are
// nullable for the answers' sake have values there.
func claimed(row gen.StepExchange) gen.ClaimedStep {
	return gen.ClaimedStep{
		StepUUID: row.StepUUID, ClaimNo: row.ClaimNo, TaskUUID: *row.TaskUUID, StepNo: *row.StepNo,
		Namespace: *row.Namespace, TaskName: *row.TaskName, TaskVersion: *row.TaskVersion,
		Name: *row.Name, Handler: *row.Handler,
		Attempt: *row.Attempt, MaxAttempts: *row.MaxAttempts, LostCount: *row.LostCount, Priority: *row.Priority,
		LeaseUntil: *row.LeaseUntil, TimeoutSeconds: row.TimeoutSeconds,
		CorrelationID: *row.CorrelationID, ParentCorrelationID: row.ParentCorrelationID,
		Headers: row.Headers, Inputs: row.Inputs, Checkpoint: row.Checkpoint, LastError: row.LastError,
		Context: row.Context, ParentResults: row.ParentResults, Kept: row.Kept,
	}
}

// ExtendLeases renews the leases of running steps. 0 is the setting lease_seconds. One answer for each, in
// order: a worker that gets "stale" or "cancelled" should stop, since the result would be refused.
func (e *Executor) ExtendLeases(
	ctx context.Context, claims []StepClaim, lease time.Duration,
) ([]gen.StepLease, error) {
	stepUUIDs, claimNos := spreadClaims(claims)
	rows, err := e.Functions.ExtendLeases(ctx, stepUUIDs, claimNos, seconds(lease))
	return rows, err
}

// CheckpointStep keeps how far a running step has come, for the next attempt, and renews its lease. 0 is
// the setting lease_seconds. The answer is saved, stale or cancelled.
func (e *Executor) CheckpointStep(
	ctx context.Context, claim StepClaim, checkpoint json.RawMessage, lease time.Duration,
) (gen.LeaseAnswer, error) {
	if err := checkJSON(checkpoint); err != nil {
		return "", err
	}
	return e.Functions.CheckpointStep(ctx, sqlfn.CheckpointStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Checkpoint: checkpoint, LeaseSeconds: seconds(lease),
	})
}

// ReleaseSteps hands claimed steps back that were not begun. The attempt does not count. One answer for
// each, in order.
func (e *Executor) ReleaseSteps(ctx context.Context, claims []StepClaim) ([]gen.StepAnswer, error) {
	stepUUIDs, claimNos := spreadClaims(claims)
	rows, err := e.Functions.ReleaseSteps(ctx, stepUUIDs, claimNos)
	return rows, err
}

func spreadClaims(claims []StepClaim) ([]uuid.UUID, []int32) {
	stepUUIDs, claimNos := make([]uuid.UUID, len(claims)), make([]int32, len(claims))
	for i, claim := range claims {
		stepUUIDs[i], claimNos[i] = claim.StepUUID, claim.ClaimNo
	}
	return stepUUIDs, claimNos
}
