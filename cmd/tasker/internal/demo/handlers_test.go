package demo

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
)

// do runs a handler once and returns its results, or its error.
func do(t *testing.T, ctx context.Context, handler string, step gen.ClaimedStep, pace time.Duration) (string, string, bool) {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	Handle(w, pace)
	step.Handler = handler
	result, err := inner.Of(w).Do(ctx, nil, step)
	require.NoError(t, err)
	return string(result.Results), result.Error, result.Permanent
}

func TestHandlers_DoWhatTheyAreTold(t *testing.T) {
	t.Parallel()
	type step = gen.ClaimedStep
	for _, test := range []struct {
		handler       string
		step          step
		result, error string
		permanent     bool
	}{
		{handler: "echo", step: step{Context: raw(`{"a": 1}`)}, result: `{"context": {"a": 1}}`},
		{
			handler: "echo", step: step{Context: raw(`{}`), Inputs: raw(`[2]`), ParentResults: raw(`{"x": "y"}`)},
			result: `{"context": {}, "inputs": [2], "results": {"x": "y"}}`,
		},
		{handler: "sleep", step: step{Context: raw(`{"seconds": 0.001}`)}, result: `{"slept_seconds": 0.001}`},
		{
			handler: "sleep", step: step{Context: raw(`{"seconds": 100}`), Inputs: raw(`{"seconds": 0.002}`)},
			result: `{"slept_seconds": 0.002}`,
		},
		{handler: "sleep", step: step{Inputs: raw(`{"seconds": "long"}`)}, error: "the inputs of step", permanent: true},
		{handler: "fail", step: step{Attempt: 7}, error: "it was told to fail"},
		{handler: "fail", step: step{Attempt: 2, Inputs: raw(`{"times": 2, "message": "oh"}`)}, error: "oh"},
		{handler: "fail", step: step{Attempt: 3, Inputs: raw(`{"times": 2}`)}, result: `{"attempts": 3}`},
		{handler: "fail", step: step{Attempt: 1, Context: raw(`{"permanent": true}`)}, error: "it was told to fail", permanent: true},
		{handler: "reserve", step: step{Context: raw(`{"number": 7}`)}, result: `{"shelf": "shelf 7"}`},
	} {
		result, failure, permanent := do(t, t.Context(), test.handler, test.step, 0)
		require.Contains(t, failure, test.error, test.handler)
		require.Equal(t, test.permanent, permanent, test.handler)
		if test.error == "" {
			require.Empty(t, failure)
			require.JSONEq(t, test.result, result)
		}
	}
}

func TestHandlers_AreTheNamedOnes(t *testing.T) {
	t.Parallel()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	Handle(w, 0)
	for _, name := range append([]string{"unheard_of"}, Handlers...) {
		_, err := inner.Of(w).Do(t.Context(), nil, gen.ClaimedStep{Handler: name, Inputs: raw(`{"seconds": 0.001}`)})
		require.Equal(t, name == "unheard_of", err != nil && strings.Contains(err.Error(), "no such handler"), name)
	}
}

func TestHandlers_StopWhenTheirContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(worker.ErrStopping)
	_, failure, _ := do(t, ctx, "sleep", gen.ClaimedStep{Inputs: raw(`{"seconds": 100}`)}, 0)
	require.Equal(t, worker.ErrStopping.Error(), failure)
	_, failure, _ = do(t, ctx, "echo", gen.ClaimedStep{}, time.Hour)
	require.Equal(t, worker.ErrStopping.Error(), failure)
}

func TestHandlers_TakeTheirPace(t *testing.T) {
	t.Parallel()
	const pace = 20 * time.Millisecond
	start := time.Now()
	result, _, _ := do(t, t.Context(), "echo", gen.ClaimedStep{Context: raw(`{}`)}, pace)
	require.GreaterOrEqual(t, time.Since(start), pace)
	require.JSONEq(t, `{"context": {}}`, result)
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }
