package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
)

func TestPlain_WritesWhatAPointerPointsTo(t *testing.T) {
	t.Parallel()
	blocked := state.TaskState("blocked_by_failures")
	require.Equal(t, "blocked_by_failures", plain(&blocked))
	require.Equal(t, "blocked_by_failures", plain(blocked))
	require.Equal(t, "<nil>", plain(nil))
	require.NotEqual(t, "idle", functions["look"].(func(any) look)(&blocked).Class, "a state behind a pointer has its own look")
}

func TestHint_NamesPagesInsteadOfRequests(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"GET /v1/mass-actions lists them.":                                          "“Mass actions” lists them.",
		"GET /v1/limits lists limits; PUT /v1/limits/{namespace}/{name} makes one.": "“Limits” lists limits; “Limits” makes one.",
		"Repeat the request after the seconds of Retry-After.":                      "The page tries again by itself.",
		"Say why.": "Say why.",
	} {
		require.Equal(t, want, Hint(hint))
	}
}

func TestForPeople_LeavesCallsOut(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		`It waits for signal "approved": select * from tasker.send_signal('01a2', 'approved', payload). At 10:00:00Z it fails, unless the signal comes before.`:          `It waits for signal "approved". At 10:00:00Z it fails, unless the signal comes before.`,
		`It waits for signal "a" or event "b": select * from tasker.send_signal('1', 'a', payload), or select * from tasker.emit_event('s', 'b', '', payload).`:          `It waits for signal "a" or event "b".`,
		`because its step "pay" failed: no money. select tasker.retry_step('01a2').`:                                                                                     `because its step "pay" failed: no money.`,
		"Nothing more is undone until retry_step, resolve_step_manually or complete_step_manually settles it; give_up_task ends the task, which will be error, without.": "Nothing more is undone until it is retried, resolved or completed by hand; “Give up” ends the task, which will be error, without.",
	} {
		require.Equal(t, want, forPeople(sentence))
	}
}
