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
	"github.com/pgtasker/pgtasker/internal/direct"
)

var waitOperations = group(
	"Waits and signals",
	paged("/v1/waits", "listWaits", "List the steps that wait for a signal or an event, longest waiting first", listWaits,
		func(_ waitFilter, last gen.WaitDetail) cursor {
			return afterWait(last.WaitingSince, last.StepUUID)
		}).sorted("list_waits").
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
	Namespace        *string    `query:"namespace" doc:"Of this namespace."`
	TaskName         *string    `query:"task_name" doc:"Of tasks of this template."`
	Signal           *string    `query:"signal" doc:"That wait for this signal."`
	Event            *string    `query:"event" doc:"That wait for this event."`
	Assignee         *string    `query:"assignee" doc:"That this person or role is to answer."`
	TaskUUID         *uuid.UUID `query:"task_uuid" doc:"Of this task."`
	OlderThanSeconds *int32     `query:"older_than_seconds" minimum:"0" doc:"That have waited at least this long."`
}

func listWaits(ctx context.Context, e *direct.Executor, in waitFilter) ([]gen.WaitDetail, error) {
	filter := executor.WaitFilter{
		Namespace: value(in.Namespace), TaskName: value(in.TaskName), Signal: value(in.Signal), Event: value(in.Event),
		Assignee: value(in.Assignee), TaskUUID: value(in.TaskUUID),
		OlderThan: time.Duration(value(in.OlderThanSeconds)) * time.Second, Limit: in.Limit,
	}
	var err error
	if filter.After, err = in.Cursor.wait(); err != nil {
		return nil, err
	}
	return e.ListWaits(ctx, filter)
}

func afterWait(since time.Time, step uuid.UUID) cursor {
	return afterInstant("listWaits", since, step)
}

func afterInstant(list string, at time.Time, id uuid.UUID) cursor {
	return cursor{list, at.UTC().Format(time.RFC3339Nano) + " " + id.String()}
}

// instant returns the position in a list that is ordered by time, and zero for its beginning.
func (c *cursor) instant(list string) (at time.Time, id uuid.UUID, err error) {
	if c == nil {
		return at, id, nil
	}
	text, last, _ := strings.Cut(c.position, " ")
	if at, err = time.Parse(time.RFC3339Nano, text); err != nil || c.list != list {
		return at, id, errCursor
	}
	if id, err = uuid.Parse(last); err != nil {
		return at, id, errCursor
	}
	return at, id, nil
}

// wait returns the last wait of the preceding page, and nil for the beginning of the inbox.
func (c *cursor) wait() (*gen.WaitDetail, error) {
	at, id, err := c.instant("listWaits")
	if c == nil || err != nil {
		return nil, err
	}
	return &gen.WaitDetail{WaitingSince: at, StepUUID: id}, nil
}

// signal is a signal to a task.
type signal struct {
	Key            *string         `header:"Idempotency-Key" json:"-" doc:"The same as idempotency_key."`
	Name           string          `json:"name" required:"true" doc:"The signal's name."`
	Payload        json.RawMessage `json:"payload,omitempty" doc:"Any value: the step that takes the signal has it in its result."`
	IdempotencyKey *string         `json:"idempotency_key,omitempty" doc:"What makes a repeat the same signal, such as the number of a webhook."`
}

var errTwoSignalKeys = invalid("Idempotency-Key and idempotency_key differ", "Send one of them.")

// settle sets the defaults of omitted values.
func (s *signal) settle() error {
	switch {
	case s.Key == nil:
	case s.IdempotencyKey != nil && *s.IdempotencyKey != *s.Key:
		return errTwoSignalKeys
	default:
		s.IdempotencyKey = s.Key
	}
	return nil
}

// value returns the signal for package executor.
func (s signal) value() executor.Signal {
	return executor.Signal{Name: s.Name, Payload: s.Payload, IdempotencyKey: value(s.IdempotencyKey)}
}

type signalOfTask struct {
	task
	signal
}

func sendSignal(ctx context.Context, e *direct.Executor, in signalOfTask) (gen.SignalAnswer, error) {
	if err := in.settle(); err != nil {
		return gen.SignalAnswer{}, err
	}
	return e.SendSignal(ctx, in.TaskUUID, in.value())
}

type signalOfKey struct {
	signal
	Namespace     string          `json:"namespace" required:"true" doc:"The template's namespace."`
	TaskName      string          `json:"task_name" required:"true" doc:"The template's name."`
	IdentityKey   string          `json:"identity_key" required:"true" doc:"The key with which the task is created."`
	Start         bool            `json:"start,omitempty" doc:"Whether the signal creates a task that does not exist; the fields below are for that."`
	Version       *string         `json:"version,omitempty" doc:"The template's version; the newest if it is left out."`
	Context       json.RawMessage `json:"context,omitempty" doc:"The object that the task's handlers get."`
	Priority      *int32          `json:"priority,omitempty" minimum:"-1000" maximum:"1000" doc:"Higher goes first."`
	Tags          []string        `json:"tags,omitempty" doc:"To find the task by."`
	Initiator     *string         `json:"initiator,omitempty" doc:"Who asked for it; the token if it is left out."`
	Headers       json.RawMessage `json:"headers,omitempty" doc:"An object for handlers, such as a traceparent."`
	IdentityScope *string         `json:"identity_scope,omitempty" enum:"forever open" doc:"Open if the signal starts another task when the key's last one has ended; that one's scope if it is left out."`
}

// setToken makes the token the initiator if the request names no other.
func (s *signalOfKey) setToken(name string) {
	if s.Initiator == nil {
		initiator := named(name)
		s.Initiator = &initiator
	}
}

func sendSignalByKey(ctx context.Context, e *direct.Executor, in signalOfKey) (gen.SignalAnswer, error) {
	if err := in.settle(); err != nil {
		return gen.SignalAnswer{}, err
	}
	var start *executor.SignalStart
	if in.Start {
		start = &executor.SignalStart{
			Context: in.Context, Version: value(in.Version), Priority: value(in.Priority),
			Tags: in.Tags, Initiator: value(in.Initiator), Headers: in.Headers,
			IdentityScope: executor.IdentityScope(value(in.IdentityScope)),
		}
	}
	key := executor.TaskKey{Namespace: in.Namespace, Name: in.TaskName, IdentityKey: in.IdentityKey}
	return e.SendSignalByKey(ctx, key, in.value(), start)
}

type signalPage struct {
	paging
	task
}

func listSignals(ctx context.Context, e *direct.Executor, in signalPage) ([]gen.SignalDetail, error) {
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
