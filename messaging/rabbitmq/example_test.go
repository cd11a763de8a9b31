package rabbitmq_test

import (
	"context"
	"crypto/tls"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
	"github.com/pgtasker/pgtasker/worker"
)

// The same interface as over pgmq: all else of a program stays as it is.
func Example() {
	ctx := context.Background()

	var queue messaging.Queue
	queue, err := rabbitmq.Open(ctx, rabbitmq.Config{
		Config: messaging.Config{Name: "orders"},
		URL:    os.Getenv("AMQP_URL"), // amqps://user:password@broker/vhost
		TLS:    &tls.Config{MinVersion: tls.VersionTLS13},
	})
	if err != nil {
		return
	}
	_ = queue.Close()
}

// A worker that takes the steps of namespaces with transport broker from RabbitMQ.
func Example_worker() {
	var pool *pgxpool.Pool

	w, err := worker.New(pool, worker.Config{
		Broker: func(ctx context.Context, config messaging.Config) (messaging.Queue, error) {
			return rabbitmq.Open(ctx, rabbitmq.Config{
				Config: config,
				URL:    os.Getenv("AMQP_URL"), // amqps://user:password@broker/vhost
				TLS:    &tls.Config{MinVersion: tls.VersionTLS13},
			})
		},
	})
	if err != nil {
		return
	}
	_ = w.Run(context.Background())
}
