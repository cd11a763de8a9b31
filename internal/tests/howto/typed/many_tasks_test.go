package typed

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Room struct {
	Name string `json:"name"`
}

type Carton struct {
	Items int `json:"items"`
}

type Removal struct {
	Rooms []Room `json:"rooms"`
}

var house = Removal{Rooms: []Room{{"kitchen"}, {"study"}, {"attic"}}}

var (
	carton = workflow.New[Room]("guide", "carton", "1", workflow.AlwaysNew, workflow.FailOnFailure())
	fill   = workflow.Root(carton, "fill", func(_ context.Context, job *workflow.Job[Room]) (Carton, error) {
		return Carton{Items: len(job.Input.Name)}, nil
	})
)

func move(ctx context.Context, job *workflow.Job[Removal]) (int, error) {
	first, err := worker.Run(ctx, job, "kitchen", fill, job.Input.Rooms[0]) // a Room goes in, a Carton comes back
	if err != nil {
		return 0, err
	}
	others, err := worker.RunAll(ctx, job, "others", fill, job.Input.Rooms[1:]) // all at once, in the order of the rooms
	for _, carton := range others {
		first.Items += carton.Items
	}
	return first.Items, err
}

// TestManyTasks_AMapAndAFunctionStartTasks runs both removals of the page.
func TestManyTasks_AMapAndAFunctionStartTasks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, carton.Register(t.Context(), pool))
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	carton.Handle(does)

	removal := workflow.New[Removal]("guide", "removal", "1", workflow.AlwaysNew)
	loadAll := func(_ context.Context, _ *workflow.Job[Removal], cartons []Carton) (items int, err error) {
		for _, c := range cartons {
			items += c.Items
		}
		return items, nil
	}
	rooms := workflow.Root(removal, "rooms", func(_ context.Context, job *workflow.Job[Removal]) ([]Room, error) {
		return job.Input.Rooms, nil
	})
	cartons := workflow.EachChild(removal, "cartons", rooms, carton, fill, workflow.MaxParallel(2)) // rooms returns []Room
	load := workflow.After1(removal, "load", cartons, loadAll)                                      // gets the result of each fill
	require.NoError(t, removal.Register(t.Context(), pool))
	removal.Handle(does)

	moving := workflow.New[Removal]("guide", "moving", "1", workflow.AlwaysNew)
	moved := workflow.Root(moving, "move", move)
	require.NoError(t, moving.Register(t.Context(), pool))
	moving.Handle(does)

	for _, w := range []struct {
		workflow *workflow.Workflow[Removal]
		last     workflow.Step[Removal, int]
	}{{removal, load}, {moving, moved}} {
		task, err := w.workflow.Start(t.Context(), pool, house)
		require.NoError(t, err)
		require.Equal(t, state.TaskComplete, workertest.Run(t, pool, does, task.UUID).State)
		items, err := w.last.Result(t.Context(), pool, task)
		require.NoError(t, err)
		require.Equal(t, len("kitchen")+len("study")+len("attic"), items)
	}
}
