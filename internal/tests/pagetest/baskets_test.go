package pagetest

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// packer is the worker that runs the steps of baskets.
var packer = uuid.MustParse("22222222-2222-4222-8222-222222222222")

// newBasket creates a task with a map over this many lines, another map over six parcels, and a child task.
func (s *site) newBasket(t testing.TB, lines int) string {
	t.Helper()
	return s.query(t, "select task_uuid::text from tasker.create_task('shop', 'basket', jsonb_build_object('lines', array(select n from generate_series(1, $1) as n)))", lines)
}

// work claims the ready steps of a handler, at most this many, and returns their results. The steps fail if failure is not
// empty.
func (s *site) work(t testing.TB, handler string, most int, failure string) {
	t.Helper()
	e := direct.New(s.pool)
	claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{"shop"}, Handlers: []string{handler}, Limit: most})
	require.NoError(t, err)
	require.NotEmpty(t, claimed, handler)
	results := make([]direct.StepResult, len(claimed))
	for i, c := range claimed {
		results[i] = direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Error: failure, Permanent: failure != ""}
		if failure == "" {
			results[i].Results = json.RawMessage(`{"parcels": [1, 2, 3, 4, 5, 6]}`)
		}
	}
	if failure != "" {
		_, err = e.FailSteps(t.Context(), results)
	} else {
		_, err = e.CompleteSteps(t.Context(), results)
	}
	require.NoError(t, err)
}

// baskets creates two tasks with maps. The first task runs its second map and its child task. The second task has
// many elements.
func (s *site) baskets(t testing.TB) (basket, large string) {
	t.Helper()
	basket = s.newBasket(t, 12)
	s.work(t, "check", 1, "")
	s.work(t, "price", 12, "")
	s.work(t, "total", 1, "")
	s.work(t, "pack_parcel", 2, "")
	s.work(t, "pack_parcel", 1, "the tape is empty")
	claimed, err := direct.New(s.pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: packer, Namespaces: []string{"shop"}, Handlers: []string{"pack_parcel"}, Limit: 1})
	require.NoError(t, err)
	require.Len(t, claimed, 1)
	large = s.newBasket(t, 1500)
	s.work(t, "check", 1, "")
	s.work(t, "price", 700, "")
	return basket, large
}
