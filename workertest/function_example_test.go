package workertest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

// A function is run without a database: the week passes at once, and the signal is the test's.
func ExampleNewFunction() {
	t := &pgtest.Example{} // a test's *testing.T
	defer t.End()

	remind := func(ctx context.Context, job *worker.Job[string]) (string, error) {
		sent, err := worker.Once(ctx, job, "remind", func(_ context.Context, key uuid.UUID) (string, error) {
			return "sent to " + job.Input, nil
		})
		if err != nil {
			return "", err
		}
		worker.Sleep(ctx, job, 7*24*time.Hour)
		answer, err := worker.Await(ctx, job, worker.Signal[int]("paid"), worker.Waiting{Timeout: 24 * time.Hour})
		return fmt.Sprintf("%s, %s: %d", sent, answer.By, answer.Payload), err
	}

	f := workertest.NewFunction(t, remind, workertest.Step{Context: "Ada"})
	began := f.Now()
	f.Signal("paid", 12)
	fmt.Println(f.Run())
	fmt.Println(f.Kept(), f.Runs(), "runs in", f.Now().Sub(began))
	// Output:
	// sent to Ada, signal: 12 <nil>
	// [remind $sleep $await.paid] 2 runs in 168h0m0s
}
