package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	beating   = "heartbeat"
	beatEvery = 15 * time.Second
	beatRetry = time.Second // doubles up to beatEvery
)

// bePresent enters the worker in the table of workers, keeps this entry fresh, and measures the difference between the clocks of the server
// and of this machine.
func (r *run) bePresent(ctx context.Context) {
	registered, retry := false, beatRetry
	unserved := unserved{warned: map[string]time.Time{}}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		var err error
		registered, err = r.beat(ctx, registered)
		timer.Reset(jittered(beatEvery))
		if err == nil {
			retry = beatRetry
			unserved.warn(ctx, r)
			continue
		}
		if pgerr.Of(err) == pgerr.Judged {
			r.watch.Failed(beating, err)
		}
		timer.Reset(jittered(retry))
		retry = min(2*retry, beatEvery)
	}
}

func (r *run) beat(ctx context.Context, registered bool) (bool, error) {
	err := r.once(ctx, beating, func(ctx context.Context) error {
		if err := r.offset.measure(ctx, r.db); err != nil {
			return err
		}
		r.noteOffset(ctx)
		if !registered {
			setting, err := r.db.GetSetting(ctx, "result_bytes")
			if err != nil {
				return err
			}
			if n, err := strconv.ParseInt(setting, 10, 64); err == nil {
				r.resultBytes.Store(n)
			}
		}
		ids := slices.Clone(r.uuids)
		if r.config.Broker != nil {
			ids = append(ids, r.courier)
		}
		for i, id := range ids {
			known := registered
			if known {
				var err error
				if known, err = r.db.HeartbeatWorker(ctx, id); err != nil {
					return err
				}
			}
			if known {
				continue
			}
			name := r.config.Name
			if i > 0 {
				name = fmt.Sprintf("%s#%d", name, i+1)
			}
			worker := sqlfn.RegisterWorkerParams{
				WorkerUUID: id, Name: name, Namespaces: r.config.Namespaces, Handlers: slices.Sorted(maps.Keys(r.entries)),
				Version: r.config.Version,
			}
			if _, err := r.db.RegisterWorker(ctx, worker); err != nil {
				return err
			}
		}
		registered = true
		return nil
	})
	return registered, err
}

// mostOffset is the largest difference between the clocks that causes no warning.
const mostOffset = 2 * time.Second

// noteOffset logs a warning when the clocks of this machine and of the database begin to differ.
func (r *run) noteOffset(ctx context.Context) {
	ahead := time.Duration(r.offset.nanoseconds.Load())
	differ := max(ahead, -ahead) > mostOffset
	if r.offset.warned.Swap(differ) || !differ {
		return
	}
	r.log.WarnContext(ctx, "the clocks of this machine and of the database differ", "database_ahead", ahead.Round(time.Second),
		"hint", "let both follow a time server; the database's clock decides when something is due")
}

// clockOffset holds how far the server's clock is ahead of the clock of this machine.
type clockOffset struct {
	nanoseconds atomic.Int64
	warned      atomic.Bool
}

func (o *clockOffset) measure(ctx context.Context, db database) error {
	before := time.Now()
	server, err := db.Clock(ctx)
	if err != nil {
		return err
	}
	o.nanoseconds.Store(int64(server.Sub(before.Add(time.Since(before) / 2))))
	return nil
}

// local converts a time of the server's clock to the clock of this machine.
func (o *clockOffset) local(t time.Time) time.Time {
	return t.Add(-time.Duration(o.nanoseconds.Load()))
}

// stepsReady is the channel on which the engine announces steps, followed by a dot and the namespace.
const stepsReady = "tasker_steps_ready."

// channelsEvery is how often the listener checks for new namespaces, and tests its connection.
const channelsEvery = 30 * time.Second

// newListener returns a listener that wakes the loop when steps are announced, and marks in the database that the worker sleeps.
func (r *run) newListener() *listen.Listener {
	return &listen.Listener{
		Connect: r.config.Connect, Channels: r.channels, PollInterval: channelsEvery, Logger: r.log,
		Hearer: listen.Func(r.hear),
		Marks:  listen.Channels{Sleeper: uuid.New(), Names: func() []string { return r.heard }},
	}
}

func (r *run) channels(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	namespaces := r.config.Namespaces
	if len(namespaces) == 0 {
		all, err := executor.New(conn).ListNamespaces(ctx)
		if err != nil {
			return nil, err
		}
		for _, n := range all {
			namespaces = append(namespaces, n.Name)
		}
	} else if err := conn.Ping(ctx); err != nil {
		return nil, err
	}
	if len(namespaces) == 0 {
		return nil, errors.New("no namespace to listen to")
	}
	channels := make([]string, len(namespaces))
	for i, namespace := range namespaces {
		channels[i] = stepsReady + namespace
	}
	r.heard = channels
	return append(slices.Clip(channels), stepsCancelled), nil
}
