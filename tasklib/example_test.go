package tasklib_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

type letter struct {
	To string `json:"to"`
}

// A function is registered, submitted in a transaction, and run by a worker.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t) // pgxpool.New(ctx, os.Getenv("DATABASE_URL"))

	client := tasklib.NewClient(pool, tasklib.Config{})
	send := tasklib.MustRegister(client, "send", func(_ context.Context, l letter) (string, error) {
		defer stop() // one is enough
		return "sent to " + l.To, nil
	}, tasklib.Options{MaxRetries: 5})
	if err := client.Sync(ctx); err != nil { // a worker does it when it starts
		log.Fatal(err)
	}

	var submitted tasklib.Submission
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
		submitted, err = send.Submit(ctx, tx, letter{To: "Ada"})
		return err // and whatever else belongs to it
	})
	if err != nil {
		log.Fatal(err)
	}

	if err := client.NewWorker(tasklib.WorkerConfig{Concurrency: 10}).Run(ctx); err != nil { // until ctx ends
		log.Fatal(err)
	}
	details, result, err := send.Get(context.Background(), pool, submitted.ID)
	fmt.Println(details.State, result, err)
	// Output: completed sent to Ada <nil>
}

// What a function returns decides what happens next.
func ExamplePermanent() {
	refused := errors.New("no such address")
	err := tasklib.Permanent(refused)
	fmt.Println(err, errors.Is(err, refused))

	err = tasklib.RetryAfter(time.Minute, errors.New("too many letters"))
	fmt.Println(err)
	// Output:
	// no such address true
	// too many letters
}

// A task that recurs, in a time zone. However many workers there are, a tick is one task.
func ExampleTask_Schedule() {
	ctx := context.Background()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t)
	client := tasklib.NewClient(pool, tasklib.Config{})
	send := tasklib.MustRegister(client, "send", func(_ context.Context, l letter) (string, error) {
		return "sent to " + l.To, nil
	}, tasklib.Options{})
	if err := client.Sync(ctx); err != nil {
		log.Fatal(err)
	}

	schedule, err := send.Schedule(ctx, pool, tasklib.Schedule{
		Name: "morning report", Cron: "0 7 * * mon-fri", Timezone: "Europe/Berlin",
	}, letter{To: "the team"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schedule.Name, schedule.Cron, schedule.Timezone)
	// Output: send 0 7 * * mon-fri Europe/Berlin
}
