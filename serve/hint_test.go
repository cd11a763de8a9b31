package serve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOverREST_SpeaksOfRequestsAndFields(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"Register it with tasker.register_task_template(template).":           "Register it with POST /v1/templates.",
		"Pass p_identity_key, which is equal for equal requests.":             "Pass identity_key, which is equal for equal requests.",
		"Create the task first, or give p_start => true: then it is created.": "Create the task first, or give start: true: then it is created.",
		"tasker.list_limits() lists limits; tasker.set_limit() makes one.":    "GET /v1/limits lists limits; PUT /v1/limits/{namespace}/{name} makes one.",
		"takes signals again after tasker.reset_task(task).":                  "takes signals again after POST /v1/tasks/{task_uuid}/reset.",
		"Create it with tasker.ensure_task_queue(name).":                      "Create it with tasker.ensure_task_queue(name).",
	} {
		require.Equal(t, want, overREST(hint))
	}
	for function, id := range others {
		require.NotEmpty(t, calls()[function], id)
	}
}
