package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/worker"
)

type invoice struct {
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
}

// A handler takes its view of the task's context and gives a result; here a step is done that was claimed by
// other means.
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
		result, err := w.Do(context.Background(), nil, gen.ClaimedStep{
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
	_, err = w.Do(context.Background(), nil, gen.ClaimedStep{
		Name: "greet", Handler: "greet", Context: json.RawMessage(`{"customer": "Ada"}`),
	})
	fmt.Println(err)
	// Output:
	// greet gave "hello Ada" <nil>
	// <nil>
}
