package typed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/workflow"
)

type Shipment struct {
	Order  string `json:"order"`
	Region string `json:"region,omitempty"`
}

func TestWorkflow_IsStartedAndCancelledByEvents(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	shipments := workflow.New[Shipment]("shop", "shipments", "1.0.0", workflow.ByKey,
		workflow.StartOn(template.StartOn{
			Event: "paid", When: "$.amount > 0", Identity: "$.order",
			Context: template.Inputs(map[string]any{"order": "$.order", "region": "$.address.region"}),
		}),
		workflow.CancelOn(template.CancelOn{Event: "withdrawn"}))
	workflow.Root[Shipment, int](shipments, "pack", nil, workflow.HandledBy("pack"))
	require.NoError(t, shipments.Register(ctx, pool))

	e := executor.New(pool)
	_, err := e.EmitEvent(ctx, executor.Event{Namespace: "shop", Name: "paid", Payload: []byte(`{"order": "A", "amount": 1, "address": {"region": "eu"}}`)})
	require.NoError(t, err)
	var found string
	ask := "select concat_ws(' ', t.context, t.state) from tasker.list_tasks('shop') as l, tasker.get_task(l.task_uuid) as t"
	require.NoError(t, pool.QueryRow(ctx, ask).Scan(&found))
	require.Equal(t, `{"order": "A", "region": "eu"} steps_in_process`, found)
	_, err = e.EmitEvent(ctx, executor.Event{Namespace: "shop", Name: "withdrawn", Key: "A"})
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(ctx, ask).Scan(&found))
	require.Equal(t, `{"order": "A", "region": "eu"} cancelled`, found)
}
