package serve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

func TestRetryAndCancel_InBatches(t *testing.T) {
	t.Parallel()
	s := blockedTasks(t)
	token, bank := s.token(t, "ops", "operator", "shop"), s.token(t, "bank", "operator", "bank")
	count := func(outcomes ...string) map[string]int {
		counts := map[string]int{}
		for _, outcome := range outcomes {
			counts[outcome]++
		}
		return counts
	}
	var steps page[gen.StepRetry]
	retry := func(token, body string) map[string]int {
		s.send(t, token, "POST", "/v1/steps/retry", body).into(t, 200, &steps)
		var outcomes []string
		for _, r := range steps.Items {
			outcomes = append(outcomes, r.Outcome)
		}
		return count(outcomes...)
	}
	require.Equal(t, map[string]int{"matched": 3}, retry(token, `{"reason": "x", "error": "NO", "dry_run": true}`))
	require.Empty(t, retry(bank, `{"reason": "x", "error": "no"}`), "a token reaches its namespaces only")
	require.Equal(t, map[string]int{"retried": 1}, retry(token, `{"reason": "x", "step": "b"}`))
	require.Equal(t, map[string]int{"retried": 1}, retry(token, `{"reason": "x", "namespace": "shop", "limit": 1}`))
	next := `"` + *steps.NextCursor + `"`
	require.Equal(t, map[string]int{"retried": 1}, retry(token, `{"reason": "x", "namespace": "shop", "cursor": `+next+`}`))

	var tasks page[gen.TaskCancellation]
	cancel := func(body string) map[string]int {
		s.send(t, token, "POST", "/v1/tasks/cancel", body).into(t, 200, &tasks)
		var outcomes []string
		for _, r := range tasks.Items {
			outcomes = append(outcomes, r.Outcome)
		}
		return count(outcomes...)
	}
	require.Equal(t, map[string]int{"matched": 3}, cancel(`{"reason": "x", "namespace": "shop", "dry_run": true}`))
	require.Equal(t, map[string]int{"cancelled": 2}, cancel(`{"reason": "x", "namespace": "shop", "limit": 2}`))
	require.Equal(t, map[string]int{"cancelled": 1}, cancel(`{"reason": "x", "namespace": "shop", "cursor": "`+*tasks.NextCursor+`"}`))
	for _, body := range []string{`{"reason": "x"}`, `{"reason": "x", "namespace": "shop", "state": "complete"}`, `{"reason": "x", "namespace": "shop", "cursor": ` + next + `}`} {
		s.send(t, token, "POST", "/v1/tasks/cancel", body).problem(t, 422)
	}
	s.send(t, token, "POST", "/v1/steps/retry", `{"reason": "x"}`).problem(t, 422)
}
