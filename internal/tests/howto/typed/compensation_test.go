package typed

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Trip struct {
	To string `json:"to"`
}

type Booking struct {
	Number string `json:"number"`
}

// airline records the bookings that were cancelled.
type airline struct{ cancelled []string }

func (a *airline) Cancel(_ context.Context, number string) error {
	a.cancelled = append(a.cancelled, number)
	return nil
}

func (a *airline) CancelIfBooked(_ context.Context, _ uuid.UUID) error {
	a.cancelled = append(a.cancelled, "unknown")
	return nil
}

func TestWorkflow_UndoesWhatItHasDone(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	flights := &airline{}
	trip := workflow.New[Trip]("travel", "trip", workflow.FromContent, workflow.AlwaysNew, workflow.FailOnFailure())
	bookFlight := func(context.Context, *workflow.Job[Trip]) (Booking, error) { return Booking{"X7"}, nil }
	bookLeg := func(_ context.Context, _ *workflow.Job[Trip], from string) (Booking, error) {
		return Booking{from}, nil
	}
	pay := func(context.Context, *workflow.Job[Trip], Booking, []Booking) (int, error) {
		return 0, worker.Permanent(errors.New("the card has expired"))
	}

	flight := workflow.Root(trip, "flight", bookFlight)
	workflow.Compensate(flight, func(ctx context.Context, job *workflow.Job[Trip], undo workflow.Undoing[Booking]) error {
		if !undo.Known {
			return flights.CancelIfBooked(ctx, job.TaskUUID)
		}
		return flights.Cancel(ctx, undo.Result.Number)
	})

	stops := workflow.Root(trip, "stops", func(context.Context, *workflow.Job[Trip]) ([]string, error) { return []string{"Bern"}, nil })
	legs := workflow.Each(trip, "leg", stops, bookLeg)
	workflow.CompensateEach(legs, func(ctx context.Context, _ *workflow.Job[Trip], undo workflow.Undoing[Booking]) error {
		return flights.Cancel(ctx, undo.Result.Number)
	})
	paid := workflow.After2(trip, "pay", flight, legs, pay)
	workflow.Compensate(paid, func(_ context.Context, _ *workflow.Job[Trip], undo workflow.Undoing[int]) error {
		require.False(t, undo.Known)
		flights.cancelled = append(flights.cancelled, undo.Step)
		return nil
	})

	require.NoError(t, trip.Register(ctx, pool))
	task, err := trip.Start(ctx, pool, Trip{To: "Rome"})
	require.NoError(t, err)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	trip.Handle(w)
	workertest.Run(t, pool, w, task.UUID)
	require.Equal(t, []string{"pay", "Bern", "X7"}, flights.cancelled)
}
