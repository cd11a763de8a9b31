package ui

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/executor"
)

// undoing says whether a task is being undone. It is false for a task that was undone.
func undoing(t executor.TaskDetail) bool {
	var undo struct {
		Phase string `json:"phase"`
	}
	return len(t.Undo) > 0 && json.Unmarshal(t.Undo, &undo) == nil && undo.Phase != "done"
}

// Undone describes the progress of the task's undoing. It is empty if the task is not undone.
func (t taskPage) Undone() string {
	var undo struct {
		Phase string `json:"phase"`
		Event string `json:"event"`
		To    string `json:"to_state"`
		Actor string `json:"actor"`
	}
	if len(t.Task.Undo) == 0 || json.Unmarshal(t.Task.Undo, &undo) != nil {
		return ""
	}
	by := undo.Event
	if undo.Actor != "" {
		by += " by " + undo.Actor
	}
	switch undo.Phase {
	case "drain":
		return by + ": the task is being undone. Its steps in progress end first, then compensations run; it will be " + spaced(undo.To) + "."
	case "undo":
		return by + ": the task is being undone. Compensations run; it will be " + spaced(undo.To) + "."
	case "done":
		return by + ": the task was undone. All compensations are done, or were given up."
	}
	return ""
}
