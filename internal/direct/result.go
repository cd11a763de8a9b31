package direct

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// StepResult is the outcome of a claimed step. It is a failure if it has an Error.
type StepResult struct {
	StepClaim
	// Results is the JSON that the step's children find. Default: null.
	Results json.RawMessage
	// ExecutionTime is how long the handler ran, for the audit.
	ExecutionTime time.Duration
	// Error is the failure. Default: none.
	Error string
	// Permanent says that the step must not be tried again.
	Permanent bool
	// Backoff is the wait before the next attempt. Nil stands for the template's policy.
	Backoff *time.Duration
}

// CompleteSteps records that claimed steps are done, and makes the steps that depend on them ready. Each step gets one answer,
// in order. A result that came too late is no error: only its answer says so.
func (e *Executor) CompleteSteps(ctx context.Context, results []StepResult) ([]gen.StepAnswer, error) {
	arrays, err := spread(results)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		if result.Error != "" {
			return nil, fmt.Errorf("%w: result %d is a failure; pass it to FailSteps or ExchangeSteps", executor.ErrInvalid, i+1)
		}
	}
	rows, err := e.Functions.CompleteSteps(ctx, sqlfn.CompleteStepsParams{
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Results:          arrays.results,
		ExecutionTimesMs: arrays.executionTimes,
	})
	return rows, err
}

// FailSteps records that claimed steps have failed. A step is tried again later, unless its failure is permanent or
// its attempts are used up. Each step gets one answer, in order.
func (e *Executor) FailSteps(ctx context.Context, failures []StepResult) ([]gen.StepAnswer, error) {
	arrays, err := spread(failures)
	if err != nil {
		return nil, err
	}
	for i, failure := range failures {
		if failure.Error == "" {
			return nil, fmt.Errorf("%w: failure %d has no error", executor.ErrInvalid, i+1)
		}
	}
	rows, err := e.Functions.FailSteps(ctx, sqlfn.FailStepsParams{
		StepUUIDs:        arrays.stepUUIDs,
		ClaimNos:         arrays.claimNos,
		Errors:           arrays.errors,
		Permanent:        arrays.permanent,
		BackoffSeconds:   arrays.backoffs,
		ExecutionTimesMs: arrays.executionTimes,
	})
	return rows, err
}

// resultArrays are results as parallel arrays, the form that the SQL functions take.
type resultArrays struct {
	stepUUIDs      []uuid.UUID
	claimNos       []int32
	results        []json.RawMessage
	errors         []string
	permanent      []bool
	backoffs       []float64
	executionTimes []int64
}

// spread turns results into arrays. An element that PostgreSQL cannot read would fail the whole call, and the error
// would not name the element. So spread checks each element before it is sent.
func spread(results []StepResult) (resultArrays, error) {
	n := len(results)
	a := resultArrays{
		stepUUIDs: make([]uuid.UUID, n), claimNos: make([]int32, n), results: make([]json.RawMessage, n),
		errors: make([]string, n), permanent: make([]bool, n), backoffs: make([]float64, n), executionTimes: make([]int64, n),
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
			a.backoffs[i] = max(0, r.Backoff.Seconds())
		}
		a.executionTimes[i] = max(0, r.ExecutionTime.Milliseconds())
	}
	return a, nil
}

// readable returns the text in a form that PostgreSQL can store: UTF-8, without zero bytes.
func readable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
