package listen

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Func is called with each notification. It is called with nil whenever there may be work that no notification
// announced: when listening has begun, when an open writer has ended, and at each poll.
type Func func(notification *pgconn.Notification)

// Connected implements Hearer.
func (f Func) Connected(context.Context, *pgx.Conn) error { f(nil); return nil }

// Notified implements Hearer.
func (f Func) Notified(_ context.Context, notification *pgconn.Notification) { f(notification) }

// Polled implements Hearer.
func (f Func) Polled(context.Context, *pgx.Conn) error { f(nil); return nil }

// Due implements Hearer. Nothing is ever due.
func (f Func) Due() time.Time { return time.Time{} }

// Passed implements Hearer.
func (f Func) Passed(context.Context) {}
