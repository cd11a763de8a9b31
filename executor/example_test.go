package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A program creates a task and waits until workers have finished it.
func ExampleTasks_Wait() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()
	e := direct.New(pool)
	id := createExampleTask(ctx, e)

	working := make(chan struct{})
	go func() { // elsewhere
		defer close(working)
		workOn(ctx, e)
	}()

	task, err := executor.NewClient(pool).Tasks().Wait(ctx, id)
	<-working
	if err != nil {
		log.Fatal(err) // the task has failed, or ctx has ended before it
	}
	fmt.Println("the task is", task.State)
	// Output: the task is complete
}

// A program follows a task. It may leave the loop at any time.
func ExampleTasks_Watch() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()
	e := direct.New(pool)
	id := createExampleTask(ctx, e)

	for task, err := range executor.NewClient(pool).Tasks().Watch(ctx, id) {
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

// A program creates a task in the transaction that writes its own data: both are committed, or neither is.
func ExampleSqlFunctionExecutor_CreateTask() {
	ctx := context.Background()
	pool, done := exampleDatabase() // pgxpool.New(ctx, os.Getenv("DATABASE_URL")), and pool.Close
	defer done()
	registerExample(ctx, direct.New(pool))

	request := executor.TaskRequest{Namespace: "shop", Name: "order", Context: json.RawMessage(`{"order": 7}`)}
	for range 2 {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			task, err := direct.New(tx).CreateTask(ctx, request)
			fmt.Println("new:", task.Created)
			return err // other statements of the transaction follow here
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// new: true
	// new: false
}

// Errors of the database have a kind and say what to do.
func ExampleError() {
	ctx := context.Background()
	pool, done := exampleDatabase()
	defer done()
	registerExample(ctx, direct.New(pool))

	_, err := direct.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "odrer"})
	fmt.Println(errors.Is(err, executor.ErrNotFound))
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		fmt.Println(pgErr.Code, pgErr.Message)
		fmt.Println(pgErr.Hint)
	}
	// Output:
	// true
	// TK404 template "shop/odrer" does not exist
	// Register it with tasker.register_task_template(template).
}

// A worker without package worker records results and claims new steps in one call.
func ExampleSqlFunctionExecutor_ExchangeSteps() {
	ctx := context.Background()
	pool, done := exampleDatabase()
	defer done()
	e := direct.New(pool)
	createExampleTask(ctx, e)

	exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10}}
	for {
		reply, err := e.ExchangeSteps(ctx, exchange)
		if err != nil {
			log.Fatal(err)
		}
		for _, answer := range reply.Answers {
			fmt.Println("  result:", answer.Answer)
		}
		if len(reply.Claimed) == 0 {
			return
		}
		exchange.Results = nil
		for _, step := range reply.Claimed {
			fmt.Println(step.Name, "finds", string(step.ParentResults))
			exchange.Results = append(exchange.Results, direct.StepResult{
				StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
				Results:   json.RawMessage(`{"done": true}`),
			})
		}
	}
	// Output:
	// reserve finds {}
	//   result: completed
	// charge finds {"reserve": {"done": true}}
	//   result: completed
}

// A client groups the functions by what a person does.
func ExampleClient() {
	ctx := context.Background()
	pool, done := exampleDatabase()
	defer done()
	id := createExampleTask(ctx, direct.New(pool))

	client := executor.NewClient(pool)
	changed, err := client.Operate().Cancel(ctx, id, executor.By{Actor: "ada", Reason: "the customer called"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("changed:", changed)
	for step, err := range client.Tasks().Steps(ctx, id) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(step.Name, step.State)
	}
	_, err = client.Tasks().Wait(ctx, id)
	fmt.Println("cancelled:", errors.Is(err, executor.ErrCancelled))
	// Output:
	// changed: true
	// reserve cancelled
	// charge cancelled
	// cancelled: true
}

// A program adds a step to a running task.
func ExampleSqlFunctionExecutor_AddSteps() {
	ctx := context.Background()
	pool, done := exampleDatabase()
	defer done()
	e := direct.New(pool)
	id := createExampleTask(ctx, e)

	added, err := e.AddSteps(ctx, id, json.RawMessage(`[{"name": "thank", "dependencies": ["charge"]}]`))
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range added {
		fmt.Println(step.StepNo, step.Name, step.Created)
	}
	// Output: 3 thank true
}

func registerExample(ctx context.Context, e *direct.Executor) {
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{
		"namespace": "shop", "name": "order",
		"steps": [{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]}]
	}`)); err != nil {
		log.Fatal(err)
	}
}

// createExampleTask creates a task of two steps.
func createExampleTask(ctx context.Context, e *direct.Executor) uuid.UUID {
	registerExample(ctx, e)
	created, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order"})
	if err != nil {
		log.Fatal(err)
	}
	return created.TaskUUID
}

// workOn runs steps as a worker does, until none is ready.
func workOn(ctx context.Context, e *direct.Executor) {
	exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1}}
	for {
		reply, err := e.ExchangeSteps(ctx, exchange)
		if err != nil {
			log.Fatal(err)
		}
		if len(reply.Claimed) == 0 {
			return
		}
		step := reply.Claimed[0]
		exchange.Results = []direct.StepResult{{
			StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
			Results:   json.RawMessage(`{"done": true}`),
		}}
	}
}

// exampleDatabase returns a pool of a new database, and a function that closes the pool and drops the database.
func exampleDatabase() (*pgxpool.Pool, func()) {
	t := &pgtest.Example{}
	return pgtest.New(t), t.End
}
