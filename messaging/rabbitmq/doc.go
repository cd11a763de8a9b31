// Package rabbitmq is messaging over RabbitMQ 3.10 and newer.
//
//	queue, err := rabbitmq.Open(ctx, rabbitmq.Config{
//		Config: messaging.Config{Name: "orders"},
//		URL:    "amqps://user:password@broker/vhost",
//	})
//
// A queue is a quorum queue, so its messages survive the loss of a node. Send returns when the broker has confirmed
// every message. Receive is a consumer that lives as long as the call and may hold no more messages than were asked for
// (prefetch), so a receiver never hoards work of others.
//
// RabbitMQ has no leases: a message belongs to its connection until that ends. The lease is kept here, by a timer that
// gives the message back. If the process dies, the broker gives it back at once. The broker's own limit, consumer_timeout
// (30 minutes unless it is configured otherwise), bounds how far a lease can be extended.
//
// A lost connection is opened again, after 50 ms and then ever longer waits. Whatever was received over it comes again.
package rabbitmq
