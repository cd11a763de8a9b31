package pgmq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/pgmq"
)

// A message is refused once, comes again and is acknowledged.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t) // pgxpool.New(ctx, os.Getenv("DATABASE_URL"))

	var queue messaging.Queue
	queue, err := pgmq.Open(ctx, pool, pgmq.Config{
		Config:  messaging.Config{Name: "orders", Lease: time.Minute, MaxDeliveries: 5},
		Connect: func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() {
		if err := queue.Close(); err != nil {
			log.Fatal(err)
		}
	}()

	err = queue.Send(ctx, messaging.Message{ID: "order-7", Body: json.RawMessage(`{"cents": 1299}`)})
	if err != nil {
		log.Fatal(err)
	}

	for range 2 {
		deliveries, err := queue.Receive(ctx, 10) // waits for at least one
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range deliveries {
			fmt.Println(d.ID, string(d.Body), "attempt", d.Attempt)
			err := fulfil(d)
			if err != nil {
				err = queue.Refuse(ctx, d)
			} else {
				err = queue.Acknowledge(ctx, d)
			}
			if err != nil {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// order-7 {"cents": 1299} attempt 1
	// order-7 {"cents": 1299} attempt 2
}

// fulfil fails the first time.
func fulfil(d messaging.Delivery) error {
	if d.Attempt == 1 {
		return fmt.Errorf("the shelf is locked")
	}
	return nil
}

// A message that is sent in a transaction is sent if that commits, together with all else that it does.
func ExampleSend() {
	ctx := context.Background()
	t := &pgtest.Example{}
	defer t.End()
	pool := pgtest.New(t)
	if _, err := executor.New(pool).EnsureTaskQueue(ctx, "orders"); err != nil {
		log.Fatal(err)
	}

	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		return pgmq.Send(ctx, tx, "orders", messaging.Message{Body: json.RawMessage(`{"cents": 1299}`)})
	})
	fmt.Println(err)
	// Output: <nil>
}
