package workertest

import (
	"flag"
	"os"
	"testing"

	"github.com/pgtasker/pgtasker/internal/replay"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Replayer replays exported tasks with the current code. Its zero value replays all steps.
type Replayer struct {
	// Steps are the names of the steps, or of the handlers, that run. All other steps keep their recorded results. Default: all steps.
	Steps []string
	// FunctionsOnly runs only steps whose handlers are durable functions, which do not repeat their recorded calls. Default: all steps.
	FunctionsOnly bool
	// Templates are the current templates, for example from template.LoadFile or Workflow.Template. An open task diverges if its template
	// here lacks a step that has not settled yet. Default: no templates are compared.
	Templates []*template.Template
	// Elsewhere are the names of handlers that people or other programs serve, as in worker.Config. Default: none.
	Elsewhere []string
}

// Replay runs the handlers of w on tasks that "tasker task export" has written, and fails the test if the current code diverges from the
// record. A step diverges if it cannot decode its input, returns a result of another type or value, or fails. A durable function diverges
// if its calls come in another order, have other names, or are more or fewer. A step of an open task diverges if its handler is gone.
// Replay needs no database.
//
// A file is a document, an NDJSON file of documents, or a folder. Without an argument Replay reads the file that "tasker task replay"
// names, or else the folder testdata/replay.
//
// Each step runs alone, with the inputs, the results of its parents, and the time ([worker.Now]) of the recorded run. A durable function
// gets the recorded results of its calls. All other effects of a handler happen again, so give the handler fakes, or choose the steps with
// a [Replayer].
//
// To accept divergences, run go test -update, if the test's package has a flag of that name, or tasker task replay --update. Accepted
// divergences are written into the documents and no longer reported.
func Replay(t testing.TB, w *worker.Worker, files ...string) Replayed {
	t.Helper()
	return Replayer{}.Replay(t, w, files...)
}

// Replayed holds the findings of a replay, with a report for each task.
type Replayed struct {
	Tasks   []*replay.Export
	Reports []replay.Report
}

// Replay is [Replay] with the choices of r.
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

// updates reports whether divergences are accepted. The test's package defines the flag -update, as many packages do.
func updates() bool {
	if os.Getenv(replay.UpdateVariable) != "" {
		return true
	}
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Outcome returns the outcome of a step that the current code ran in a replayed task, for example to see whether a step that failed in
// production still fails. It fails the test unless exactly one step of that name has run.
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
