package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// sealing encrypts and decrypts the payloads of one run of a step. A task is encrypted if its context is encrypted. Then everything that
// the step stores is encrypted, too.
type sealing struct {
	codec     codec.Codec
	step      *Step
	source    source
	encrypted bool
	tasks     map[uuid.UUID]executor.TaskDetail // tasks that were looked up
}

// unseal decrypts the payloads of a claim. Without a codec it refuses a task whose payloads are encrypted. The error is permanent.
func (s *Step) unseal(ctx context.Context, c codec.Codec) error {
	if c == nil && !seal.In(s.context) {
		return nil
	}
	f := &sealing{codec: c, step: s, source: s.source}
	if s.context == nil {
		given, err := s.source.loadContext(ctx, s.TaskUUID)
		if err != nil {
			return fmt.Errorf("the context of task %s: %w", s.TaskUUID, err)
		}
		s.context = given.raw
	}
	f.encrypted = seal.Is(s.context)
	s.sealing, s.source = f, sealedSource{s.source, f}
	if recording, ok := s.function.world.(durable.Recording); ok {
		s.function.world = sealedRecording{sealedWorld{s.function.world, f}, recording}
	} else {
		s.function.world = sealedWorld{s.function.world, f}
	}
	for _, part := range []struct {
		raw  *json.RawMessage
		what string
	}{{&s.context, "context"}, {&s.inputs, "inputs"}, {&s.checkpoint, "checkpoint"}} {
		opened, err := f.open(ctx, *part.raw, part.what, s.Name)
		if err != nil {
			return err
		}
		*part.raw = opened
	}
	var err error
	if s.LastError, err = f.openError(ctx, s.LastError, "error", s.Name); err != nil {
		s.LastError = err.Error() // The text is for people: an unknown key must not keep the step from running.
	}
	if s.results, err = f.openResults(ctx, s.results); err != nil {
		return err
	}
	s.function.raw, err = f.openKept(ctx, s.function.raw)
	return err
}

// open decrypts a value of the step: its context, its inputs, its checkpoint, its state, or the result of the named step above.
func (f *sealing) open(ctx context.Context, raw json.RawMessage, what, name string) (json.RawMessage, error) {
	opened, err := seal.Open(ctx, f.codec, raw, func(at seal.Place, top bool) error { return f.belongs(ctx, at, top, what, name) })
	if err != nil {
		return nil, Permanent(err)
	}
	return opened, nil
}

func (f *sealing) openError(ctx context.Context, text, what, name string) (string, error) {
	opened, err := seal.OpenError(ctx, f.codec, text, func(at seal.Place, top bool) error { return f.belongs(ctx, at, top, what, name) })
	if err != nil {
		return text, Permanent(err)
	}
	return opened, nil
}

func (f *sealing) openResults(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	if !seal.In(raw) {
		return raw, nil
	}
	var results map[string]json.RawMessage
	if err := json.Unmarshal(raw, &results); err != nil {
		return raw, err
	}
	for name, result := range results {
		opened, err := f.open(ctx, result, "result", name)
		if err != nil {
			return nil, err
		}
		results[name] = opened
	}
	return json.Marshal(results)
}

// openKept decrypts the part of a claim that belongs to a function: its kept results and its state.
func (f *sealing) openKept(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	if !seal.In(raw) {
		return raw, nil
	}
	var kept map[string]json.RawMessage
	if err := json.Unmarshal(raw, &kept); err != nil {
		return raw, err
	}
	var results []keptResult
	if kept["results"] != nil {
		if err := json.Unmarshal(kept["results"], &results); err != nil {
			return raw, err
		}
	}
	var err error
	for i := range results {
		k := &results[i]
		if k.Value, k.Error, err = f.openOne(ctx, k.Name, k.Occurrence, k.Value, k.Error); err != nil {
			return nil, err
		}
	}
	if kept["state"], err = f.open(ctx, kept["state"], "state", f.step.Name); err != nil {
		return nil, err
	}
	if kept["state"] == nil {
		delete(kept, "state")
	}
	if results != nil {
		if kept["results"], err = json.Marshal(results); err != nil {
			return nil, err
		}
	}
	return json.Marshal(kept)
}

func (f *sealing) openOne(
	ctx context.Context, name string, occurrence int, value json.RawMessage, failure *string,
) (json.RawMessage, *string, error) {
	value, err := f.open(ctx, value, "kept", f.call(name, occurrence))
	if err == nil && failure != nil {
		var text string
		if text, err = f.openError(ctx, *failure, "kept", f.call(name, occurrence)); err == nil {
			failure = &text
		}
	}
	return value, failure, err
}

// call returns the name of a kept result for its place.
func (f *sealing) call(name string, occurrence int) string {
	return fmt.Sprintf("%s %s/%d", f.step.Name, name, occurrence)
}

// belongs returns nil if a payload belongs to the step's value, and the reason if it does not.
func (f *sealing) belongs(ctx context.Context, at seal.Place, top bool, what, name string) error {
	moved := fmt.Errorf("it belongs to another place (%q)", at)
	own := seal.Context(f.step.Namespace, f.step.Task)
	task, of, ofTask := at.Task()
	switch {
	case at == own && (what == "context" || !top):
		return nil
	case at.Kind == "context": // of the task that started this one
		return f.parents(ctx, at, moved)
	case at.Kind == "signal" && !ofTask: // a signal to the key of a task
		if !top && strings.HasPrefix(at.Of, own.Of+" ") {
			return nil
		}
		return moved
	case !ofTask:
		return moved
	}
	switch what {
	case "result", "context", "inputs":
		// A value that the database composed holds payloads of several places.
		inside := !top && (at.Kind == "signal" || at.Kind == "error")
		if at.Kind != "result" && !inside || top && what == "result" && of != name && !strings.HasPrefix(of, name+"[") {
			return moved
		}
	case "kept":
		if at.Kind != "signal" && (at.Kind != "kept" || of != name) {
			return moved
		}
	default:
		if at.Kind != what || of != name {
			return moved
		}
	}
	if task == f.step.TaskUUID {
		return nil
	}
	return f.related(ctx, task, moved)
}

// parents returns moved unless a task with a context of this place has started the step's task.
func (f *sealing) parents(ctx context.Context, at seal.Place, moved error) error {
	task := f.step.TaskUUID
	for range 32 {
		detail, err := f.task(ctx, task)
		switch {
		case errors.Is(err, errNoTasks):
			return nil
		case err != nil:
			return err
		case seal.Context(detail.Namespace, detail.Name) == at:
			return nil
		}
		above, ok := above(detail)
		if !ok {
			return moved
		}
		task = above
	}
	return moved
}

// related returns moved unless the step's task was forked from the other task, was started by it, or has started it.
func (f *sealing) related(ctx context.Context, other uuid.UUID, moved error) error {
	line := map[uuid.UUID]bool{}
	for task, ok := f.step.TaskUUID, true; ok && len(line) < 32; {
		line[task] = true
		if task == other {
			return nil
		}
		detail, err := f.task(ctx, task)
		if errors.Is(err, errNoTasks) {
			return nil
		} else if err != nil {
			return err
		}
		task, ok = above(detail)
	}
	detail, err := f.task(ctx, other)
	if errors.Is(err, executor.ErrNotFound) {
		return moved
	} else if err != nil {
		return err
	}
	if parent, ok := above(detail); ok && line[parent] {
		return nil
	}
	return moved
}

// above returns the task from which a task was forked, or which started the task.
func above(task executor.TaskDetail) (above uuid.UUID, ok bool) {
	if task.ParentStepUUID != nil {
		above = *task.ParentStepUUID // The last two bytes of a step's UUID are its number.
		above[14], above[15] = 0, 0
		return above, true
	}
	if task.SourceSystem == nil || *task.SourceSystem != "fork" || task.Reason == nil {
		return above, false
	}
	rest, _ := strings.CutPrefix(*task.Reason, "fork of ")
	text, _, _ := strings.Cut(rest, " ")
	above, err := uuid.Parse(text)
	return above, err == nil
}

// errNoTasks says that a step has no database, such as in a test.
var errNoTasks = errors.New("no database")

func (f *sealing) task(ctx context.Context, task uuid.UUID) (executor.TaskDetail, error) {
	if found, ok := f.tasks[task]; ok {
		return found, nil
	}
	found, err := f.source.loadTask(ctx, task)
	if err == nil {
		if f.tasks == nil {
			f.tasks = map[uuid.UUID]executor.TaskDetail{}
		}
		f.tasks[task] = found
	}
	return found, err
}

// seal encrypts a payload of the step, if its task is encrypted.
func (f *sealing) seal(ctx context.Context, kind, name string, raw json.RawMessage) (json.RawMessage, error) {
	if f == nil || !f.encrypted {
		return raw, nil
	}
	sealed, err := seal.Encode(ctx, f.codec, seal.Of(kind, f.step.TaskUUID, name), raw)
	if err == nil {
		err = sendable(sealed)
	}
	return sealed, err
}

// failure encrypts the text of an error, if the step's task is encrypted. A text that cannot be encrypted is not stored.
func (f *sealing) failure(ctx context.Context, kind, name, class, text string) string {
	if f == nil || !f.encrypted || text == "" {
		return text
	}
	sealed, err := seal.Error(context.WithoutCancel(ctx), f.codec, seal.Of(kind, f.step.TaskUUID, name), class, text)
	if err != nil {
		return seal.OwnError + "the text of the error could not be encrypted, and is not stored"
	}
	return sealed
}

// notEncrypted reports whether the database has refused a payload because it is not encrypted.
func notEncrypted(err error) bool {
	return code(err) == "TK422" && strings.Contains(err.Error(), seal.OwnError) && strings.Contains(err.Error(), "is not encrypted")
}

// sealRequest encrypts the context of a request for a task, if the template asks for encryption.
func (c Config) sealRequest(ctx context.Context, db gen.DBTX, request executor.TaskRequest) (executor.TaskRequest, error) {
	if c.Codec == nil {
		return request, nil
	}
	if len(request.Context) == 0 {
		request.Context = json.RawMessage("{}")
	}
	var err error
	request.Context, err = kin.SealContext(ctx, executor.WithCodec(db, c.Codec), request.Namespace, request.Name, request.Version, request.Context)
	return request, err
}

// sealedSource is a source that encrypts and decrypts the payloads of a step if necessary.
type sealedSource struct {
	source
	f *sealing
}

func (s sealedSource) world() durable.World { return sealedWorld{s.source.world(), s.f} }

func (s sealedSource) loadContext(ctx context.Context, taskUUID uuid.UUID) (*value, error) {
	given, err := s.source.loadContext(ctx, taskUUID)
	if err != nil || !seal.In(given.raw) {
		return given, err
	}
	raw, err := s.f.open(ctx, given.raw, "context", s.f.step.Name)
	return &value{raw: raw}, err
}

func (s sealedSource) loadResults(ctx context.Context, stepUUID uuid.UUID, sharedBy string) (values, error) {
	loaded, err := s.source.loadResults(ctx, stepUUID, sharedBy)
	if err != nil {
		return nil, err
	}
	opened := make(values, len(loaded))
	for name, one := range loaded {
		opened[name] = one
		if !seal.In(one.raw) {
			continue
		}
		raw, err := s.f.open(ctx, one.raw, "result", name)
		if err != nil {
			return nil, err
		}
		opened[name] = &value{raw: raw}
	}
	return opened, nil
}

func (s sealedSource) loadAncestor(ctx context.Context, stepUUID uuid.UUID, name string) (json.RawMessage, bool, error) {
	raw, found, err := s.source.loadAncestor(ctx, stepUUID, name)
	if err == nil && found {
		raw, err = s.f.open(ctx, raw, "result", name)
	}
	return raw, found, err
}

func (s sealedSource) saveCheckpoint(ctx context.Context, claim direct.StepClaim, checkpoint json.RawMessage) error {
	checkpoint, err := s.f.seal(ctx, "checkpoint", s.f.step.Name, checkpoint)
	if err != nil {
		return err
	}
	return s.source.saveCheckpoint(ctx, claim, checkpoint)
}

// sealedWorld is a world of durable functions that encrypts and decrypts payloads if necessary.
type sealedWorld struct {
	durable.World
	f *sealing
}

// sealedRecording is a sealedWorld of recorded calls.
type sealedRecording struct {
	sealedWorld
	durable.Recording
}

func (w sealedWorld) opened(ctx context.Context, answer gen.KeptAnswer, err error) (gen.KeptAnswer, error) {
	if err != nil || answer.Name == nil || answer.Occurrence == nil {
		return answer, err
	}
	answer.Value, answer.Error, err = w.f.openOne(ctx, *answer.Name, int(*answer.Occurrence), answer.Value, answer.Error)
	return answer, err
}

func (w sealedWorld) GetKeptResults(ctx context.Context, stepUUID uuid.UUID, after, limit int32) ([]gen.KeptDetail, error) {
	page, err := w.World.GetKeptResults(ctx, stepUUID, after, limit)
	for i := range page {
		k := &page[i]
		if err == nil {
			k.Value, k.Error, err = w.f.openOne(ctx, k.Name, int(k.Occurrence), k.Value, k.Error)
		}
	}
	return page, err
}

func (w sealedWorld) KeepStepResult(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	at := w.f.call(call.Name, int(call.Occurrence))
	value, err := w.f.seal(ctx, "kept", at, value)
	if err != nil {
		return gen.KeptAnswer{}, err
	}
	answer, err := w.World.KeepStepResult(ctx, claim, call, value, w.f.failure(ctx, "kept", at, "kept", failure))
	return w.opened(ctx, answer, err)
}

func (w sealedWorld) KeepIn(
	ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage,
) (gen.KeptAnswer, error) {
	value, err := w.f.seal(ctx, "kept", w.f.call(call.Name, int(call.Occurrence)), value)
	if err != nil {
		return gen.KeptAnswer{}, err
	}
	answer, err := w.World.KeepIn(ctx, tx, claim, call, value)
	return w.opened(ctx, answer, err)
}

func (w sealedWorld) SuspendStep(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	answer, err := w.World.SuspendStep(ctx, claim, call, wait)
	return w.opened(ctx, answer, err)
}

func (w sealedWorld) ContinueStep(
	ctx context.Context, claim direct.StepClaim, round int32, state json.RawMessage,
) (gen.KeptAnswer, error) {
	state, err := w.f.seal(ctx, "state", w.f.step.Name, state)
	if err != nil {
		return gen.KeptAnswer{}, err
	}
	return w.World.ContinueStep(ctx, claim, round, state)
}
