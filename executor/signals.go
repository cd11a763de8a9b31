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
	// Kept says that no step waits for the signal yet. The first one that does takes it.
	Kept = gen.DeliveryKept
	// Repeated says that the idempotency key is known. Nothing was changed.
	Repeated = gen.DeliveryRepeated
	// Ended says that the task has ended: it takes no signal, and nothing was changed.
	Ended = gen.DeliveryEnded
)

// Send sends a signal to a task. A step that waits for the signal is complete when the call returns. The error is ErrNotFound if
// there is no such task.
func (s Signals) Send(ctx context.Context, task uuid.UUID, signal Signal) (Delivery, error) {
	answer, err := s.e.SendSignal(ctx, task, signal)
	return answer.Answer, err
}

// SendByKey sends a signal to the task that has a key, and returns the task's UUID. start says how to create the task if there
// is none. Without start the error is ErrNotFound then.
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
func (s Signals) Waits(ctx context.Context, filter WaitFilter) iter.Seq2[WaitDetail, error] {
	return pages(int(filter.Limit), func(last *WaitDetail, rows int32) ([]WaitDetail, error) {
		f := filter
		f.Limit = rows
		if last != nil {
			f.After = last
		}
		return s.e.ListWaits(ctx, f)
	})
}

// Wait returns the wait of a suspended step. found is false if the step does not wait, or only for its child task.
func (s Signals) Wait(ctx context.Context, step uuid.UUID) (wait WaitDetail, found bool, err error) {
	return s.e.GetStepWait(ctx, step)
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

// Event returns an event that is kept, and how far its delivery has come.
func (s Signals) Event(ctx context.Context, event uuid.UUID) (BroadcastDetail, error) {
	return s.e.GetEvent(ctx, event)
}

// Events lists the events that are kept, the newest first. A filter without a Limit lists all.
func (s Signals) Events(ctx context.Context, filter EventFilter) iter.Seq2[BroadcastDetail, error] {
	return pages(int(filter.Limit), func(last *BroadcastDetail, rows int32) ([]BroadcastDetail, error) {
		f := filter
		f.Limit = rows
		if last != nil {
			f.Before = last
		}
		return s.e.ListEvents(ctx, f)
	})
}
