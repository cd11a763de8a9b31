package howto_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type Line struct {
	SKU string `json:"sku"`
}

type Basket struct {
	Lines []Line `json:"lines"`
}

func TestFanOut_AHandlerRunsForEachElement(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "price", "for_each": "$.lines"}, {"name": "total", "dependencies": ["price"]}]`,
		`{"lines": [{"sku": "a"}, {"sku": "b"}, {"sku": "a"}]}`)
	prices := map[string]int{"a": 200, "b": 5}
	w := newWorker(t)
	worker.Handle(w, "price", func(_ context.Context, job *worker.Job[Basket]) (int, error) {
		var in struct{ Element Line }
		err := job.Inputs(&in)
		return prices[in.Element.SKU], err
	})
	worker.Handle(w, "total", func(_ context.Context, job *worker.Job[Basket]) (total int, err error) {
		prices, err := worker.Result[[]int](job, "price") // in the order of the lines
		for _, cents := range prices {
			total += cents
		}
		return total, err
	})
	report := workertest.Run(t, pool, w, task)
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, 405, workertest.Result[int](t, report, "total"))
}
