package workertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type purchase struct {
	Cents int `json:"cents"`
}

func pay(_ context.Context, job *worker.Job[purchase]) (string, error) {
	discount, err := worker.Result[int](job, "discount")
	if err != nil {
		return "", err
	}
	if job.Attempt == 1 {
		return "", errors.New("the bank does not answer")
	}
	return fmt.Sprintf("%d cents", job.Input.Cents-discount), nil
}

// One handler, without a database.
func ExampleCall() {
	t := &pgtest.Example{} // in a test: its *testing.T
	defer t.End()

	paid, err := workertest.Call(t, pay, workertest.Step{
		Context: purchase{Cents: 1299}, Results: map[string]any{"discount": 299}, Attempt: 2,
	})
	fmt.Println(paid, err)

	_, err = workertest.Call(t, pay, workertest.Step{Context: purchase{Cents: 1299}, Results: map[string]any{"discount": 299}})
	fmt.Println(err)
	// Output:
	// 1000 cents <nil>
	// the bank does not answer
}

// A whole task, in a transaction that is rolled back. Waits for retries are skipped.
func ExampleRun() {
	ctx := context.Background()
	t := &pgtest.Example{} // in a test: its *testing.T
	defer t.End()
	tx, err := pgtest.New(t).Begin(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()

	e := executor.New(tx)
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [
		{"name": "discount"}, {"name": "charge", "dependencies": ["discount"]}]}`)); err != nil {
		log.Fatal(err)
	}
	task, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order", Context: json.RawMessage(`{"cents": 1299}`)})
	if err != nil {
		log.Fatal(err)
	}

	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "discount", func(context.Context, *worker.Job[purchase]) (int, error) { return 299, nil })
	worker.Handle(w, "charge", pay)

	report := workertest.Run(t, tx, w, task.TaskUUID)
	fmt.Println(report.State, report.Order)
	fmt.Println(workertest.Result[string](t, report, "charge"))
	// Output:
	// complete [discount charge charge]
	// 1000 cents
}

// Time stands still until the test moves it.
func ExampleFreezeClock() {
	ctx := context.Background()
	t := &pgtest.Example{} // in a test: its *testing.T
	defer t.End()
	tx, err := pgtest.New(t).Begin(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()

	e := executor.New(tx)
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "reminder",
		"steps": [{"name": "remind"}]}`)); err != nil {
		log.Fatal(err)
	}
	clock := workertest.FreezeClock(t, tx, time.Now())
	task, err := e.CreateTask(ctx, executor.TaskRequest{
		Namespace: "shop", Name: "reminder", Context: json.RawMessage(`{"cents": 1}`), TaskOptions: executor.TaskOptions{StartAt: clock.Now().Add(24 * time.Hour)},
	})
	if err != nil {
		log.Fatal(err)
	}
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		log.Fatal(err)
	}
	worker.Handle(w, "remind", func(context.Context, *worker.Job[purchase]) (string, error) { return "ding", nil })

	fmt.Println(workertest.RunReady(t, tx, w, task.TaskUUID).State)
	clock.Advance(24 * time.Hour)
	fmt.Println(workertest.RunReady(t, tx, w, task.TaskUUID).State)
	// Output:
	// pending
	// complete
}
