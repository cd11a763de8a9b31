package howto_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/workflow"
)

// Region is what the tasks of Report are about.
type Region struct {
	Region string `json:"region"`
}

var Report = workflow.New[Region]("guide", "regional_report", "1.0.0",
	workflow.Every(template.Schedule{Name: "nightly", Cron: "0 2 * * *", Timezone: "Europe/Berlin", Overlap: "skip"}),
)

var _ = workflow.Root(Report, "write", func(context.Context, *workflow.Job[Region]) (string, error) { return "written", nil })

func TestSchedules_AreSetWithTheirWorkflow(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for range 2 {
		require.NoError(t, Report.Register(t.Context(), pool))
	}
	schedules, err := executor.New(pool).ListSchedules(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, schedules, 1)
	require.Equal(t, "nightly", schedules[0].Schedule)
	require.Equal(t, "Europe/Berlin", schedules[0].Timezone)
	require.Equal(t, "skip", schedules[0].Overlap)
	require.NotNil(t, schedules[0].NextTickAt)
	require.Equal(t, schedules[0].CreatedAt, schedules[0].UpdatedAt, "a second registration changes nothing")
}
