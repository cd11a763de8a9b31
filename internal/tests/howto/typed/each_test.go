package typed

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Photo struct {
	File string `json:"file"`
}

type Damage struct {
	Cents int `json:"cents"`
}

func listPhotos(context.Context, *workflow.Job[Claim]) ([]Photo, error) {
	return []Photo{{"front.jpg"}, {"door.jpg"}, {"roof.jpg"}}, nil
}

func inspectPhoto(_ context.Context, _ *workflow.Job[Claim], photo Photo) (Damage, error) {
	return Damage{Cents: 100 * len(photo.File)}, nil
}

func addDamages(_ context.Context, _ *workflow.Job[Claim], damages []Damage) (total int, err error) {
	for _, damage := range damages {
		total += damage.Cents
	}
	return total, nil
}

func TestWorkflow_RunsAFunctionForEachElement(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	claim := workflow.New[Claim]("insurance", "photos", workflow.FromContent, workflow.AlwaysNew)

	photos := workflow.Root(claim, "photos", listPhotos)                                      // returns []Photo
	damages := workflow.Each(claim, "inspect", photos, inspectPhoto, workflow.MaxParallel(8)) // a Photo each, returns Damage
	estimate := workflow.After1(claim, "estimate", damages, addDamages)                       // gets []Damage

	require.NoError(t, claim.Register(ctx, pool))
	task, err := claim.Start(ctx, pool, Claim{})
	require.NoError(t, err)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	claim.Handle(w)
	workertest.Run(t, pool, w, task.UUID)
	total, err := estimate.Result(ctx, pool, task)
	require.NoError(t, err)
	require.Equal(t, 2500, total)
}
