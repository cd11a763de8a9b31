package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type (
	Order       struct{ Number, Cents int }
	Reservation struct{ Shelf string }
	Payment     struct{ Receipt string }
	Parcel      struct{ Label string }
)

var (
	order   = workflow.New[Order]("shop", "order", "1.0.0")
	reserve = workflow.Root(order, "reserve", reserveGoods)
	charge  = workflow.After1(order, "charge", reserve, chargeCard, workflow.Retry{Attempts: 5})
	pack    = workflow.After1(order, "pack", reserve, packGoods)
	ship    = workflow.After2(order, "ship", charge, pack, shipParcel)
)

func reserveGoods(_ context.Context, job *workflow.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: fmt.Sprint("shelf ", job.Input.Number)}, nil
}

func chargeCard(_ context.Context, job *workflow.Job[Order], r Reservation) (Payment, error) {
	if job.Input.Cents == 0 {
		return Payment{}, worker.Permanent(errors.New("nothing to pay"))
	}
	return Payment{Receipt: fmt.Sprintf("%d for what is on %s", job.Input.Cents, r.Shelf)}, nil
}

func packGoods(_ context.Context, _ *workflow.Job[Order], r Reservation) (Parcel, error) {
	return Parcel{Label: "from " + r.Shelf}, nil
}

func shipParcel(_ context.Context, _ *workflow.Job[Order], p Payment, parcel Parcel) (string, error) {
	return parcel.Label + ", paid " + p.Receipt, nil
}

// An order from its registration to its result, with a worker in the same program.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t) // pgxpool.New(ctx, os.Getenv("DATABASE_URL"))

	if err := order.Register(ctx, pool); err != nil {
		log.Fatal(err)
	}
	task, err := order.Start(ctx, pool, Order{Number: 7, Cents: 1299}) // on a transaction it takes part in it
	if err != nil {
		log.Fatal(err)
	}

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	order.Handle(w)
	working, stopWorking := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(working) }()

	shipped, err := ship.Wait(ctx, pool, task, executor.WaitOptions{PollInterval: 10 * time.Millisecond})
	fmt.Println(shipped, err)
	stopWorking()
	fmt.Println(<-stopped)
	// Output:
	// from shelf 7, paid 1299 for what is on shelf 7 <nil>
	// <nil>
}

// A whole task in a test: in a transaction that is rolled back, without a worker.
func Example_test() {
	ctx := context.Background()
	t := &pgtest.Example{} // in a test: its *testing.T
	defer t.End()
	tx, err := pgtest.New(t).Begin(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()

	report := workertest.RunWorkflow(t, tx, order, Order{Number: 8, Cents: 500})
	fmt.Println(report.State, workertest.ResultOf(t, report, charge).Receipt)

	report = workertest.RunWorkflow(t, tx, order, Order{Number: 9})
	fmt.Println(report.State)
	_, err = ship.Result(ctx, tx, report.Handle)
	var none *executor.TaskError
	fmt.Println(errors.As(err, &none), none.FailedStep, none.LastError)
	// Output:
	// complete 500 for what is on shelf 8
	// blocked_by_failures
	// true charge nothing to pay
}

// The template that people and programs in other languages read.
func ExampleWorkflow_YAML() {
	text, err := order.YAML()
	fmt.Print(string(text))
	fmt.Println(err)
	// Output:
	// namespace: shop
	// name: order
	// version: 1.0.0
	// steps:
	//   - name: reserve
	//     handler: shop.order:1.0.0.reserve
	//   - name: charge
	//     handler: shop.order:1.0.0.charge
	//     dependencies:
	//       - reserve
	//     retry:
	//       max_attempts: 5
	//   - name: pack
	//     handler: shop.order:1.0.0.pack
	//     dependencies:
	//       - reserve
	//   - name: ship
	//     handler: shop.order:1.0.0.ship
	//     dependencies:
	//       - charge
	//       - pack
	// <nil>
}

// A branch that is not taken has no result, so the step that joins the branches asks for Optional.
func ExampleOptional() {
	t := &pgtest.Example{}
	defer t.End()
	w := workflow.New[Order]("shop", "discount", "1.0.0")
	price := workflow.Root(w, "price", func(_ context.Context, job *workflow.Job[Order]) (int, error) { return job.Input.Cents, nil })
	small := workflow.After1(w, "small", price.When("$ < 1000"),
		func(_ context.Context, _ *workflow.Job[Order], cents int) (int, error) { return cents, nil })
	large := workflow.After1(w, "large", price.When("$ >= 1000"),
		func(_ context.Context, _ *workflow.Job[Order], cents int) (int, error) { return cents - 100, nil })
	total := workflow.After2(w, "total", workflow.Optional(small), workflow.Optional(large),
		func(_ context.Context, _ *workflow.Job[Order], small, large workflow.Maybe[int]) (string, error) {
			if large.OK {
				return fmt.Sprint(large.Value, " with a discount"), nil
			}
			return fmt.Sprint(small.Value), nil
		}, workflow.JoinAny())

	report := workertest.RunWorkflow(t, pgtest.New(t), w, Order{Cents: 1299})
	fmt.Println(workertest.ResultOf(t, report, total))
	// Output: 1199 with a discount
}

// Steps made in a loop, and one that gets all of their results.
func ExampleAll() {
	t := &pgtest.Example{}
	defer t.End()
	w := workflow.New[Order]("shop", "labels", "1.0.0")
	var labels []workflow.Step[Order, string]
	for _, carrier := range []string{"north", "south"} {
		labels = append(labels, workflow.Root(w, "label_"+carrier, func(_ context.Context, job *workflow.Job[Order]) (string, error) {
			return fmt.Sprint(carrier, job.Input.Number), nil
		}))
	}
	choose := workflow.After1(w, "choose", workflow.All(labels...),
		func(_ context.Context, _ *workflow.Job[Order], labels []string) (string, error) {
			return labels[1], nil
		})

	report := workertest.RunWorkflow(t, pgtest.New(t), w, Order{Number: 7})
	fmt.Println(workertest.ResultOf(t, report, choose))
	// Output: south7
}
