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

// airline books once for each key, and records the bookings that were cancelled.
type airline struct {
	booked    map[uuid.UUID]string
	cancelled []string
}

func (a *airline) Book(_ context.Context, key uuid.UUID, number string) Booking {
	a.booked[key] = number
	return Booking{number}
}

func (a *airline) Cancel(_ context.Context, number string) error {
	a.cancelled = append(a.cancelled, number)
	return nil
}

func (a *airline) CancelIfBooked(_ context.Context, key uuid.UUID) error {
	if number, ok := a.booked[key]; ok {
		a.cancelled = append(a.cancelled, number)
	}
	return nil
}

func TestWorkflow_UndoesWhatItHasDone(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	flights := &airline{booked: map[uuid.UUID]string{}}
	trip := workflow.New[Trip]("travel", "trip", workflow.FromContent, workflow.AlwaysNew, workflow.FailOnFailure())
	bookFlight := func(ctx context.Context, job *workflow.Job[Trip]) (Booking, error) {
		return flights.Book(ctx, job.StepUUID, "X7"), nil
	}
	bookLeg := func(ctx context.Context, job *workflow.Job[Trip], from string) (Booking, error) {
		return flights.Book(ctx, job.StepUUID, from), nil
	}
	pay := func(ctx context.Context, job *workflow.Job[Trip], _ Booking, _ []Booking) (int, error) {
		flights.Book(ctx, job.StepUUID, "pay")
		return 0, worker.Permanent(errors.New("the card has expired"))
	}

	flight := workflow.Root(trip, "flight", bookFlight)
	workflow.Compensate(flight, func(ctx context.Context, job *workflow.Job[Trip], undo workflow.Undoing[Booking]) error {
		if !undo.Known {
			return flights.CancelIfBooked(ctx, undo.StepUUID) // The key that bookFlight passed: its job.StepUUID.
		}
		return flights.Cancel(ctx, undo.Result.Number)
	})

	stops := workflow.Root(trip, "stops", func(context.Context, *workflow.Job[Trip]) ([]string, error) { return []string{"Bern"}, nil })
	legs := workflow.Each(trip, "leg", stops, bookLeg)
	workflow.CompensateEach(legs, func(ctx context.Context, _ *workflow.Job[Trip], undo workflow.Undoing[Booking]) error {
		return flights.CancelIfBooked(ctx, undo.StepUUID)
	})
	paid := workflow.After2(trip, "pay", flight, legs, pay)
	workflow.Compensate(paid, func(ctx context.Context, job *workflow.Job[Trip], undo workflow.Undoing[int]) error {
		require.False(t, undo.Known)
		require.NotEqual(t, job.StepUUID, undo.StepUUID)
		require.Equal(t, "pay", undo.Step)
		return flights.CancelIfBooked(ctx, undo.StepUUID)
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
