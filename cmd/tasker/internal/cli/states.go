package cli

import (
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/state"
)

// look has the symbol and the colour of a state. Each state has its own symbol, so that colours are not needed.
type look struct {
	symbol string
	color  term.Color
}

func stepLook(s state.StepState) look {
	switch s {
	case state.StepEnqueued:
		return look{"◎", term.Blue}
	case state.StepInProgress:
		return look{"◐", term.Cyan}
	case state.StepEnqueuedForOrchestration, state.StepEnqueuedAsErrorForOrchestration:
		return look{"◑", term.Cyan}
	case state.StepWaitingForRetry:
		return look{"↻", term.Yellow}
	case state.StepSuspended:
		return look{"‖", term.Magenta}
	case state.StepComplete:
		return look{"●", term.Green}
	case state.StepResolvedManually:
		return look{"◆", term.Green}
	case state.StepError:
		return look{"✗", term.Red}
	case state.StepCancelled:
		return look{"⊘", term.Dim}
	}
	return look{"○", term.Plain} // pending, or a state that is newer than this program
}

func taskColor(s state.TaskState) term.Color {
	switch {
	case s == state.TaskError || s == state.TaskBlockedByFailures:
		return term.Red
	case s == state.TaskCancelled:
		return term.Dim
	case s.IsTerminal():
		return term.Green
	case s == state.TaskWaitingForRetry:
		return term.Yellow
	case s.IsActive():
		return term.Cyan
	}
	return term.Plain
}
