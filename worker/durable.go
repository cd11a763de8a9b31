package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/internal/span"
	"github.com/pgtasker/pgtasker/template"
)

// KeptError is the final error of a call in a durable function, from this run or from an earlier run. Only the text of the error is kept.
// If a function has to tell errors apart, its calls should return them as values. If a handler returns a KeptError, the step fails for
// good, since another attempt would get the same error.
type KeptError struct {
	// Name of the call.
	Name string
	// Text of the error.
	Text string
}

func (e *KeptError) Error() string { return fmt.Sprintf("%s: %s", e.Name, e.Text) }

// OnceOption changes how [Once] and [OnceTx] try their function.
type OnceOption func(*tries)

type tries struct {
	most  int
	pause time.Duration
}

// Tries lets a call try its function up to n times within one attempt. The pause between two tries doubles each time. The error of the last
// try is kept and returned to the durable function. Default: an error ends the attempt, and the step is tried again as the retry policy of
// the template says.
func Tries(n int, pause time.Duration) OnceOption {
	if n < 1 {
		panic(fmt.Sprintf("worker: %d tries are below 1", n))
	}
	return func(t *tries) { t.most, t.pause = n, pause }
}

// Once calls f and keeps its result in the database, so that later runs of the durable function get the kept result and do not call f
// again. The result is kept under the name of the call, and the number of the call among calls with the same name.
//
//	payment, err := worker.Once(ctx, job, "charge", func(ctx context.Context, key uuid.UUID) (Payment, error) {
//		return bank.Charge(ctx, job.Input.Amount, key)
//	})
//
// The function f runs at least once. It runs again, with the same key, if its worker is lost before the result is kept. Use [OnceTx] if
// effects in this database must happen exactly once. An error of f ends the attempt before the durable function sees the error, and the
// step is tried again as after an error of any handler. Attempts count from the last kept result. The error is kept and returned as a
// [KeptError] only if it is [Permanent], in the last attempt, or after the last of the [Tries]. If a context that the durable function made
// ends, such as a time-out around the call, this counts as an error of f and ends the tries.
//
// If a kept result does not fit R, the code has changed. The call then does not return: the step waits for a worker with code that fits.
//
// A durable function must make one call after the other, in the goroutine of its handler, and no call inside f. A call that breaks this
// rule returns an error, and the step fails for good.
func Once[R any](
	ctx context.Context, job AnyJob, name string, f func(ctx context.Context, key uuid.UUID) (R, error), options ...OnceOption,
) (R, error) {
	return once[R](ctx, job, name, options, func(ctx context.Context, s *Step, call direct.KeptCall) (keptResult, error) {
		value, err := f(ctx, s.keyOf(call))
		if err != nil {
			return keptResult{}, err
		}
		return s.keep(call, result(s, name, value), ""), nil
	})
}

// Do is [Once] for a call without a result.
func Do(
	ctx context.Context, job AnyJob, name string, f func(ctx context.Context, key uuid.UUID) error, options ...OnceOption,
) error {
	_, err := Once(ctx, job, name, func(ctx context.Context, key uuid.UUID) (struct{}, error) {
		return struct{}{}, f(ctx, key)
	}, options...)
	return err
}

func once[R any](
	ctx context.Context, job AnyJob, name string, options []OnceOption,
	try func(ctx context.Context, s *Step, call direct.KeptCall) (keptResult, error),
) (none R, err error) {
	s := job.step()
	leave, err := s.enter(fmt.Sprintf("Once(%q)", name))
	if err != nil {
		return none, err
	}
	defer leave()
	s.named(name)
	call := s.call(name)
	if kept, found := s.recall(call); found {
		return decoded[R](s, name, kept)
	}
	var policy tries
	for _, option := range options {
		option(&policy)
	}
	for n := 1; ; n++ {
		kept, err := try(ctx, s, call)
		if err == nil {
			return decoded[R](s, name, kept)
		}
		err = checked(err)
		s.during(err)
		tried := policy.most > 0 && (n >= policy.most || ctx.Err() != nil)
		switch {
		case isPermanent(err), tried, policy.most == 0 && s.lastAttempt():
			return decoded[R](s, name, s.keep(call, nil, errorText(err)))
		case policy.most == 0:
			s.stop(fmt.Errorf("%s: %w", name, err))
		}
		// The end of a context that the function made ends the pause, and the next try is the last.
		_ = s.pause(ctx, policy.pause<<min(n-1, 20))
	}
}

// pause lets time pass, and ends the run if the run is over or the worker stops. It returns an error if a context that the function made
// has ended.
func (s *Step) pause(ctx context.Context, d time.Duration) error {
	err := s.function.world.Pause(ctx, d)
	if err != nil && (s.ctx.Err() != nil || errors.Is(err, ErrStopping)) {
		s.stop(err)
	}
	return err
}

// during ends the run if a call failed because the run is over, or because the function made a forbidden call. The end of a context that
// the function made for the call is an error of the call.
func (s *Step) during(err error) {
	s.function.mu.Lock()
	misuse := s.function.misuse
	s.function.mu.Unlock()
	if misuse != nil || s.ctx.Err() != nil {
		s.stop(err)
	}
}

func (s *Step) encoded(name string, value any) json.RawMessage {
	raw, err := encode(value)
	if err != nil {
		s.stop(Permanent(fmt.Errorf("the result of %q, %T, cannot be kept: %w", name, value, err)))
	}
	return raw
}

// result encodes the return value of a call. A value that this build could not read back must not be kept, since no run would get it.
func result[R any](s *Step, name string, value R) json.RawMessage {
	raw := s.encoded(name, value)
	if err := jsonfit.Decode(raw, new(R)); err != nil {
		s.stop(Permanent(fmt.Errorf("the result of %q, %T, cannot be read back: %w", name, value, err)))
	}
	return raw
}

// decoded returns the kept result of a call. Another build may have written it. If it does not fit, the function has changed.
func decoded[R any](s *Step, name string, kept keptResult) (value R, err error) {
	if kept.Error != nil {
		return value, &KeptError{Name: name, Text: *kept.Error}
	}
	if err := jsonfit.Decode(orNull(kept.Value), &value); err != nil {
		s.misfit(kept.Name, err)
	}
	return value, nil
}

// orNull returns the JSON value of a column. Null in the column is read as an empty value.
func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

var names = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.:/-]{0,99}$`)

// named ends the run for good if a call has no valid name.
func (s *Step) named(name string) {
	if !names.MatchString(name) {
		s.stop(Permanent(fmt.Errorf(
			"%q is not a name for a call: a letter or digit, then at most 99 of these, underscores, dots, colons, slashes and hyphens", name)))
	}
}

// Sleep waits for the duration d. Meanwhile the step is suspended, however short d is, and holds no worker, no limit, no lease and no
// attempt. Then the durable function runs again from the top and gets its kept results. The first run stores the time at which the function
// continues. If d is 0 or less, the function continues at once. To wait for a moment without a suspension, wait inside the function of
// [Once], or between its [Tries].
func Sleep(ctx context.Context, job AnyJob, d time.Duration) {
	sleep(ctx, job.step(), "Sleep", template.Await{For: template.Seconds(d)})
}

// SleepUntil waits until the time t, as [Sleep] does.
func SleepUntil(ctx context.Context, job AnyJob, t time.Time) {
	sleep(ctx, job.step(), "SleepUntil", template.Await{Until: t.UTC().Format("2006-01-02T15:04:05.999999Z")})
}

func sleep(ctx context.Context, s *Step, what string, wait template.Await) {
	leave, err := s.enter(what)
	if err != nil {
		return
	}
	defer leave()
	call := s.call("$sleep")
	if _, found := s.recall(call); !found {
		s.suspend(call, Waiting{Or: []template.Await{wait}})
	}
}

// Waiting says how a step waits. With the zero value the step waits only for the signal or event, without a time limit, and accepts any
// payload.
type Waiting struct {
	// When is a jsonpath predicate that the payload must meet, such as "$.ok == true". The step does not take other payloads.
	When string
	// Schema is the required form of a signal's payload. Other payloads are refused. See [template.Await].
	Schema json.RawMessage
	// LookBack is how long before the wait began an event may have been emitted. Default: 60 seconds.
	LookBack time.Duration
	// Or lists further alternatives: other signals and events with a payload of the same type, durations, and times. The first alternative
	// that happens ends the wait.
	Or []template.Await
	// Timeout is how long the step waits at most. In a durable function a negative timeout ends the wait at once, so a function may pass
	// the rest of a time that has run out. Default: no timeout.
	Timeout time.Duration
	// Assignee is the person or role that should answer. If it is the name of a database role, only this role can answer.
	Assignee string
}

// Answer says how a wait ended.
type Answer[P any] struct {
	// By says what ended the wait: "signal", "event", "for" or "until" for a time, or "timeout".
	By string `json:"by"`
	// Name is the name of the signal or event. A wait may name several.
	Name string `json:"name,omitempty"`
	// Key is the key of the event, if it has one.
	Key string `json:"key,omitempty"`
	// EventUUID is the UUID of the event, or nil if no event ended the wait.
	EventUUID *uuid.UUID `json:"event_uuid,omitempty"`
	// Payload is the payload of the signal or event. It is zero if time ended the wait.
	Payload P `json:"payload"`
	// SentAt is the time at which the signal was sent or the event was emitted. This may be before the wait began. SentAt is zero if time
	// ended the wait.
	SentAt time.Time `json:"sent_at,omitzero"`
}

// Await waits for a signal to the task, an event of its namespace, or an alternative in waiting. The returned [Answer] says how the wait
// ended:
//
//	answer, err := worker.Await(ctx, job, approved, worker.Waiting{Timeout: 72 * time.Hour})
//
// Meanwhile the step is suspended, as by [Sleep]. If the signal came before the call, the function continues at once. Each signal ends one
// wait, and its payload is kept for later runs. Each event ends at most one wait of a step, so in a loop each call returns the next event.
// The error is ErrMisfit if the payload does not fit P.
func Await[P any](ctx context.Context, job AnyJob, source Source[P], waiting Waiting) (answer Answer[P], err error) {
	alternative := source.Await()
	if alternative.Event != "" {
		if waiting.LookBack != 0 {
			alternative.LookBack = template.Seconds(waiting.LookBack)
		}
		return await[P](ctx, job.step(), "$event.", "event", alternative.Event, waiting, alternative)
	}
	return await[P](ctx, job.step(), "$await.", "signal", alternative.Signal, waiting, alternative)
}

func await[P any](
	ctx context.Context, s *Step, prefix, kind, name string, waiting Waiting, alternative template.Await,
) (answer Answer[P], err error) {
	leave, err := s.enter(fmt.Sprintf("Await(%q)", name))
	if err != nil {
		return answer, err
	}
	defer leave()
	call := s.call(prefix + name)
	kept, found := s.recall(call)
	if !found {
		alternative.When, alternative.Schema = waiting.When, waiting.Schema
		waiting.Or = append([]template.Await{alternative}, waiting.Or...)
		kept = s.suspend(call, waiting)
	}
	if err := json.Unmarshal(kept.Value, &answer); err != nil {
		return answer, fit(fmt.Sprintf("%s %q", kind, name), kept.Value, &answer)
	}
	return answer, nil
}

// suspend suspends the step and ends the run, unless the wait has already ended.
func (s *Step) suspend(call direct.KeptCall, waiting Waiting) keptResult {
	wait := struct {
		Await    []template.Await `json:"await"`
		Timeout  span.Span        `json:"timeout,omitempty"`
		Assignee string           `json:"assignee,omitempty"`
	}{Await: waiting.Or, Assignee: waiting.Assignee}
	if waiting.Timeout != 0 {
		wait.Timeout = template.Seconds(waiting.Timeout)
	}
	raw, err := encode(wait)
	if err != nil {
		s.stop(Permanent(fmt.Errorf("the wait of %q: %w", call.Name, err)))
	}
	s.flushLog()
	answer, err := s.function.world.SuspendStep(s.ctx, s.claim(), call, raw)
	return s.took(call, answer, err)
}

// Now returns the current time in the first run of the function, and the same time in every later run.
func Now(ctx context.Context, job AnyJob) time.Time {
	s := job.step()
	now, _ := builtin(ctx, s, "Now", "$now", func() time.Time { return s.function.world.Now().UTC().Truncate(time.Microsecond) })
	return now
}

// Rand returns a source of random numbers that are the same in every run of the function. Each call returns another source.
func Rand(ctx context.Context, job AnyJob) *rand.Rand {
	seed, _ := builtin(ctx, job.step(), "Rand", "$rand", func() [2]uint64 { return [2]uint64{rand.Uint64(), rand.Uint64()} })
	return rand.New(rand.NewPCG(seed[0], seed[1]))
}

// builtin keeps a value that the worker itself makes, such as a time.
func builtin[R any](ctx context.Context, s *Step, what, name string, value func() R) (none R, err error) {
	leave, err := s.enter(what)
	if err != nil {
		return none, err
	}
	defer leave()
	call := s.call(name)
	kept, found := s.recall(call)
	if !found {
		kept = s.keep(call, result(s, name, value()), "")
	}
	return decoded[R](s, name, kept)
}

// Changed lets a durable function have new code while older functions still run. It returns true in functions that reach this call for the
// first time, and also in their later runs. It returns false in functions that passed this place before the call was added.
//
//	if worker.Changed(ctx, job, "check-fraud") {
//		_, err = worker.Once(ctx, job, "fraud", check)
//	}
//
// When all functions that began before the change have ended, you may remove the condition, but not the call. When all functions that made
// the call have ended, you may remove the call, too.
func Changed(ctx context.Context, job AnyJob, name string) bool {
	s := job.step()
	leave, err := s.enter(fmt.Sprintf("Changed(%q)", name))
	if err != nil {
		return false
	}
	defer leave()
	s.named(name)
	f := s.function
	call := s.call("$changed." + name)
	if f.at < len(f.kept) {
		if f.kept[f.at].Name != call.Name {
			return false
		}
		_, found := s.recall(call)
		return found
	}
	if recording, ok := f.world.(durable.Recording); ok && recording.Ended() {
		return false // the recorded run had passed this place
	}
	s.keep(call, json.RawMessage("true"), "")
	return true
}

// ContinueAs ends this run of the function and begins the function again with a new state, which the function reads with [Step.State]. The
// kept results of the function are deleted, so that a function may continue forever. ContinueAs does not return.
func ContinueAs(ctx context.Context, job AnyJob, state any) {
	s := job.step()
	leave, err := s.enter("ContinueAs")
	if err != nil {
		return
	}
	defer leave()
	f := s.function
	if f.at < len(f.kept) {
		s.diverge("$continue")
	}
	raw := s.encoded("ContinueAs", state)
	answer, err := f.world.ContinueStep(s.ctx, s.claim(), int32(f.round), raw)
	if err == nil {
		err = s.judge(answer)
	}
	switch {
	case err == nil:
		f.state = raw
		if answer.Round != nil {
			f.round = int(*answer.Round)
		}
		err = errContinued
	case code(err) == "TK413":
		err = Permanent(err)
	}
	s.stop(err)
}

// code returns the SQLSTATE of an error of the database.
func code(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}
