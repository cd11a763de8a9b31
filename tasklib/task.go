package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/internal/pgjson"
	"github.com/pgtasker/pgtasker/internal/seal"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// Handler is a function that runs as a task. Its context ends at the task's timeout, when the task is cancelled or lost, and when the
// worker stops waiting. context.Cause returns the cause. [CurrentTask] returns the task.
type Handler[Args, Result any] func(ctx context.Context, args Args) (Result, error)

// Task is a registered task with the type of its arguments.
type Task[Args, Result any] struct {
	client *Client
	args   argsCodec[Args]
	r      *registered
}

// Register makes handler known to the client under a name. Args is a struct, or another type whose JSON is an object. Each process may
// register another handler. A process that only submits tasks may pass nil.
func Register[Args, Result any](c *Client, name string, handler Handler[Args, Result], options Options) (*Task[Args, Result], error) {
	if handler == nil {
		return register[Args, Result](c, name, nil, false, options)
	}
	return register(c, name, func(ctx context.Context, args Args, _ lender) (Result, error) { return handler(ctx, args) }, false, options)
}

func register[Args, Result any](
	c *Client, name string, handler func(ctx context.Context, args Args, lend lender) (Result, error), inTx bool, options Options,
) (*Task[Args, Result], error) {
	args, err := newCodec[Args](name, c.config.Validator, options.Encrypted, c.config.Codec)
	if err != nil {
		return nil, err
	}
	if part := jsonfit.Unfit(reflect.TypeFor[Result]()); part != "" {
		return nil, fmt.Errorf("task %q has a result that cannot be JSON: %s", name, part)
	}
	r := &registered{name: name, options: options, keys: args.keys, tx: inTx}
	if handler != nil {
		r.run = func(ctx context.Context, kwargs json.RawMessage, lend lender) (json.RawMessage, error) {
			in, err := args.decode(kwargs)
			if err != nil {
				return nil, Permanent(unreadError{err})
			}
			out, err := handler(ctx, in, lend)
			if err != nil {
				return nil, err
			}
			result, err := encodeResult(out)
			if err != nil {
				return nil, err
			}
			current, _ := CurrentTask(ctx)
			return seal.Encode(ctx, r.keys, seal.Of("result", current.ID, name), result)
		}
	}
	if err := c.register(r); err != nil {
		return nil, err
	}
	return &Task[Args, Result]{client: c, args: args, r: r}, nil
}

func encodeResult(out any) (json.RawMessage, error) {
	result, err := json.Marshal(out)
	if err != nil {
		return nil, Permanent(fmt.Errorf("the result is not JSON: %w", err))
	}
	if err := pgjson.Check(result); err != nil {
		return nil, Permanent(fmt.Errorf("the result: %w", err))
	}
	if pgjson.Depth(result) > pgjson.Deepest {
		return nil, Permanent(fmt.Errorf("the result is nested deeper than %d levels", pgjson.Deepest))
	}
	return result, nil
}

// MustRegister is [Register] for programs that cannot continue without it: it panics.
func MustRegister[Args, Result any](c *Client, name string, handler Handler[Args, Result], options Options) *Task[Args, Result] {
	task, err := Register(c, name, handler, options)
	if err != nil {
		panic("tasklib: " + err.Error())
	}
	return task
}

// SubmitOptions hold for one submission. The zero value of each field is its default.
type SubmitOptions struct {
	// Delay before the first run.
	Delay time.Duration
	// Priority of the task. A higher priority goes first. It may be negative.
	Priority int32
	// MaxRetries after the first run, [NoRetries] for none.
	MaxRetries int
	// Timeout of a run, whole seconds.
	Timeout time.Duration
	// Tags by which the task can be found.
	Tags map[string]any
	// DedupKey recognises a repeated submission. While a task of the same name and key is pending or running, Submit returns that task.
	// SubmitMany takes DedupKeys.
	DedupKey string
	// DedupKeys of SubmitMany, one key for each task. No key may be empty.
	DedupKeys []string
	// DedupKept lets the key also find an ended task, as long as the task is kept.
	DedupKept bool
	// LimitKey groups tasks, for example by customer. Keys take turns, and at most [Options].KeyConcurrencyLimit tasks of a key run at
	// once. SubmitMany uses it for all tasks, or takes LimitKeys.
	LimitKey string
	// LimitKeys of SubmitMany, one key for each task. No key may be empty.
	LimitKeys []string
}

// Submit submits one task, on a pool or in the caller's transaction. In a transaction the task exists when the transaction commits. On a
// pool, calls for the same task with equal options share a call of the database while another call is under way, unless they have a
// DedupKey.
func (t *Task[Args, Result]) Submit(ctx context.Context, db executor.DBTX, args Args, options ...SubmitOptions) (Submission, error) {
	o := one(options)
	kwargs, err := t.args.encode(args)
	if err != nil {
		return Submission{}, err
	}
	p := gen.SubmitTaskParams{
		Name: t.r.name, Kwargs: kwargs, DelaySeconds: o.Delay.Seconds(), Priority: o.Priority, DedupKept: o.DedupKept,
	}
	if p.MaxRetries, p.TimeoutSeconds, p.Tags, err = o.encode(); err != nil {
		return Submission{}, err
	}
	if o.DedupKey != "" {
		p.DedupKey = &o.DedupKey
	}
	if o.LimitKey != "" {
		p.LimitKey = &o.LimitKey
	}
	if calls := pools.Of(db); calls != nil {
		if key, alike := sharing(p); alike {
			defer runtime.KeepAlive(db)
			return calls.Do(ctx, key, p)
		}
	}
	return submit(ctx, db, p)
}

// SubmitMany submits a task for each args in one call, all with the same options. It returns the submissions in the order of args. It takes
// at most 100,000 args, and submits all tasks or none.
func (t *Task[Args, Result]) SubmitMany(ctx context.Context, db executor.DBTX, args []Args, options ...SubmitOptions) ([]Submission, error) {
	o := one(options)
	p := gen.SubmitTasksParams{Name: t.r.name, Kwargs: make([]json.RawMessage, len(args)), DedupKept: o.DedupKept}
	for i := range args {
		var err error
		if p.Kwargs[i], err = t.args.encode(args[i]); err != nil {
			return nil, fmt.Errorf("task %d: %w", i+1, err)
		}
	}
	retries, timeout, tags, err := o.encode()
	if err != nil {
		return nil, err
	}
	if retries != nil {
		p.MaxRetries = repeat(*retries, len(args))
	}
	if timeout != nil {
		p.TimeoutSeconds = repeat(*timeout, len(args))
	}
	if tags != nil {
		p.Tags = repeat(tags, len(args))
	}
	if o.Delay != 0 {
		p.DelaySeconds = repeat(o.Delay.Seconds(), len(args))
	}
	if o.Priority != 0 {
		p.Priorities = repeat(o.Priority, len(args))
	}
	p.DedupKeys, p.LimitKeys = o.DedupKeys, o.LimitKeys
	if o.LimitKey != "" && o.LimitKeys == nil {
		p.LimitKeys = repeat(o.LimitKey, len(args))
	}
	return submitMany(ctx, db, p)
}

// Get returns a task, and its result if the task is completed. It decrypts arguments, result and error if the task's options say Encrypted.
func (t *Task[Args, Result]) Get(ctx context.Context, db executor.DBTX, id uuid.UUID) (details Details, result Result, err error) {
	details, err = NewFunctions(db).GetTask(ctx, id)
	if err == nil && t.args.keys != nil {
		err = t.args.open(ctx, &details)
	}
	if err != nil || details.State != StateCompleted {
		return details, result, err
	}
	var stored struct{ Value Result }
	err = json.Unmarshal(details.Result, &stored)
	return details, stored.Value, err
}

func one(options []SubmitOptions) SubmitOptions {
	if len(options) == 0 {
		return SubmitOptions{}
	}
	return options[0]
}

func (o SubmitOptions) encode() (retries, timeout *int32, tags json.RawMessage, err error) {
	if o.MaxRetries != 0 {
		n := int32(max(o.MaxRetries, 0)) // NoRetries
		retries = &n
	}
	if o.Timeout != 0 {
		if o.Timeout%time.Second != 0 {
			return nil, nil, nil, errors.New("the timeout is not a whole number of seconds: " + o.Timeout.String())
		}
		n := int32(o.Timeout / time.Second)
		timeout = &n
	}
	if o.Tags != nil {
		tags, err = json.Marshal(o.Tags)
	}
	return retries, timeout, tags, err
}

func repeat[T any](value T, n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = value
	}
	return values
}
