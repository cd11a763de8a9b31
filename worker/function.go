package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
)

// function is the state of one run of a durable function.
type function struct {
	raw    json.RawMessage // the kept results that the claim delivered
	world  durable.World
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	home   uint64 // the handler's goroutine
	busy   bool   // a call is under way
	used   bool
	inTx   bool // its handler has a transaction for its result
	misuse error
	end    error // why the run has ended before its handler returned. Every further call ends its goroutine

	loaded bool
	kept   []keptResult
	at     int // how many of these results the run has asked for
	seen   map[string]int
	fresh  bool         // this run has kept a result
	left   atomic.Int64 // how many kept results the run has not asked for yet
	round  int
	state  json.RawMessage // the state with which the function continues
}

type keptResult struct {
	Name       string          `json:"name"`
	Occurrence int             `json:"occurrence"`
	Value      json.RawMessage `json:"value"`
	Error      *string         `json:"error"`
}

// keptByClaim holds the kept results of a function that a claim delivers.
type keptByClaim struct {
	Round   int          `json:"round"`
	Count   int          `json:"count"`
	Results []keptResult `json:"results"`
}

// host runs a handler in a goroutine of its own, which calls of a durable function may end. It returns the handler's error, or the reason
// why the run ended before the handler returned.
func (s *Step) host(cancel context.CancelCauseFunc, handler func() error) error {
	f := s.function
	f.cancel = cancel
	var err error
	var caught *PanicError
	returned := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if value := recover(); value != nil {
				caught = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}()
		f.home = goroutine()
		err = handler()
		returned = true
		if err == nil && f.used {
			s.returns()
		}
	}()
	<-done

	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.misuse != nil:
		return Permanent(f.misuse)
	case f.end != nil:
		return f.end
	case caught != nil:
		return caught
	case !returned:
		runtime.Goexit() // the handler has ended it, such as by a test's FailNow
	}
	return err
}

// ended returns the reason why the run ended before its handler returned, or the error of a forbidden call, or nil.
func (f *function) ended() (end, misuse error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.end, f.misuse
}

// returns checks a function that has returned: the function must have asked for all its kept results.
func (s *Step) returns() {
	f := s.function
	f.mu.Lock()
	early := f.end == nil && f.misuse == nil && f.at < len(f.kept)
	f.mu.Unlock()
	if early {
		s.diverge("$end")
	}
}

// errMisuse begins the errors of calls that a function must not make.
var errMisuse = errors.New("a durable function makes one call after the other, in its handler's goroutine")

// enter begins a call of a function. An error says that the call must not be made. The step then fails for good.
func (s *Step) enter(what string) (leave func(), err error) {
	if s.function == nil {
		panic("worker: " + what + ": the job was made by hand; package workertest runs durable functions in tests")
	}
	f := s.function
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.end != nil:
		f.mu.Unlock()
		defer f.mu.Lock() // for the unlocking above
		runtime.Goexit()
	case f.misuse != nil:
	case f.inTx:
		f.misuse = fmt.Errorf("%s was called in a handler with a transaction, which is no durable function: OnceTx gives one a transaction", what)
	case f.home != goroutine():
		f.misuse = fmt.Errorf("%s was called in another goroutine: %w", what, errMisuse)
	case f.busy:
		f.misuse = fmt.Errorf("%s was called inside of another call: %w", what, errMisuse)
	}
	if f.misuse != nil {
		return nil, f.misuse
	}
	why := context.Cause(s.ctx) // an ended run begins no call
	if why == nil && stops(f.world) {
		why = ErrStopping // another worker continues with the kept results
	}
	if why != nil {
		f.end = why
		f.cancel(why)
		f.mu.Unlock()
		defer f.mu.Lock()
		runtime.Goexit()
	}
	f.busy, f.used = true, true
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	return func() {
		f.mu.Lock()
		f.busy = false
		f.mu.Unlock()
	}, s.load()
}

// stops reports whether the worker is stopping.
func stops(world durable.World) bool {
	select {
	case <-world.Stopping():
		return true
	default:
		return false
	}
}

// load reads the kept results of the function, which come with the claim or, if they are large, in pages. If reading fails, load ends the
// run.
func (s *Step) load() error {
	f := s.function
	if f.loaded {
		return nil
	}
	f.loaded = true
	if absent(f.raw) {
		return nil
	}
	var claimed keptByClaim
	if err := json.Unmarshal(f.raw, &claimed); err != nil {
		f.misuse = fmt.Errorf("what step %q has kept: %w", s.Name, err)
		return f.misuse
	}
	f.round, f.kept = claimed.Round, claimed.Results
	for len(f.kept) < claimed.Count {
		page, err := f.world.GetKeptResults(s.ctx, s.StepUUID, int32(len(f.kept)), resultsPage)
		if err == nil && len(page) == 0 {
			err = errors.New("some of it is not there")
		}
		if err != nil {
			f.misuse, f.loaded = nil, false
			f.end = fmt.Errorf("what step %q has kept: %w", s.Name, err)
			f.busy = false
			f.mu.Unlock()
			defer f.mu.Lock()
			runtime.Goexit()
		}
		for _, k := range page {
			f.kept = append(f.kept, keptResult{Name: k.Name, Occurrence: int(k.Occurrence), Value: k.Value, Error: k.Error})
		}
	}
	return nil
}

// keptCount returns how many results the function has kept, according to the claim.
func keptCount(raw json.RawMessage) int64 {
	var claimed struct {
		Count int64 `json:"count"`
	}
	if !absent(raw) {
		_ = json.Unmarshal(raw, &claimed) // load returns the error
	}
	return claimed.Count
}

// repeats reports whether the run still passes through calls that an earlier run has made. Any goroutine may call repeats.
func (f *function) repeats() bool { return f.left.Load() > 0 }

// stop ends the run and its goroutine.
func (s *Step) stop(why error) {
	f := s.function
	f.mu.Lock()
	if f.end == nil {
		f.end = why
	}
	f.mu.Unlock()
	f.cancel(why)
	runtime.Goexit()
}

// call returns the place of the next call of a name in the function.
func (s *Step) call(name string) direct.KeptCall {
	return direct.KeptCall{Position: int32(s.function.at + 1), Name: name, Occurrence: int32(s.function.seen[name] + 1)}
}

// recall returns the kept result of this call from an earlier run. If the kept result belongs to another call, the code has changed, and
// the run ends.
func (s *Step) recall(call direct.KeptCall) (keptResult, bool) {
	f := s.function
	if f.at >= len(f.kept) {
		if recording, ok := f.world.(durable.Recording); ok {
			s.stop(recording.Unrecorded(call))
		}
		return keptResult{}, false
	}
	kept := f.kept[f.at]
	if kept.Name != call.Name || kept.Occurrence != int(call.Occurrence) {
		s.diverge(call.Name)
	}
	s.pass(call)
	return kept, true
}

// pass records that a call is done.
func (s *Step) pass(call direct.KeptCall) {
	s.function.at++
	s.function.left.Store(int64(max(0, len(s.function.kept)-s.function.at)))
	s.function.seen[call.Name]++
}

// diverge suspends a step whose function makes another call than the kept call, and ends the run.
func (s *Step) diverge(asked string) {
	s.diverged(s.function.world.DivergeStep(s.ctx, s.claim(), int32(s.function.at+1), asked))
}

// misfit suspends a step whose function cannot read the kept result of its last call, and ends the run.
func (s *Step) misfit(name string, why error) {
	s.diverged(s.function.world.Misfit(s.ctx, s.claim(), int32(s.function.at), name, why))
}

func (s *Step) diverged(answer gen.KeptAnswer, err error) {
	if err == nil {
		err = s.judge(answer)
	}
	if err == nil {
		err = ErrSuspended
	}
	s.stop(err)
}

// judge returns the reason why an answer ends the run, or nil.
func (s *Step) judge(answer gen.KeptAnswer) error {
	switch answer.Answer {
	case gen.CallAnswerStale:
		return ErrLost
	case gen.CallAnswerCancelled:
		return ErrCancelled
	case gen.CallAnswerKept, gen.CallAnswerKnown, gen.CallAnswerDiverged, gen.CallAnswerSuspended, gen.CallAnswerEnded, gen.CallAnswerContinued:
		return nil
	default:
		return fmt.Errorf("the database answered a call of the function with %q, which this worker does not know", answer.Answer)
	}
}

// keep keeps the result of a call. It returns the kept result, which another writer may have kept first.
func (s *Step) keep(call direct.KeptCall, value json.RawMessage, failure string) keptResult {
	f := s.function
	answer, err := f.world.KeepStepResult(s.ctx, s.claim(), call, value, failure)
	return s.took(call, answer, err)
}

// took handles the answer to a call.
func (s *Step) took(call direct.KeptCall, answer gen.KeptAnswer, err error) keptResult {
	f := s.function
	if err == nil {
		err = s.judge(answer)
	}
	if err != nil {
		if code(err) == "TK413" || code(err) == "TK422" {
			err = Permanent(err)
		}
		s.stop(err)
	}
	switch answer.Answer {
	case gen.CallAnswerSuspended:
		s.stop(ErrSuspended)
	case gen.CallAnswerDiverged:
		s.diverge(call.Name)
	}
	kept := keptResult{Name: call.Name, Occurrence: int(call.Occurrence), Value: answer.Value, Error: answer.Error}
	f.kept = append(f.kept, kept)
	f.fresh = true
	s.pass(call)
	return kept
}

// lastAttempt reports whether the step fails for good if this attempt fails. Attempts count from the last kept result.
func (s *Step) lastAttempt() bool {
	attempt := s.Attempt
	if s.function.fresh {
		attempt = 1
	}
	return attempt >= s.MaxAttempts
}

// keyOf returns the key of a call, which is the same in every run. After ContinueAs the calls of a function have new keys.
func (s *Step) keyOf(call direct.KeptCall) uuid.UUID {
	name := call.Name + "/" + strconv.Itoa(int(call.Occurrence))
	if s.function.round > 0 {
		name += "/" + strconv.Itoa(s.function.round)
	}
	return uuid.NewSHA1(s.StepUUID, []byte(name))
}

// goroutine returns the number of this goroutine, which only its stack trace shows.
func goroutine() uint64 {
	var buffer [40]byte
	text := buffer[:runtime.Stack(buffer[:], false)]
	const prefix = len("goroutine ")
	var number uint64
	for _, digit := range text[min(prefix, len(text)):] {
		if digit < '0' || digit > '9' {
			break
		}
		number = 10*number + uint64(digit-'0')
	}
	return number
}
