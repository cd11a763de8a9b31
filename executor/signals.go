package executor

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// Signals sends signals, emits events, and lists the steps that wait for signals and events. See [Client.Signals]. Package workflow has
// typed signals and events.
type Signals struct{ e *SqlFunctionExecutor }

// Delivery is the outcome of sending a signal.
type Delivery = gen.Delivery

// The deliveries of a signal.
const (
	// Delivered means that the signal ended the wait of a step.
	Delivered = gen.DeliveryDelivered
	// Kept means that no step waits for the signal yet. The first step that waits for the signal will take it.
	Kept = gen.DeliveryKept
	// Repeated means that a signal with the same idempotency key was sent before. The call changed nothing.
	Repeated = gen.DeliveryRepeated
	// Ended means that the task has ended and takes no signals. The call changed nothing.
	Ended = gen.DeliveryEnded
)

// Send sends a signal to a task. A step that waits for the signal is complete when the call returns. The error is ErrNotFound if the task
// does not exist.
func (s Signals) Send(ctx context.Context, task uuid.UUID, signal Signal) (Delivery, error) {
	answer, err := s.e.SendSignal(ctx, task, signal)
	return answer.Answer, err
}

// SendByKey sends a signal to the task with an identity key, and returns the task's UUID. The argument start says how to create a missing
// task. Without it, the error for a missing task is ErrNotFound.
func (s Signals) SendByKey(ctx context.Context, key TaskKey, signal Signal, start ...SignalStart) (uuid.UUID, Delivery, error) {
	var starts *SignalStart
	if len(start) > 0 {
		starts = &start[len(start)-1]
	}
	answer, err := s.e.SendSignalByKey(ctx, key, signal, starts)
	return answer.TaskUUID, answer.Answer, err
}

// Emit emits an event. Every step that waits for the event takes it.
func (s Signals) Emit(ctx context.Context, event Event) (gen.EmittedEvent, error) {
	return s.e.EmitEvent(ctx, event)
}

// Waits lists the steps that wait for a signal or an event, the longest waiting first. A filter without a Limit lists all waits.
func (s Signals) Waits(ctx context.Context, filter WaitFilter) iter.Seq2[gen.WaitDetail, error] {
	return pages(int(filter.Limit), func(last *gen.WaitDetail, rows int32) ([]gen.WaitDetail, error) {
		f := filter
		f.Limit = rows
		if last != nil {
			f.After = last
		}
		return s.e.ListWaits(ctx, f)
	})
}

// List lists the signals of a task in the order in which they came, also signals that no step has taken.
func (s Signals) List(ctx context.Context, task uuid.UUID) iter.Seq2[gen.SignalDetail, error] {
	return pages(0, func(last *gen.SignalDetail, rows int32) ([]gen.SignalDetail, error) {
		var after int32
		if last != nil {
			after = last.SignalNo
		}
		return s.e.ListSignals(ctx, task, after, rows)
	})
}

// Events lists the events that the database still keeps, the newest first. A filter without a Limit lists all events.
func (s Signals) Events(ctx context.Context, filter EventFilter) iter.Seq2[gen.BroadcastDetail, error] {
	return pages(int(filter.Limit), func(last *gen.BroadcastDetail, rows int32) ([]gen.BroadcastDetail, error) {
		f := filter
		f.Limit = rows
		if last != nil {
			f.Before = last
		}
		return s.e.ListEvents(ctx, f)
	})
}
