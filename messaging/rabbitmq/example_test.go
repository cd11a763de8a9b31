package rabbitmq_test

import (
	"context"
	"crypto/tls"
	"os"

	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
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
