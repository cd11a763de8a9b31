package workertest

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/template"
)

// Task sets the results of the tasks that the function starts from a template with [worker.Run]. The function run gets a task's context. It
// returns the results of the task's last steps by their names, or the error with which the task fails.
//
//	f.Task("shipping", func(json.RawMessage) (any, error) { return map[string]Tag{"label": {Code: "A7"}}, nil })
func (f *Function[In, Out]) Task(template string, run func(context json.RawMessage) (any, error)) {
	if f.memory.tasks == nil {
		f.memory.tasks = map[string]func(json.RawMessage) (any, error){}
	}
	f.memory.tasks[template] = run
}

// runTasks returns the end of a wait for tasks, and nil for another wait.
func (m *memory) runTasks(raw json.RawMessage) (json.RawMessage, error) {
	var wait struct {
		Tasks []template.Task `json:"tasks"`
	}
	if err := json.Unmarshal(raw, &wait); err != nil || len(wait.Tasks) == 0 {
		return nil, err
	}
	ends := make([]map[string]any, len(wait.Tasks))
	for i, task := range wait.Tasks {
		run := m.tasks[task.Name]
		if run == nil {
			return nil, fmt.Errorf("the function starts a task of %q: give it a result with Task", task.Name)
		}
		ends[i] = map[string]any{"task_uuid": uuid.New()}
		if result, err := run(task.Context); err != nil {
			ends[i]["error"] = fmt.Sprintf("task %s failed: %v", ends[i]["task_uuid"], err)
		} else {
			ends[i]["result"] = result
		}
	}
	return json.Marshal(map[string]any{"by": "task", "tasks": ends})
}
