package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgjson"
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
func (e *SqlFunctionExecutor) ClaimSteps(ctx context.Context, request ClaimRequest) ([]ClaimedStep, error) {
	rows, err := e.q.ClaimSteps(ctx, gen.ClaimStepsParams{
		Namespaces:   request.Namespaces,
		WorkerUUID:   request.WorkerUUID,
		MaxSteps:     int32(request.Limit),
		LeaseSeconds: seconds(request.Lease),
		Handlers:     request.Handlers,
		RequestUUID:  optional(request.RequestUUID),
	})
	return each(rows, func(row gen.ClaimedStep) ClaimedStep { return ClaimedStep(row) }), err
}

// ClaimStep hands one known step to a worker, if it is ready: pgx.ErrNoRows says that it is not. A lease
// of 0 is that of the setting lease_seconds.
func (e *SqlFunctionExecutor) ClaimStep(
	ctx context.Context, stepUUID, workerUUID uuid.UUID, lease time.Duration,
) (ClaimedStep, error) {
	row, err := e.q.ClaimStep(ctx, stepUUID, workerUUID, seconds(lease))
	return ClaimedStep(row), err
}

// StepClaim is a step and the claim under which a worker has it.
type StepClaim struct {
	StepUUID uuid.UUID
	ClaimNo  int32
}

// StepResult is what became of a claimed step. It is a failure if it has an Error.
type StepResult struct {
	StepClaim
	// Results is the JSON that the step's children find. Default: null.
	Results json.RawMessage
	// ExecutionTime is how long the handler ran, for the audit.
	ExecutionTime time.Duration
	// Error is what went wrong. Default: nothing.
	Error string
	// Permanent says that another attempt makes no sense.
	Permanent bool
	// Backoff is how long to wait before the next attempt, in whole seconds. Nil is the template's policy.
	Backoff *time.Duration
}

// CompleteSteps records that claimed steps are done and moves their tasks on. One answer for each, in
// order; only the answer says that a result came too late.
func (e *SqlFunctionExecutor) CompleteSteps(ctx context.Context, results []StepResult) ([]StepAnswer, error) {
	arrays, err := spread(results)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		if result.Error != "" {
			return nil, fmt.Errorf("%w: result %d is a failure; pass it to FailSteps or ExchangeSteps", ErrInvalid, i+1)
		}
	}
	rows, err := e.q.CompleteSteps(ctx, gen.CompleteStepsParams{
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Results:          arrays.results,
		ExecutionTimesMs: arrays.executionTimes,
	})
	return each(rows, func(row gen.StepAnswer) StepAnswer { return StepAnswer(row) }), err
}

// FailSteps records that claimed steps have failed. Each is tried again later unless its failure is
// permanent or its attempts are used up. One answer for each, in order.
func (e *SqlFunctionExecutor) FailSteps(ctx context.Context, failures []StepResult) ([]StepAnswer, error) {
	arrays, err := spread(failures)
	if err != nil {
		return nil, err
	}
	for i, failure := range failures {
		if failure.Error == "" {
			return nil, fmt.Errorf("%w: failure %d has no error", ErrInvalid, i+1)
		}
	}
	rows, err := e.q.FailSteps(ctx, gen.FailStepsParams{
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Errors:           arrays.errors,
		Permanent:        arrays.permanent,
		BackoffSeconds:   arrays.backoffs,
		ExecutionTimesMs: arrays.executionTimes,
	})
	return each(rows, func(row gen.StepAnswer) StepAnswer { return StepAnswer(row) }), err
}

// Exchange is results in, new steps out.
type Exchange struct {
	// Results to record, completions and failures in any order.
	Results []StepResult
	// ClaimRequest says which steps to claim afterwards; none if its Limit is 0.
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
	Answers []StepAnswer
	Claimed []ClaimedStep
}

// ExchangeSteps records results and claims new steps in one round trip and one transaction.
func (e *SqlFunctionExecutor) ExchangeSteps(ctx context.Context, exchange Exchange) (ExchangeReply, error) {
	arrays, err := spread(exchange.Results)
	if err != nil {
		return ExchangeReply{}, err
	}
	rows, err := e.q.ExchangeSteps(ctx, gen.ExchangeStepsParams{
		WorkerUUID:       exchange.WorkerUUID,
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Results:          arrays.results,
		Errors:           arrays.errors,
		Permanent:        arrays.permanent,
		BackoffSeconds:   arrays.backoffs,
		ExecutionTimesMs: arrays.executionTimes,
		Namespaces:       exchange.Namespaces,
		MaxSteps:         int32(exchange.Limit),
		LeaseSeconds:     seconds(exchange.Lease),
		Handlers:         exchange.Handlers,
		RequestUUID:      optional(exchange.RequestUUID),
		Ahead:            int32(exchange.Ahead),
		Waiting:          exchange.Waiting,
	})
	if err != nil {
		return ExchangeReply{}, err
	}

	reply := ExchangeReply{Answers: make([]StepAnswer, 0, len(exchange.Results))}
	for _, row := range rows {
		if row.Answer != nil {
			reply.Answers = append(reply.Answers, StepAnswer{
				StepUUID: row.StepUUID, ClaimNo: row.ClaimNo, Answer: *row.Answer, NextRetryAt: row.NextRetryAt,
			})
			continue
		}
		reply.Claimed = append(reply.Claimed, claimed(row))
	}
	return reply, nil
}

// Answers of ClaimDeliveredSteps for steps that it does not claim.
const (
	// DeliveredGone says that the message is of no use any more: acknowledge it.
	DeliveredGone = "gone"
	// DeliveredPaused says that the step's namespace is paused: give the message back, to come again later.
	DeliveredPaused = "paused"
	// DeliveredLimited says that the step's limit has no place for it: give the message back, to come again later.
	DeliveredLimited = "limited"
	// DeliveredBusy says that another transaction holds the step, or its time has not come: give the message back.
	DeliveredBusy = "busy"
)

// ClaimDeliveredSteps claims the steps that messages of a broker carry, and answers for those that it does not claim what
// to do with their messages. The message of a claimed step is acknowledged, too: from now on the lease is the guarantee.
func (e *SqlFunctionExecutor) ClaimDeliveredSteps(
	ctx context.Context, stepUUIDs []uuid.UUID, workerUUID uuid.UUID, lease time.Duration,
) (ExchangeReply, error) {
	rows, err := e.q.ClaimDeliveredSteps(ctx, stepUUIDs, workerUUID, seconds(lease))
	if err != nil {
		return ExchangeReply{}, err
	}
	var reply ExchangeReply
	for _, row := range rows {
		if row.Answer != nil {
			reply.Answers = append(reply.Answers, StepAnswer{StepUUID: row.StepUUID, Answer: *row.Answer})
			continue
		}
		reply.Claimed = append(reply.Claimed, claimed(row))
	}
	return reply, nil
}

// claimed is the part of an exchange's row that belongs to a claimed step: its columns that are
// nullable for the answers' sake have values there.
func claimed(row gen.StepExchange) ClaimedStep {
	return ClaimedStep{
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

// ExtendLeases renews the leases of running steps; 0 is the setting lease_seconds. One answer for each, in
// order: a worker that gets "stale" or "cancelled" should stop, since the result would be refused.
func (e *SqlFunctionExecutor) ExtendLeases(
	ctx context.Context, claims []StepClaim, lease time.Duration,
) ([]StepLease, error) {
	stepUUIDs, claimNos := spreadClaims(claims)
	rows, err := e.q.ExtendLeases(ctx, stepUUIDs, claimNos, seconds(lease))
	return each(rows, func(row gen.StepLease) StepLease { return StepLease(row) }), err
}

// CheckpointStep keeps how far a running step has come, for the next attempt, and renews its lease; 0 is
// the setting lease_seconds. The answer is saved, stale or cancelled.
func (e *SqlFunctionExecutor) CheckpointStep(
	ctx context.Context, claim StepClaim, checkpoint json.RawMessage, lease time.Duration,
) (string, error) {
	if err := checkJSON(checkpoint); err != nil {
		return "", err
	}
	return e.q.CheckpointStep(ctx, gen.CheckpointStepParams{
		StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Checkpoint: checkpoint, LeaseSeconds: seconds(lease),
	})
}

// ReleaseSteps hands claimed steps back that were not begun; the attempt does not count. One answer for
// each, in order.
func (e *SqlFunctionExecutor) ReleaseSteps(ctx context.Context, claims []StepClaim) ([]StepAnswer, error) {
	stepUUIDs, claimNos := spreadClaims(claims)
	rows, err := e.q.ReleaseSteps(ctx, stepUUIDs, claimNos)
	return each(rows, func(row gen.StepAnswer) StepAnswer { return StepAnswer(row) }), err
}

// resultArrays are results as parallel arrays, which is how SQL takes them.
type resultArrays struct {
	stepUUIDs      []uuid.UUID
	claimNos       []int32
	results        []json.RawMessage
	errors         []string
	permanent      []bool
	backoffs       []int32
	executionTimes []int64
}

// spread turns results into arrays. One element that PostgreSQL cannot read would fail them all without
// saying which it was, so each is checked before it is sent.
func spread(results []StepResult) (resultArrays, error) {
	n := len(results)
	a := resultArrays{
		stepUUIDs: make([]uuid.UUID, n), claimNos: make([]int32, n), results: make([]json.RawMessage, n),
		errors: make([]string, n), permanent: make([]bool, n), backoffs: make([]int32, n), executionTimes: make([]int64, n),
	}
	for i, r := range results {
		if err := checkJSON(r.Results); err != nil {
			return a, fmt.Errorf("result %d: %w", i+1, err)
		}
		a.stepUUIDs[i], a.claimNos[i] = r.StepUUID, r.ClaimNo
		a.results[i] = r.Results
		a.errors[i], a.permanent[i] = readable(r.Error), r.Permanent
		a.backoffs[i] = -1
		if r.Backoff != nil {
			a.backoffs[i] = int32(max(0, r.Backoff.Round(time.Second)/time.Second))
		}
		a.executionTimes[i] = max(0, r.ExecutionTime.Milliseconds())
	}
	return a, nil
}

func spreadClaims(claims []StepClaim) ([]uuid.UUID, []int32) {
	stepUUIDs, claimNos := make([]uuid.UUID, len(claims)), make([]int32, len(claims))
	for i, claim := range claims {
		stepUUIDs[i], claimNos[i] = claim.StepUUID, claim.ClaimNo
	}
	return stepUUIDs, claimNos
}

// seconds is a duration as SQL takes it, nil for none. Fractions are rounded up.
func seconds(d time.Duration) *int32 {
	if d == 0 {
		return nil
	}
	n := int32((d + time.Second - 1) / time.Second)
	return &n
}

// readable is text that PostgreSQL can store: UTF-8, without zero bytes.
func readable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// checkJSON says whether PostgreSQL can store raw; none at all is null.
func checkJSON(raw json.RawMessage) error {
	if err := pgjson.Check(raw); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}
