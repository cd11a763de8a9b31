package workertest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/state"
)

// Signal sends a signal to a task as a person or a webhook would. The payload is encoded as JSON. Signal returns executor.Delivered if a
// step waited for the signal, and executor.Kept if no step waits for it yet.
func Signal(t testing.TB, db executor.DBTX, task uuid.UUID, name string, payload any) executor.Delivery {
	t.Helper()
	raw, err := json.Marshal(payload)
	if err != nil {
		t.Fatalf("workertest: the payload of signal %q: %v", name, err)
	}
	answer, err := executor.New(db).SendSignal(t.Context(), task, executor.Signal{Name: name, Payload: raw})
	if err != nil {
		t.Fatalf("workertest: signal %q: %v", name, err)
	}
	return answer.Answer
}

// addWaits adds the names of the steps that wait for a signal.
func (r *runner) addWaits(report *Report) error {
	if !slices.ContainsFunc(report.Steps, func(s executor.StepDetail) bool { return s.State == state.StepSuspended }) {
		return nil
	}
	filter := executor.WaitFilter{Namespace: report.Task.Namespace, TaskName: report.Task.Name, Limit: maxBatch}
	for {
		waits, err := r.e.ListWaits(r.ctx, filter)
		if err != nil || len(waits) == 0 {
			return err
		}
		for i, wait := range waits {
			if wait.TaskUUID == r.task {
				report.Waiting = append(report.Waiting, wait.StepName)
			}
			filter.After = &waits[i]
		}
	}
}
