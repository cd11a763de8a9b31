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
	// WorkerUUID is a UUID of the process's own choice, the same in each call.
	WorkerUUID uuid.UUID
	// Limit is the largest number of steps, up to 1000.
	Limit int
	// Namespaces are the namespaces whose steps are taken. Default: all.
	Namespaces []string
	// Handlers are the handlers whose steps are taken. Default: all.
	Handlers []string
	// Lease is how long the steps belong to the worker without a renewal, in whole seconds. The default is the
	// setting lease_seconds.
	Lease time.Duration
	// RequestUUID makes the claim repeatable. If the reply was lost, the same request hands out the same steps again.
	// Without a UUID the claim is not repeatable.
	RequestUUID uuid.UUID
}

// ClaimSteps hands ready steps to a worker, each with the data that its handler needs. No step goes to two workers. The call
// first does due work of the engine. If no step is ready, the answer is empty, and the error is nil.
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

// ClaimStep hands one known step to a worker. If the step is not ready, the error is pgx.ErrNoRows. A lease of 0
// stands for the setting lease_seconds.
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

// Exchange hands in results and claims new steps.
type Exchange struct {
	// Results are the results to record: completions and failures, in any order.
	Results []StepResult
	// ClaimRequest says which steps to claim after the results are recorded. A Limit of 0 claims no step.
	ClaimRequest
	// Ahead is the number of steps within Limit for which the worker has no free handler yet. They are the last steps
	// of the reply.
	Ahead int
	// Waiting are steps of earlier claims with the same WorkerUUID that still wait for a handler. If the worker is lost, its
	// waiting steps do not count the loss, unless their leases were renewed. With a Limit of 0, nil means the waiting steps of
	// the preceding call. Otherwise nil means that no step waits.
	Waiting []uuid.UUID
}

// ExchangeReply has an answer for each result, in the order of the results, and the claimed steps.
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

// ClaimDeliveredSteps claims the steps that messages of a broker carry. For a step that it does not claim, the answer tells the
// caller how to treat the message: "gone", "paused", "limited" or "busy". The caller acknowledges the message of a claimed
// step, too, because the lease now guarantees that the step runs.
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

// claimed returns the part of an exchange's row that describes a claimed step. The columns that are null in rows of answers
// have values in this row.
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

// ExtendLeases renews the leases of running steps. A lease of 0 stands for the setting lease_seconds. Each step gets one
// answer, in order. A worker that gets "stale" or "cancelled" should stop the step, since its result would be refused.
func (e *Executor) ExtendLeases(
	ctx context.Context, claims []StepClaim, lease time.Duration,
) ([]gen.StepLease, error) {
	stepUUIDs, claimNos := spreadClaims(claims)
	rows, err := e.Functions.ExtendLeases(ctx, stepUUIDs, claimNos, seconds(lease))
	return rows, err
}

// CheckpointStep keeps the progress of a running step for its next attempt, and renews the step's lease. A lease of 0
// stands for the setting lease_seconds. The answer is saved, stale or cancelled.
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

// ReleaseSteps gives up the claims of steps whose handlers have not begun. Their attempts do not count. Each step gets one
// answer, in order.
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
