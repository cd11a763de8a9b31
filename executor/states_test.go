package executor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/stateevent"
	"github.com/pgtasker/pgtasker/state"
)

func TestTaskState_AgreesWithTheDatabase(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))

	rows, err := e.ListTaskStates(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, len(state.TaskStates()))
	for i, row := range rows {
		s := state.TaskStates()[i]
		require.Equal(t, s, row.State, "the same order")
		require.Equal(t, row.Terminal, s.IsTerminal(), s)
		require.Equal(t, row.RequiresOwnership, s.RequiresOwnership(), s)
		require.Equal(t, row.Active, s.IsActive(), s)
		require.Equal(t, row.Waiting, s.IsWaiting(), s)
		require.Equal(t, row.CanBeProcessed, s.CanBeProcessed(), s)

		for name, ask := range map[string]func() (bool, error){
			"terminal":  func() (bool, error) { return e.TaskStateIsTerminal(t.Context(), string(s)) },
			"ownership": func() (bool, error) { return e.TaskStateRequiresOwnership(t.Context(), string(s)) },
			"active":    func() (bool, error) { return e.TaskStateIsActive(t.Context(), string(s)) },
			"waiting":   func() (bool, error) { return e.TaskStateIsWaiting(t.Context(), string(s)) },
			"processed": func() (bool, error) { return e.TaskStateCanBeProcessed(t.Context(), string(s)) },
		} {
			got, err := ask()
			require.NoError(t, err)
			want := map[string]bool{
				"terminal": s.IsTerminal(), "ownership": s.RequiresOwnership(), "active": s.IsActive(),
				"waiting": s.IsWaiting(), "processed": s.CanBeProcessed(),
			}[name]
			require.Equal(t, want, got, "%s of %s", name, s)
		}
	}
}

func TestStepState_AgreesWithTheDatabase(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))

	rows, err := e.ListStepStates(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, len(state.StepStates()))
	for i, row := range rows {
		s := state.StepStates()[i]
		require.Equal(t, s, row.State, "the same order")
		require.Equal(t, row.Terminal, s.IsTerminal(), s)
		require.Equal(t, row.Error, s.IsError(), s)
		require.Equal(t, row.Active, s.IsActive(), s)
		require.Equal(t, row.InProcessingPipeline, s.IsInProcessingPipeline(), s)
		require.Equal(t, row.ReadyForClaiming, s.IsReadyForClaiming(), s)
		require.Equal(t, row.SatisfiesDependencies, s.SatisfiesDependencies(), s)

		for name, ask := range map[string]func() (bool, error){
			"terminal":  func() (bool, error) { return e.StepStateIsTerminal(t.Context(), string(s)) },
			"error":     func() (bool, error) { return e.StepStateIsError(t.Context(), string(s)) },
			"active":    func() (bool, error) { return e.StepStateIsActive(t.Context(), string(s)) },
			"pipeline":  func() (bool, error) { return e.StepStateIsInProcessingPipeline(t.Context(), string(s)) },
			"claiming":  func() (bool, error) { return e.StepStateIsReadyForClaiming(t.Context(), string(s)) },
			"satisfies": func() (bool, error) { return e.StepStateSatisfiesDependencies(t.Context(), string(s)) },
		} {
			got, err := ask()
			require.NoError(t, err)
			want := map[string]bool{
				"terminal": s.IsTerminal(), "error": s.IsError(), "active": s.IsActive(),
				"pipeline": s.IsInProcessingPipeline(), "claiming": s.IsReadyForClaiming(),
				"satisfies": s.SatisfiesDependencies(),
			}[name]
			require.Equal(t, want, got, "%s of %s", name, s)
		}
	}
}

func TestEvents_AgreeWithTheDatabase(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))

	tasks, err := e.ListTaskTransitions(t.Context())
	require.NoError(t, err)
	events := map[stateevent.TaskEvent]bool{}
	for _, m := range tasks {
		events[stateevent.TaskEvent(m.Event)] = true
	}
	require.Len(t, stateevent.TaskEvents(), len(events))
	for _, event := range stateevent.TaskEvents() {
		require.True(t, events[event], event)
	}

	steps, err := e.ListStepTransitions(t.Context())
	require.NoError(t, err)
	stepEvents := map[stateevent.StepEvent]bool{}
	for _, m := range steps {
		stepEvents[stateevent.StepEvent(m.Event)] = true
	}
	require.Len(t, stateevent.StepEvents(), len(stepEvents))
	for _, event := range stateevent.StepEvents() {
		require.True(t, stepEvents[event], event)
	}
}
