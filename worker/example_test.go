package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

type invoice struct {
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
}

// A worker runs until its context ends; this one until its only task has ended.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t) // pgxpool.New(ctx, os.Getenv("DATABASE_URL"))

	e := executor.New(pool)
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [
		{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]}]}`)); err != nil {
		log.Fatal(err)
	}
	task, err := e.CreateTask(ctx, executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"customer": "Ada", "cents": 1299}`),
	})
	if err != nil {
		log.Fatal(err)
	}

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "reserve", func(context.Context, *worker.Job[invoice]) (string, error) { return "shelf 7", nil })
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[invoice]) (string, error) {
		shelf, err := worker.Result[string](job, "reserve")
		return fmt.Sprintf("%s paid %d for what is on %s", job.Input.Customer, job.Input.Cents, shelf), err
	})
	go func() { // elsewhere
		defer stop()
		if _, err := executor.NewClient(pool).Tasks().Wait(ctx, task.TaskUUID); err != nil {
			log.Fatal(err)
		}
	}()
	if err := w.Run(ctx); err != nil {
		log.Fatal(err)
	}

	steps, err := e.ListSteps(context.Background(), task.TaskUUID)
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range steps {
		fmt.Println(step.Name, step.State, string(step.Results))
	}
	fmt.Println(w.Stats().Completed, "done")
	// Output:
	// reserve complete "shelf 7"
	// charge complete "Ada paid 1299 for what is on shelf 7"
	// 2 done
}

// The kind of an error decides what happens to the step.
func ExamplePermanent() {
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[invoice]) (string, error) {
		switch job.Input.Customer {
		case "":
			return "", worker.Permanent(errors.New("nobody to charge")) // no further attempt
		case "Bob":
			return "", worker.RetryAfter(10*time.Minute, errors.New("the bank asks for patience"))
		}
		return "", errors.New("the bank does not answer") // retried by the template's policy
	})

	for _, task := range []string{`{"customer": ""}`, `{"customer": "Bob"}`, `{"customer": "Ada"}`} {
		result, err := attempt(w, gen.ClaimedStep{
			Name: "charge", Handler: "charge", Context: json.RawMessage(task),
		})
		fmt.Println(result.Error, "permanent:", result.Permanent, "own wait:", result.Backoff != nil, err)
	}
	// Output:
	// nobody to charge permanent: true own wait: false <nil>
	// the bank asks for patience permanent: false own wait: true <nil>
	// the bank does not answer permanent: false own wait: false <nil>
}

// A step reads the results of the steps that it depends on into its own types.
func ExampleResult() {
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "ship", func(_ context.Context, job *worker.Job[invoice]) (string, error) {
		shelf, err := worker.Result[string](job, "reserve")
		if err != nil {
			return "", err
		}
		_, err = worker.Result[string](job, "insure") // it was skipped
		return fmt.Sprint("from ", shelf, ", insured: ", !errors.Is(err, worker.ErrNoResult)), nil
	})

	result, err := attempt(w, gen.ClaimedStep{
		Name: "ship", Handler: "ship", Context: json.RawMessage(`{"customer": "Ada"}`), ParentResults: json.RawMessage(`{"reserve": "shelf 7"}`),
	})
	fmt.Println(string(result.Results), err)
	// Output: "from shelf 7, insured: false" <nil>
}

// A handler takes its view of the task's context and returns a result. This one runs a step that was claimed without a
// running worker.
func ExampleHandle() {
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		panic(err)
	}
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[invoice]) (string, error) {
		if job.Input.Cents == 0 {
			return "", worker.Permanent(errors.New("nothing to pay"))
		}
		return fmt.Sprintf("%s paid %d", job.Input.Customer, job.Input.Cents), nil
	})

	for _, task := range []string{`{"customer": "Ada", "cents": 1299}`, `{"customer": "Bob"}`} {
		result, err := attempt(w, gen.ClaimedStep{
			Name: "charge", Handler: "charge", Context: json.RawMessage(task),
		})
		fmt.Println(string(result.Results), result.Error, err)
	}
	// Output:
	// "Ada paid 1299"  <nil>
	//  nothing to pay <nil>
}

// Middleware sees every attempt of every handler.
func ExampleWorker_Use() {
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		panic(err)
	}
	worker.Handle(w, "greet", func(_ context.Context, job *worker.Job[invoice]) (string, error) {
		return "hello " + job.Input.Customer, nil
	})
	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			raw, err := next(ctx, step)
			fmt.Println(step.Name, "gave", string(raw), err)
			return raw, err
		}
	})
	_, err = attempt(w, gen.ClaimedStep{
		Name: "greet", Handler: "greet", Context: json.RawMessage(`{"customer": "Ada"}`),
	})
	fmt.Println(err)
	// Output:
	// greet gave "hello Ada" <nil>
	// <nil>
}

// attempt runs the handler of a step that was claimed without a running worker.
func attempt(w *worker.Worker, step gen.ClaimedStep) (direct.StepResult, error) {
	return inner.Of(w).Do(context.Background(), nil, step)
}
