package workertest

import (
	"flag"
	"os"
	"testing"

	"github.com/pgtasker/pgtasker/internal/replay"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Replayer replays exported tasks with present code. Its zero value replays all their steps.
type Replayer struct {
	// Steps are the names of the steps, or of the handlers, that run. The others have their recorded results. Default: all.
	Steps []string
	// FunctionsOnly runs only steps whose handlers are durable functions: these make none of their recorded calls again. Default: all.
	FunctionsOnly bool
	// Templates are the present templates, for example from template.LoadFile or Workflow.Template: an open task diverges if they lack
	// a step that it has yet to settle. Default: none is compared.
	Templates []*template.Template
	// Elsewhere are handlers that people or other programs see to, as in worker.Config. Default: none.
	Elsewhere []string
}

// Replay runs the handlers of w on tasks that "tasker task export" has written, and fails the test where the present code diverges
// from what is recorded: a step that cannot decode its input, returns a result of another type or value, or fails; a durable function whose
// calls come in another order, under other names, or are more or fewer; a step of an open task whose handler is gone. No database
// is needed.
//
// A file is a document, an NDJSON file of them, or a folder. Without a file it is the file that "tasker task replay"
// names, else the folder testdata/replay.
//
// Each step runs by itself, with the inputs, the results of its parents, and the time ([worker.Now]) of the recorded run. A durable function gets
// the recorded results of its calls. All else that a handler does happens again: give it fakes, or choose with a [Replayer].
//
// Divergences are accepted by go test -update, if the test's package has a flag of that name, or by tasker task replay --update: they are
// written into the documents, and reported no more.
func Replay(t testing.TB, w *worker.Worker, files ...string) Replayed {
	t.Helper()
	return Replayer{}.Replay(t, w, files...)
}

// Replayed has the findings of replays, a report for each task.
type Replayed struct {
	Tasks   []*replay.Export
	Reports []replay.Report
}

// Replay is [Replay] with choices.
func (r Replayer) Replay(t testing.TB, w *worker.Worker, files ...string) Replayed {
	t.Helper()
	if len(files) == 0 {
		files = []string{"testdata/replay"}
		if named := os.Getenv(replay.PathVariable); named != "" {
			files = []string{named}
		}
	}
	var all Replayed
	err := replay.Files(t.Context(), w, replay.Options{
		Steps: r.Steps, FunctionsOnly: r.FunctionsOnly, Templates: r.Templates, Elsewhere: r.Elsewhere,
	}, func(e *replay.Export, report replay.Report) {
		all.Tasks = append(all.Tasks, e)
		all.Reports = append(all.Reports, report)
	}, files...)
	if err != nil {
		t.Fatal("workertest:", err)
	}
	if updates() {
		if err := replay.Accept(all.Tasks, all.Reports); err != nil {
			t.Fatal("workertest:", err)
		}
		return all
	}
	for _, report := range all.Reports {
		for _, d := range report.Divergences {
			t.Errorf("workertest: %s", d)
		}
	}
	return all
}

// updates says whether divergences are accepted. The flag -update is the test's own: many packages have one.
func updates() bool {
	if os.Getenv(replay.UpdateVariable) != "" {
		return true
	}
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Outcome returns the outcome of the present code in a step of a replayed task, and fails the test if no step of that
// name has run, or several have: such as whether the step that failed in production still fails.
func (r Replayed) Outcome(t testing.TB, step string) replay.Outcome {
	t.Helper()
	var found []replay.Outcome
	for _, report := range r.Reports {
		for _, o := range report.Steps {
			if o.Step == step && o.Ran {
				found = append(found, o)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("workertest: %d steps of the name %q have run", len(found), step)
	}
	return found[0]
}
