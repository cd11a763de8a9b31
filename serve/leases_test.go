package serve_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

type leases struct{ Items []gen.StepLease }

// renew sends a renewal of a step's lease in the background.
func (w httpWorker) renew(t testing.TB, step gen.ClaimedStep, seconds int) <-chan leases {
	t.Helper()
	answers := make(chan leases, 1)
	go func() {
		a, err := w.s.try(t.Context(), w.token, "POST", "/v1/leases", fmt.Sprintf(
			`{"claims": [{"step_uuid": %q, "claim_no": %d}], "lease_seconds": 60, "worker_uuid": %q, "wait_seconds": %d}`,
			step.StepUUID, step.ClaimNo, w.id, seconds))
		if err != nil {
			return
		}
		var out leases
		if json.Unmarshal(a.body, &out) == nil {
			answers <- out
		}
	}()
	return answers
}

// awaitLease waits until a step has a lease that was renewed after the given time.
func (s *site) awaitLease(t testing.TB, step gen.ClaimedStep, after time.Time) {
	t.Helper()
	require.Eventually(t, func() bool {
		return query[time.Time](t, s, fmt.Sprintf("select lease_until from tasker.workflow_steps where workflow_step_uuid = '%s'", step.StepUUID)).After(after)
	}, within, 5*time.Millisecond)
}

func TestLeases_ARenewalThatWaitsAnswersWhenAStepIsCancelled(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w, other := newHTTPWorker(t, s, "bot"), newHTTPWorker(t, s, "other")
	idle, _ := newHTTPWorker(t, s, "idle").poll(t, `, "limit": 1, "handlers": ["none"], "wait_seconds": 60`)
	s.awaitSleeping(t) // so the server listens
	s.createTask(t, "1")
	s.createTask(t, "2")
	step := w.exchange(t, `, "limit": 1, "lease_seconds": 30`).Claimed[0]
	foreign := other.exchange(t, `, "limit": 1, "lease_seconds": 30`).Claimed[0]
	answers, others := w.renew(t, step, 60), other.renew(t, foreign, 60)
	s.awaitLease(t, step, time.Now().Add(45*time.Second))
	s.awaitLease(t, foreign, time.Now().Add(45*time.Second))
	s.execute(t, fmt.Sprintf("select tasker.cancel_task('%s')", step.TaskUUID))
	require.EqualValues(t, "cancelled", (<-answers).Items[0].Answer)
	require.Empty(t, others, "another worker's renewal still waits")

	require.EqualValues(t, "cancelled", (<-w.renew(t, step, 60)).Items[0].Answer, "what is cancelled already is said at once")
	require.EqualValues(t, "extended", (<-other.renew(t, foreign, 1)).Items[0].Answer, "the time is over")
	require.Empty(t, idle)
	s.server.Close()
	require.EqualValues(t, "extended", (<-others).Items[0].Answer, "the server stops")
}

func TestLeases_ARenewalWaitsForAllWorkersOfAProcess(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w, second := newHTTPWorker(t, s, "bot"), newHTTPWorker(t, s, "bot-2")
	s.createTask(t, "1")
	step := second.exchange(t, `, "limit": 1, "lease_seconds": 30`).Claimed[0]
	answers := make(chan leases, 1)
	go func() {
		var out leases
		a, err := s.try(t.Context(), second.token, "POST", "/v1/leases", fmt.Sprintf(
			`{"claims": [{"step_uuid": %q, "claim_no": %d}], "lease_seconds": 60, "worker_uuid": %q, "other_worker_uuids": [%q], "wait_seconds": 60}`,
			step.StepUUID, step.ClaimNo, w.id, second.id))
		if err == nil && json.Unmarshal(a.body, &out) == nil {
			answers <- out
		}
	}()
	s.awaitLease(t, step, time.Now().Add(45*time.Second))
	s.execute(t, fmt.Sprintf("select tasker.cancel_task('%s')", step.TaskUUID))
	require.EqualValues(t, "cancelled", (<-answers).Items[0].Answer)
}

func TestLeases_AWaitNeedsAWorker(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	var problem serve.Problem
	s.send(t, w.token, "POST", "/v1/leases", `{"claims": [], "wait_seconds": 5}`).into(t, 422, &problem)
	require.Equal(t, "wait_seconds needs worker_uuid", problem.Detail)
	s.send(t, "tasker_unknown", "POST", "/v1/leases", `{"claims": [], "wait_seconds": 5}`).into(t, 401, &problem)
}
