package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// Job is one attempt at a step, in the form that a handler gets. A test may make a job as a literal, &worker.Job[Order]{Input: Order{…}}.
// Such a job has no results of other steps and stores nothing.
type Job[In any] struct {
	Step
	// Input is the task's context, decoded as In. All handlers of the task share the context, so fields that In lacks are ignored. The step
	// fails for good if the context has none of In's fields, or lacks a field with the tag `tasker:"required"`.
	Input In
}

// Step is one attempt at a step without its types, which middleware gets and every [Job] contains.
type Step struct {
	StepUUID    uuid.UUID
	TaskUUID    uuid.UUID
	Namespace   string
	Task        string // the template's name
	TaskVersion string
	Name        string // the step's name in its task
	Handler     string
	// Attempt is the number of this attempt, starting at 1. MaxAttempts is the number of the last attempt.
	Attempt     int
	MaxAttempts int
	// LostCount is how many workers were lost while they ran the step.
	LostCount int
	Priority  int
	// CorrelationID ties the task to a request that goes through several systems. ParentCorrelationID is the correlation ID of the cause of
	// that request, or uuid.Nil if it is unknown.
	CorrelationID       uuid.UUID
	ParentCorrelationID uuid.UUID
	// LastError is the error of the previous attempt. It is empty in the first attempt.
	LastError string

	headers    json.RawMessage
	context    json.RawMessage
	inputs     json.RawMessage
	checkpoint json.RawMessage
	results    json.RawMessage

	claimNo  int32
	source   source
	ctx      context.Context // the context of this run, ends with it
	function *function       // nil if a test made the job
	open     *openTx         // nil if a test made the job
	streams  *stepStreams    // nil if a test made the job
	sealing  *sealing        // nil if nothing is encrypted
	parents  func() (values, error)
	ancestor func(name string) (raw json.RawMessage, found bool, err error)
}

// source loads the values that the claim of a step left out, and stores the step's checkpoints.
type source interface {
	loadContext(ctx context.Context, taskUUID uuid.UUID) (*value, error)
	// loadResults loads the results of the parents of a step. sharedBy names the steps with the same parents, if it is not empty.
	loadResults(ctx context.Context, stepUUID uuid.UUID, sharedBy string) (values, error)
	loadAncestor(ctx context.Context, stepUUID uuid.UUID, name string) (raw json.RawMessage, found bool, err error)
	// loadTask loads a task that a payload belongs to.
	loadTask(ctx context.Context, taskUUID uuid.UUID) (executor.TaskDetail, error)
	saveCheckpoint(ctx context.Context, claim direct.StepClaim, checkpoint json.RawMessage) error
	appendItems(ctx context.Context, batch sqlfn.AppendItemsParams) error
	setValue(ctx context.Context, value sqlfn.SetValueParams) error
	logger() *slog.Logger
	world() durable.World
	txSource
}

// txSource makes the transactions of handlers.
type txSource interface {
	// beginTx begins a transaction for the handler and for its result.
	beginTx(ctx context.Context) (pgx.Tx, error)
	// recordIn makes the call that records the result in the transaction.
	recordIn(ctx context.Context, claim direct.StepClaim, call func(ctx context.Context) error) error
	// insists reports whether a lost transaction is begun again.
	insists() bool
	// pause waits before a lost transaction is begun again.
	pause(ctx context.Context, d time.Duration) error
}

// newStep returns a claimed step. ctx is the handler's context, under which later values are loaded.
func newStep(ctx context.Context, claimed gen.ClaimedStep, source source) *Step {
	s := &Step{
		StepUUID: claimed.StepUUID, TaskUUID: claimed.TaskUUID, Namespace: claimed.Namespace,
		Task: claimed.TaskName, TaskVersion: claimed.TaskVersion, Name: claimed.Name, Handler: claimed.Handler,
		Attempt: int(claimed.Attempt), MaxAttempts: int(claimed.MaxAttempts), LostCount: int(claimed.LostCount),
		Priority: int(claimed.Priority), CorrelationID: claimed.CorrelationID,
		headers: claimed.Headers, context: claimed.Context, inputs: claimed.Inputs,
		checkpoint: claimed.Checkpoint, results: claimed.ParentResults,
		claimNo: claimed.ClaimNo, source: source, ctx: ctx, open: &openTx{}, streams: &stepStreams{},
	}
	s.function = &function{raw: claimed.Kept, world: durable.From(ctx)}
	s.function.left.Store(keptCount(claimed.Kept))
	if s.function.world == nil {
		s.function.world = source.world()
	}
	if claimed.ParentCorrelationID != nil {
		s.ParentCorrelationID = *claimed.ParentCorrelationID
	}
	if claimed.LastError != nil {
		s.LastError = *claimed.LastError
	}
	s.parents = sync.OnceValues(func() (values, error) {
		if s.results == nil {
			return s.source.loadResults(ctx, s.StepUUID, s.siblings())
		}
		var results map[string]json.RawMessage
		err := json.Unmarshal(s.results, &results)
		return asValues(results), err
	})
	s.ancestor = func(name string) (json.RawMessage, bool, error) { return s.source.loadAncestor(ctx, s.StepUUID, name) }
	return s
}

// siblings returns a name that all elements of a map share, since they have the same parents. For other steps it returns an empty text.
func (s *Step) siblings() string {
	var inputs struct {
		Index *int `json:"index"`
	}
	name, _, found := strings.Cut(s.Name, "[")
	if !found || json.Unmarshal(s.inputs, &inputs) != nil || inputs.Index == nil {
		return ""
	}
	return s.TaskUUID.String() + " " + name
}

func (s *Step) step() *Step { return s }

func (s *Step) claim() direct.StepClaim {
	return direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.claimNo}
}

// AnyJob is a [*Job] of any type, or a [*Step].
type AnyJob interface{ step() *Step }

// Result returns the result of a step on which this step depends, directly or not:
//
//	reservation, err := worker.Result[Reservation](job, "reserve")
//
// The results of direct dependencies come with the claim. The result of an indirect dependency is loaded when the handler asks for it. The
// error is ErrNoResult if the job's step does not depend on a step with this name, or if the named step was skipped. The error is ErrMisfit
// if the result does not fit T. If a handler returns ErrMisfit, its step does not fail, since another worker may run a build that fits. The
// step is suspended and tried again later, and the attempt does not count.
func Result[T any](job AnyJob, name string) (T, error) {
	var result T
	s := job.step()
	if s.parents == nil {
		return result, fmt.Errorf("%w: the job was made by hand; package workertest gives it results", ErrNoResult)
	}
	results, err := s.parents()
	if err != nil {
		return result, fmt.Errorf("results of the parents of step %q: %w", s.Name, err)
	}
	one, found := results[name]
	if !found {
		one = new(value)
		if one.raw, found, err = s.ancestor(name); err != nil {
			return result, fmt.Errorf("the result of %q for step %q: %w", name, s.Name, err)
		}
	}
	if !found {
		return result, fmt.Errorf("step %q has no result of %q: %w; its parents with a result are %s",
			s.Name, name, ErrNoResult, quoted(slices.Sorted(maps.Keys(results))))
	}
	if err := one.decode(&result); err != nil {
		return result, &jsonfit.OtherBuildError{Step: name, Err: fmt.Errorf("the result of %q %w", name, err)}
	}
	return result, nil
}

// Results returns the results of all direct dependencies that have a result, by the names of the steps. All results must fit the same type.
func Results[T any](job AnyJob) (map[string]T, error) {
	if job.step().parents == nil {
		return map[string]T{}, nil
	}
	results, err := job.step().parents()
	if err != nil {
		return nil, fmt.Errorf("results of the parents of step %q: %w", job.step().Name, err)
	}
	all := make(map[string]T, len(results))
	for name := range results {
		if all[name], err = Result[T](job, name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Inputs decodes the step's own inputs into v. These are the initialization in the template, or the inputs given to add_steps. The inputs
// of a compensation describe the step that the compensation undoes. If the step has no inputs, v stays unchanged.
func (s *Step) Inputs(v any) error {
	if err := s.loadUndone(); err != nil {
		return fmt.Errorf("the result that step %q undoes: %w", s.Name, err)
	}
	return decode(fmt.Sprintf("the inputs of step %q", s.Name), s.inputs, v)
}

// loadUndone loads the result that the claim of a compensation left out, and adds the result to the compensation's inputs.
func (s *Step) loadUndone() error {
	if !bytes.Contains(s.inputs, []byte(`"result_omitted"`)) {
		return nil
	}
	var inputs map[string]json.RawMessage
	var undone string
	if json.Unmarshal(s.inputs, &inputs) != nil || string(inputs["result_omitted"]) != "true" || json.Unmarshal(inputs["step"], &undone) != nil {
		return nil
	}
	results, err := s.source.loadResults(s.ctx, s.StepUUID, "")
	if err != nil || results[undone] == nil {
		return err
	}
	delete(inputs, "result_omitted")
	inputs["result"] = results[undone].raw
	s.inputs, err = json.Marshal(inputs)
	return err
}

// Headers decodes the task's headers, such as a traceparent.
func (s *Step) Headers() (map[string]any, error) {
	headers := map[string]any{}
	err := decode("the headers of the task", s.headers, &headers)
	return headers, err
}

// State decodes the state that the function last passed to [ContinueAs] into v, and reports whether there is a state. Before the first call
// of ContinueAs there is none. Checkpoints are stored separately.
func (s *Step) State(v any) (bool, error) {
	var kept struct {
		State json.RawMessage `json:"state"`
	}
	if s.function != nil && !absent(s.function.raw) {
		if err := json.Unmarshal(s.function.raw, &kept); err != nil {
			return false, fmt.Errorf("what the function of step %q has kept: %w", s.Name, err)
		}
	}
	if absent(kept.State) {
		return false, nil
	}
	return true, decode(fmt.Sprintf("the state of the function of step %q", s.Name), kept.State, v)
}

// LastCheckpoint decodes the value that an earlier attempt saved with Checkpoint into v, and reports whether there is such a value.
func (s *Step) LastCheckpoint(v any) (bool, error) {
	if absent(s.checkpoint) {
		return false, nil
	}
	return true, decode(fmt.Sprintf("the checkpoint of step %q", s.Name), s.checkpoint, v)
}

// Checkpoint stores v for the next attempt, as a record of the step's progress, and renews the lease. It returns ErrLost or ErrCancelled if
// the step no longer belongs to this worker. The handler should then stop. A job that a test made stores nothing.
func (s *Step) Checkpoint(ctx context.Context, v any) error {
	raw, err := encode(v)
	if err != nil {
		return fmt.Errorf("the checkpoint of step %q: %w", s.Name, err)
	}
	if s.source == nil {
		return nil
	}
	if err := s.source.saveCheckpoint(ctx, s.claim(), raw); err != nil {
		return err
	}
	s.checkpoint = raw
	return nil
}

// decodeInput decodes the task's context.
func (s *Step) decodeInput(ctx context.Context, v any) error {
	given := &value{raw: s.context}
	if s.context == nil {
		var err error
		if given, err = s.source.loadContext(ctx, s.TaskUUID); err != nil {
			return fmt.Errorf("the context of task %s: %w", s.TaskUUID, err)
		}
		s.context = given.raw
	}
	if absent(s.context) { // a claim without a database; a task always has one
		return nil
	}
	return misfit(fmt.Sprintf("the context of task %q", s.Task), given.decode(v))
}

// fit decodes a value from outside the program, such as a context or the payload of a signal. If the value does not fit, the error is
// permanent, since the value would not fit in a later attempt either.
func fit(what string, raw json.RawMessage, v any) error {
	return misfit(what, jsonfit.Decode(raw, v))
}

// misfit returns the error of a decoder as a permanent error.
func misfit(what string, err error) error {
	if err == nil {
		return nil
	}
	return Permanent(fmt.Errorf("%s %w", what, err))
}

func decode(what string, raw json.RawMessage, v any) error {
	if absent(raw) {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s does not fit %T: %w", what, v, describe(err, raw))
	}
	return nil
}

// encode returns v as JSON that PostgreSQL can store.
func encode(v any) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return raw, pgjson.Check(raw)
}

// describe adds the part of the JSON text at which decoding failed to the error.
func describe(err error, raw json.RawMessage) error {
	const shown = 80
	text := string(raw)
	if len(text) > shown {
		text = strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return fmt.Errorf("%w; it is %s", err, text)
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(names, ", ")
}
