package executor

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
)

// Signals sends signals, emits events, and lists the steps that wait for them. See [Client.Signals]. Package workflow has typed
// signals and events.
type Signals struct{ e *SqlFunctionExecutor }

// Delivery is the outcome of sending a signal.
type Delivery = gen.Delivery

// The deliveries of a signal.
const (
	// Delivered says that the signal ended the wait of a step.
	Delivered = gen.DeliveryDelivered
	// Kept says that no step waits for the signal yet. The first step that waits for it takes it.
	Kept = gen.DeliveryKept
	// Repeated says that the idempotency key is known. Nothing was changed.
	Repeated = gen.DeliveryRepeated
	// Ended says that the task has ended: an ended task takes no signal, and nothing was changed.
	Ended = gen.DeliveryEnded
)

// Send sends a signal to a task. A step that waits for the signal is complete when the call returns. The error is ErrNotFound if the task
// does not exist.
func (s Signals) Send(ctx context.Context, task uuid.UUID, signal Signal) (Delivery, error) {
	answer, err := s.e.SendSignal(ctx, task, signal)
	return answer.Answer, err
}

// SendByKey sends a signal to the task that has a key, and returns the task's UUID. start says how to create a missing task. Without start,
// the error for a missing task is ErrNotFound.
func (s Signals) SendByKey(ctx context.Context, key TaskKey, signal Signal, start ...SignalStart) (uuid.UUID, Delivery, error) {
	var starts *SignalStart
	if len(start) > 0 {
		starts = &start[len(start)-1]
	}
	answer, err := s.e.SendSignalByKey(ctx, key, signal, starts)
	return answer.TaskUUID, answer.Answer, err
}

// Emit emits an event, which every step that waits for it takes.
func (s Signals) Emit(ctx context.Context, event Event) (gen.EmittedEvent, error) {
	return s.e.EmitEvent(ctx, event)
}

// Waits lists the steps that wait for a signal or an event, the longest waiting first. A filter without a Limit lists all.
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

// List lists the signals of a task, taken or not, in order.
func (s Signals) List(ctx context.Context, task uuid.UUID) iter.Seq2[gen.SignalDetail, error] {
	return pages(0, func(last *gen.SignalDetail, rows int32) ([]gen.SignalDetail, error) {
		var after int32
		if last != nil {
			after = last.SignalNo
		}
		return s.e.ListSignals(ctx, task, after, rows)
	})
}

// Events lists the events that are kept, the newest first. A filter without a Limit lists all.
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
