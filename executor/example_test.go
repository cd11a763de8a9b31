package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A program makes a task and waits until workers have finished it.
func ExampleSqlFunctionExecutor_WaitForTask() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()
	e := executor.New(pool)
	id := createExampleTask(ctx, e)

	working := make(chan struct{})
	go func() { // elsewhere
		defer close(working)
		workOn(ctx, e)
	}()

	task, err := e.WaitForTask(ctx, id, executor.WatchConfig{
		Connect: func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) },
	})
	<-working
	if err != nil {
		log.Fatal(err) // ctx's error: the task was not finished in time
	}
	fmt.Println("the task is", task.State)
	// Output: the task is complete
}

// A program follows a task. It may leave the loop whenever it likes.
func ExampleSqlFunctionExecutor_WatchTask() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()
	e := executor.New(pool)
	id := createExampleTask(ctx, e)

	// Without Connect the task is looked at in each PollInterval, which suits every pooler.
	for task, err := range e.WatchTask(ctx, id, executor.WatchConfig{PollInterval: 100 * time.Millisecond}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task.State, task.OpenSteps)
		if !task.Complete {
			workOn(ctx, e)
		}
	}
	// Output:
	// steps_in_process 2
	// complete 0
}

// createExampleTask registers a template of two steps and makes a task of it.
func createExampleTask(ctx context.Context, e *executor.SqlFunctionExecutor) uuid.UUID {
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{
		"namespace": "shop", "name": "order",
		"steps": [{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]}]
	}`)); err != nil {
		log.Fatal(err)
	}
	created, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order"})
	if err != nil {
		log.Fatal(err)
	}
	return created.TaskUUID
}

// workOn does what workers do, until there is nothing to do.
func workOn(ctx context.Context, e *executor.SqlFunctionExecutor) {
	exchange := executor.Exchange{ClaimRequest: executor.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1}}
	for {
		reply, err := e.ExchangeSteps(ctx, exchange)
		if err != nil {
			log.Fatal(err)
		}
		if len(reply.Claimed) == 0 {
			return
		}
		step := reply.Claimed[0]
		exchange.Results = []executor.StepResult{{
			StepClaim: executor.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
			Results:   json.RawMessage(`{"done": true}`),
		}}
	}
}

// exampleDatabase returns a pool on a database of its own, and what closes and drops them.
func exampleDatabase() (*pgxpool.Pool, func()) {
	e := &example{}
	return pgtest.New(e), func() {
		for _, cleanup := range slices.Backward(e.cleanups) {
			cleanup()
		}
	}
}

// example is what pgtest needs of a test, in an example.
type example struct {
	testing.TB
	cleanups []func()
}

func (*example) Helper()                      {}
func (*example) Context() context.Context     { return context.Background() }
func (e *example) Cleanup(cleanup func())     { e.cleanups = append(e.cleanups, cleanup) }
func (*example) Error(arguments ...any)       { log.Fatal(arguments...) }
func (*example) Errorf(f string, args ...any) { log.Fatalf(f, args...) }
func (*example) Fatal(arguments ...any)       { log.Fatal(arguments...) }
