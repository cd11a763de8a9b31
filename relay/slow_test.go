package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// journal is a log that tests read.
type journal struct {
	lock sync.Mutex
	text strings.Builder
}

func (j *journal) Write(line []byte) (int, error) {
	j.lock.Lock()
	defer j.lock.Unlock()
	return j.text.Write(line)
}

func (j *journal) String() string {
	j.lock.Lock()
	defer j.lock.Unlock()
	return j.text.String()
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// An endpoint that takes its time, far within its time-out, and more events than fit a lease.
func TestRun_TheEndOfItsLeaseIsNotTheEndpointsFailure(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	const steps = 30
	names := make([]string, steps)
	for i := range names {
		names[i] = fmt.Sprintf(`{"name": "s%d"}`, i)
	}
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "wide", "steps": [`+strings.Join(names, ",")+`]}`))
	require.NoError(t, err)
	var lock sync.Mutex
	posts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-time.After(100 * time.Millisecond): // the work of the endpoint
		case <-r.Context().Done():
		}
		lock.Lock()
		defer lock.Unlock()
		posts[r.Header.Get("webhook-id")]++
	}))
	t.Cleanup(server.Close)
	_, err = e.Subscribe(t.Context(), sqlfn.SubscribeParams{
		Subscription: "hook", Filter: json.RawMessage(`{"kinds": ["step"]}`),
		Target: json.RawMessage(fmt.Sprintf(`{"webhook": {"url": %q}}`, server.URL)),
	})
	require.NoError(t, err)
	_, err = e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "wide"})
	require.NoError(t, err)

	var log journal
	hook := &Webhook{Secrets: secrets, Allow: loopback, AllowHTTP: true, Timeout: 700 * time.Millisecond}
	start(t, pool, Config{Targets: map[string]Open{"webhook": hook.Open}, Lease: time.Second, Logger: log.logger()})
	require.Eventually(t, func() bool {
		lock.Lock()
		defer lock.Unlock()
		return len(posts) >= steps
	}, time.Minute, 10*time.Millisecond, "not all is delivered")
	lock.Lock()
	defer lock.Unlock()
	for id, n := range posts {
		require.Equal(t, 1, n, "event %s", id)
	}
	var list []gen.SubscriptionDetail
	require.Eventually(t, func() bool {
		list, err = e.ListSubscriptions(t.Context(), "hook")
		return err == nil && list[0].Delivered >= steps
	}, time.Minute, 10*time.Millisecond, "not all is acknowledged")
	require.Zero(t, list[0].Failures)
	require.NotContains(t, log.String(), "cannot deliver")
}

func TestWebhook_DoesNotPostAgainWhatALaterTaskHasTaken(t *testing.T) {
	t.Parallel()
	events := someEvents(2, 2)
	var lock sync.Mutex
	posts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		id := r.Header.Get("webhook-id")
		posts[id]++
		if id == events[0].EventUUID.String() && posts[id] == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	target := open(t, server.URL, nil)
	n, err := target.Deliver(t.Context(), events)
	require.Error(t, err)
	require.Zero(t, n)
	n, err = target.Deliver(t.Context(), events)
	require.NoError(t, err)
	require.Equal(t, len(events), n)
	require.Equal(t, map[string]int{
		events[0].EventUUID.String(): 2, events[1].EventUUID.String(): 1, events[2].EventUUID.String(): 1, events[3].EventUUID.String(): 1,
	}, posts)
}

func TestRun_ShortensATimeoutThatDoesNotFitItsLease(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	e := executor.New(pool)
	ends := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-ends:
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ends) })
	_, err := e.Subscribe(t.Context(), sqlfn.SubscribeParams{
		Subscription: "hook", Filter: json.RawMessage(`{"events": ["Create"]}`),
		Target: json.RawMessage(fmt.Sprintf(`{"webhook": {"url": %q}}`, server.URL)),
	})
	require.NoError(t, err)
	create(t, pool)
	var log journal
	hook := &Webhook{Secrets: secrets, Allow: loopback, AllowHTTP: true}
	start(t, pool, Config{Targets: map[string]Open{"webhook": hook.Open}, Lease: time.Second, Logger: log.logger()})
	var last string
	require.Eventually(t, func() bool {
		list, err := e.ListSubscriptions(t.Context(), "hook")
		if err == nil && list[0].LastError != nil {
			last = *list[0].LastError
		}
		return last != ""
	}, time.Minute, 10*time.Millisecond, "no failure")
	require.Contains(t, log.String(), "the time-out of its calls is shortened to four fifths of the relay's lease")
	require.Contains(t, last, "Client.Timeout exceeded", "it is the endpoint's failure then")
}

// hanging is a target that takes nothing.
type hanging struct{}

func (hanging) Deliver(ctx context.Context, _ []executor.FeedEvent) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func (hanging) Close() error { return nil }

func TestRun_ATargetThatTakesNothingWithinTheLeaseFails(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	create(t, pool)
	opens := func(context.Context, string, json.RawMessage) (Target, error) { return hanging{}, nil }
	start(t, pool, Config{Targets: map[string]Open{"rabbitmq": opens}, Lease: time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.Eventually(t, func() bool {
		list, err := executor.New(pool).ListSubscriptions(t.Context(), "made")
		return err == nil && list[0].LastError != nil && strings.Contains(*list[0].LastError, "took nothing within 900ms")
	}, time.Minute, 10*time.Millisecond, "no failure says so")
}

// The server's clock is six hours ahead of the relay's; the subscription has failed before, and its next attempt is due.
func TestRun_ComparesTimesOnTheServersClock(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	for _, clock := range []string{"clock", "write_clock"} {
		_, err := pool.Exec(t.Context(), `create or replace function tasker.`+clock+`()
			returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''6 hours'''`)
		require.NoError(t, err)
	}
	create(t, pool)
	box := newInbox()
	box.refuse = func(executor.FeedEvent) error { return errors.New("HTTP 500") }
	stop := start(t, pool, Config{Targets: map[string]Open{"rabbitmq": box.open}, Logger: slog.New(slog.DiscardHandler)})
	require.Eventually(t, func() bool {
		list, err := executor.New(pool).ListSubscriptions(t.Context(), "made")
		return err == nil && list[0].Failures > 0
	}, time.Minute, 10*time.Millisecond, "no failure")
	stop()
	well := newInbox()
	start(t, pool, Config{Targets: map[string]Open{"rabbitmq": well.open}, Logger: slog.New(slog.DiscardHandler)})
	well.await(t, 1)
}
