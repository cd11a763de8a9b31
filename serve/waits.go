package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

var waitOperations = group(
	"Waits and signals",
	paged("/v1/waits", "listWaits", "List the steps that wait for a signal, longest waiting first", listWaits,
		func(_ waitFilter, last gen.WaitDetail) cursor { return afterWait(last.WaitingSince, last.StepUUID) }).
		and("The inbox. Every filter that is given applies. Steps that wait for a time only are not in it."),
	write(http.MethodPost, "/v1/tasks/{task_uuid}/signals", "sendSignal", "Send a signal to a task", sendSignal).
		and("Answer delivered: it ended the wait of step_uuid. Kept: no step waits for it yet, and the first one that does takes it. "+
			"Repeated: the key is known, and nothing changed."),
	write(http.MethodPost, "/v1/signals", "sendSignalByKey", "Send a signal to the task with an identity key", sendSignalByKey).
		mayRefuse(http.StatusGone, http.StatusInsufficientStorage).
		and("For templates whose identity_strategy is caller_provided. With start a task that does not exist is created first, so that a "+
			"webhook that comes before its task is not lost."),
	paged("/v1/tasks/{task_uuid}/signals", "listSignals", "List the signals that were sent to a task, in order", listSignals,
		func(_ signalPage, last gen.SignalDetail) cursor {
			return afterNumber("listSignals", int64(last.SignalNo))
		}).
		and("consumed is false for a signal that no step has taken."),
)

type waitFilter struct {
	paging
	Namespace        *string `query:"namespace" doc:"Of this namespace."`
	TaskName         *string `query:"task_name" doc:"Of tasks of this template."`
	Signal           *string `query:"signal" doc:"That wait for this signal."`
	Assignee         *string `query:"assignee" doc:"That this person or role is to answer."`
	OlderThanSeconds *int32  `query:"older_than_seconds" minimum:"0" doc:"That have waited at least this long."`
}

func listWaits(ctx context.Context, e *executor.SqlFunctionExecutor, in waitFilter) ([]gen.WaitDetail, error) {
	params := gen.ListWaitsParams{
		Namespace: in.Namespace, TaskName: in.TaskName, Signal: in.Signal, Assignee: in.Assignee, LimitCount: in.Limit,
	}
	if in.OlderThanSeconds != nil {
		age := time.Duration(*in.OlderThanSeconds) * time.Second
		params.OlderThan = &age
	}
	var err error
	if params.AfterSince, params.AfterStep, err = in.Cursor.wait(); err != nil {
		return nil, err
	}
	return e.Queries.ListWaits(ctx, params)
}

func afterWait(since time.Time, step uuid.UUID) cursor {
	return cursor{"listWaits", since.UTC().Format(time.RFC3339Nano) + " " + step.String()}
}

// wait returns the position in the inbox, nil for its beginning.
func (c *cursor) wait() (*time.Time, *uuid.UUID, error) {
	if c == nil {
		return nil, nil, nil
	}
	since, step, _ := strings.Cut(c.position, " ")
	at, err := time.Parse(time.RFC3339Nano, since)
	if err != nil || c.list != "listWaits" {
		return nil, nil, errCursor
	}
	id, err := uuid.Parse(step)
	if err != nil {
		return nil, nil, errCursor
	}
	return &at, &id, nil
}

// signal is what is sent to a task.
type signal struct {
	Key            *string         `header:"Idempotency-Key" json:"-" doc:"The same as idempotency_key."`
	Name           string          `json:"name" required:"true" doc:"The signal's name."`
	Payload        json.RawMessage `json:"payload,omitempty" doc:"Any value: the step that takes the signal has it in its result."`
	IdempotencyKey *string         `json:"idempotency_key,omitempty" doc:"What makes a repeat the same signal, such as the number of a webhook."`
}

var errTwoSignalKeys = invalid("Idempotency-Key and idempotency_key differ", "Send one of them.")

// settle fills in what was left out.
func (s *signal) settle() error {
	switch {
	case s.Key == nil:
	case s.IdempotencyKey != nil && *s.IdempotencyKey != *s.Key:
		return errTwoSignalKeys
	default:
		s.IdempotencyKey = s.Key
	}
	if s.Payload == nil {
		s.Payload = json.RawMessage("{}")
	}
	return nil
}

type signalOfTask struct {
	task
	signal
}

func sendSignal(ctx context.Context, e *executor.SqlFunctionExecutor, in signalOfTask) (gen.SignalAnswer, error) {
	if err := in.settle(); err != nil {
		return gen.SignalAnswer{}, err
	}
	return e.Queries.SendSignal(ctx, gen.SendSignalParams{
		TaskUUID: in.TaskUUID, Name: in.Name, Payload: in.Payload, IdempotencyKey: in.IdempotencyKey,
	})
}

type signalOfKey struct {
	signal
	Namespace   string          `json:"namespace" required:"true" doc:"The template's namespace."`
	TaskName    string          `json:"task_name" required:"true" doc:"The template's name."`
	IdentityKey string          `json:"identity_key" required:"true" doc:"The key with which the task is created."`
	Start       bool            `json:"start,omitempty" doc:"Whether the signal creates a task that does not exist; the fields below are for that."`
	Version     *string         `json:"version,omitempty" doc:"The template's version; the newest if it is left out."`
	Context     json.RawMessage `json:"context,omitempty" doc:"The object that the task's handlers get."`
	Priority    *int32          `json:"priority,omitempty" minimum:"-1000" maximum:"1000" doc:"Higher goes first."`
	Tags        []string        `json:"tags,omitempty" doc:"To find the task by."`
	Initiator   *string         `json:"initiator,omitempty" doc:"Who asked for it; the token if it is left out."`
	Headers     json.RawMessage `json:"headers,omitempty" doc:"An object for handlers, such as a traceparent."`
}

// setToken names the token where no other initiator is named.
func (s *signalOfKey) setToken(name string) {
	if s.Initiator == nil {
		initiator := "token " + name
		s.Initiator = &initiator
	}
}

func sendSignalByKey(ctx context.Context, e *executor.SqlFunctionExecutor, in signalOfKey) (gen.SignalAnswer, error) {
	if err := in.settle(); err != nil {
		return gen.SignalAnswer{}, err
	}
	if in.Context == nil {
		in.Context = json.RawMessage("{}")
	}
	return e.Queries.SendSignalByKey(ctx, gen.SendSignalByKeyParams{
		Namespace: in.Namespace, TaskName: in.TaskName, IdentityKey: in.IdentityKey,
		Name: in.Name, Payload: in.Payload, IdempotencyKey: in.IdempotencyKey,
		Start: &in.Start, Context: in.Context, Version: in.Version, Priority: in.Priority,
		Tags: in.Tags, Initiator: in.Initiator, Headers: in.Headers,
	})
}

type signalPage struct {
	paging
	task
}

func listSignals(ctx context.Context, e *executor.SqlFunctionExecutor, in signalPage) ([]gen.SignalDetail, error) {
	after, err := in.Cursor.number("listSignals")
	if err != nil {
		return nil, err
	}
	if after == nil {
		after = new(int64)
	}
	if *after > 65535 {
		return nil, errCursor
	}
	return e.ListSignals(ctx, in.TaskUUID, int32(*after), in.Limit)
}
