package serve

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/internal/listen"
)

// stepsReady is the channel on which the engine announces steps, followed by the namespace.
const stepsReady = "tasker_steps_ready."

// listenTo starts the listener, or makes it listen to further namespaces. The caller must hold the lock.
func (p *polls) listenTo(namespaces []string) {
	if p.closed {
		return
	}
	if p.quiet != nil && len(namespaces) > 0 {
		p.quiet.Stop()
		p.quiet = nil
	}
	further := false
	for _, namespace := range namespaces {
		if channel := stepsReady + namespace; !slices.Contains(p.channels, channel) {
			p.channels = append(slices.Clip(p.channels), channel)
			further = true
		}
	}
	if p.stop == nil && len(p.channels)+len(p.hearers) > 0 {
		p.listener = p.newListener()
		ctx, cancel := context.WithCancel(context.Background())
		p.stop = cancel
		p.stopped.Go(func() { p.listener.Run(ctx) })
		return
	}
	if p.listener != nil && len(namespaces) > 0 {
		p.listener.Sleep(true)
		if further {
			p.listener.Refresh()
		}
	}
}

// fallSilent lets transactions commit without notifying, while no exchange waits.
func (p *polls) fallSilent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == 0 && p.listener != nil && !p.closed {
		p.listener.Sleep(false)
	}
}

// giveWay makes the listener give up its connection, because the login has no connection left for requests.
func (p *polls) giveWay() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		p.listener.GiveWay()
	}
}

func (p *polls) newListener() *listen.Listener {
	names := func() []string {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.channels
	}
	return &listen.Listener{
		Connect: p.config.Connect,
		Channels: func(ctx context.Context, conn *pgx.Conn) ([]string, error) {
			return append(slices.Clip(names()), stepsCancelled), conn.Ping(ctx)
		},
		PollInterval: 30 * time.Second, Logger: p.config.Logger, Hearer: listen.Func(p.hear),
		Marks: serverMarks{listen.Channels{Sleeper: uuid.New(), Names: names}},
	}
}

// serverMarks writes marks in transactions with the server's rights, since the login itself has no rights.
type serverMarks struct{ channels listen.Channels }

func (m serverMarks) MarkSleeping(ctx context.Context, conn *pgx.Conn, seconds int32) (heeded bool, err error) {
	err = onConnection(ctx, conn, func() (err error) {
		heeded, err = m.channels.MarkSleeping(ctx, conn, seconds)
		return err
	})
	return heeded, err
}

func (m serverMarks) MarkAwake(ctx context.Context, conn *pgx.Conn) error {
	return onConnection(ctx, conn, func() error { return m.channels.MarkAwake(ctx, conn) })
}

func (m serverMarks) OpenWriters(ctx context.Context, conn *pgx.Conn, writers []int64) (open []int64, err error) {
	err = onConnection(ctx, conn, func() (err error) {
		open, err = m.channels.OpenWriters(ctx, conn, writers)
		return err
	})
	return open, err
}

func onConnection(ctx context.Context, conn *pgx.Conn, f func() error) error {
	return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{BeginQuery: beginWriting}, func(pgx.Tx) error { return f() })
}
