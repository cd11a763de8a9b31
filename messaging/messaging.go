package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

var (
	// ErrExpired says that a delivery is no longer the receiver's: its lease has ended, its connection was lost, or
	// it was acknowledged or refused before. The message may come again.
	ErrExpired = errors.New("the delivery has expired")
	// ErrInvalid says that a message, a queue's configuration or another argument can never be accepted.
	ErrInvalid = errors.New("invalid")
	// ErrClosed says that the queue was closed by its user.
	ErrClosed = errors.New("the queue is closed")
)

// Queue is one queue of a broker, as one process uses it. All methods may be called by several goroutines at once.
type Queue interface {
	// Send sends messages in this order, and returns when the broker keeps them. After an error any of them may have
	// been sent.
	Send(ctx context.Context, messages ...Message) error
	// Receive waits for messages and returns at least one and at most so many, from 1 to [MaxBatch]. The error is
	// that of ctx if that ends first: then no message was taken. Connections that are lost meanwhile are opened again.
	Receive(ctx context.Context, most int) ([]Delivery, error)
	// Acknowledge tells the broker that a message was dealt with: it is not delivered again.
	Acknowledge(ctx context.Context, delivery Delivery) error
	// Refuse gives a message back, to be delivered again, soon and perhaps to the same receiver.
	Refuse(ctx context.Context, delivery Delivery) error
	// Extend makes the lease of a delivery end so long after now, instead of when it would have.
	Extend(ctx context.Context, delivery Delivery, lease time.Duration) error
	// Depth returns how many messages could be received now. Messages that are received already do not count.
	Depth(ctx context.Context) (int64, error)
	// Close ends all goroutines and connections that the queue has for itself. A message that was received and not
	// acknowledged comes again, at the latest when its lease ends. Calls that are under way return ErrClosed.
	Close() error
}

const (
	// MaxBody is how large the body of a message may be, in bytes.
	MaxBody = 1 << 20
	// MaxHeaders is how large names and values of a message's headers may be together, in bytes.
	MaxHeaders = 8 << 10
	// MaxBatch is how many messages one call may send or receive.
	MaxBatch = 1000
	// HeaderID is the header in which brokers without ids of their own carry [Message.ID].
	HeaderID = "message_id"
)

// Message is a message to send.
type Message struct {
	// ID names the message, so that receivers recognise one that is delivered or sent again. Default: a new UUID.
	ID string
	// Body is any JSON text that PostgreSQL can store: UTF-8, without \u0000 and halves of surrogate pairs. The
	// receiver gets equal JSON, not necessarily the same bytes.
	Body json.RawMessage
	// Headers say something about the message, such as a traceparent.
	Headers map[string]string
}

// Delivery is a message that was received.
type Delivery struct {
	Message
	// Attempt counts the deliveries of this message, from 1.
	Attempt int
	// Receipt is how the implementation knows the delivery.
	Receipt string
}

// Open opens a queue of a broker: Open of messaging/rabbitmq or messaging/pgmq with the configuration completed.
type Open func(ctx context.Context, config Config) (Queue, error)
