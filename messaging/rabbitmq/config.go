package rabbitmq

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/pgtasker/pgtasker/messaging"
)

// Config says which queue of which broker. The queue's name and the address are needed.
type Config struct {
	messaging.Config
	// URL is the broker's address, amqp://user:password@host:port/vhost, or amqps:// for TLS.
	URL string
	// TLS configures connections to an amqps address: own certificate authorities, client certificates. Default: the
	// system's authorities, and the host's name in the address.
	TLS *tls.Config
	// Dial opens a network connection. Default: that of a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// MaxReconnectDelay bounds the wait before connecting again, which begins at 50 ms and doubles. Default: 5 s.
	MaxReconnectDelay time.Duration
	// Logger receives lost connections. Default: slog.Default().
	Logger *slog.Logger
}

const (
	firstReconnectDelay = 50 * time.Millisecond
	// shakeWithin is how long connecting may take, with TLS and AMQP.
	shakeWithin = 15 * time.Second
	closeWithin = 5 * time.Second
	heartbeat   = 10 * time.Second
)

func (c Config) complete() (Config, error) {
	complete, err := c.Complete()
	if err != nil {
		return c, err
	}
	c.Config = complete
	if _, err := amqp.ParseURI(c.URL); err != nil {
		// The address has a password, and the parser's error the address.
		return c, fmt.Errorf("the address of the broker cannot be read: %w", messaging.ErrInvalid)
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.MaxReconnectDelay <= 0 {
		c.MaxReconnectDelay = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c, nil
}

// dial connects to the broker and logs in.
func (c Config) dial(ctx context.Context) (*amqp.Connection, error) {
	return amqp.DialConfig(c.URL, amqp.Config{
		Heartbeat: heartbeat, TLSClientConfig: c.TLS,
		Dial: func(network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, shakeWithin)
			defer cancel()
			conn, err := c.Dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			// The deadline is taken back when the connection is established.
			return conn, conn.SetDeadline(time.Now().Add(shakeWithin))
		},
	})
}
