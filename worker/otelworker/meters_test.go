package otelworker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

func TestInstrument_MeasuresExchanges(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.register("order", `[{"name": "reserve"}, {"name": "ship", "dependencies": ["reserve"]}]`)
	w := l.newWorker(worker.Config{}, l.config())
	worker.Handle(w, "reserve", succeed)
	worker.Handle(w, "ship", succeed)
	for range 10 {
		l.create(t.Context(), "order")
	}
	stop := l.start(w)
	for range 20 {
		l.span()
	}
	stop()
	values := l.metrics()
	require.InDelta(t, 20, values["pgtasker.worker.exchange.results{}"], 0, "each result was sent once")
	require.InDelta(t, 20, values["pgtasker.worker.exchange.claimed{}"], 0)
	require.InDelta(t, w.Stats().Exchanges, values["pgtasker.worker.exchange.duration{}"], 0, "%v", values)
	for _, handler := range []string{"reserve", "ship"} {
		by := fmt.Sprintf("{pgtasker.namespace=shop,pgtasker.step.handler=%s,pgtasker.step.outcome=success}", handler)
		require.InDelta(t, 10, values["pgtasker.worker.steps"+by], 0)
	}
}

func TestInstrument_CountsLargeResultsByHandler(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.newWorker(worker.Config{}, l.config())
	worker.Handle(w, "do_work", func(context.Context, *worker.Job[json.RawMessage]) (string, error) {
		return strings.Repeat("x", 600_000), nil
	})
	l.create(t.Context(), "job")
	stop := l.start(w)
	l.span()
	stop()
	require.InDelta(t, 1, l.metrics()["pgtasker.worker.results.large{pgtasker.namespace=shop,pgtasker.step.handler=do_work}"], 0)
	require.EqualValues(t, 1, w.Stats().Large)
}

func TestInstrument_CountsARefusedExchangeByItsSQLState(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.newWorker(worker.Config{Namespaces: []string{"nowhere"}}, l.config())
	worker.Handle(w, "do_work", succeed)
	stop := l.start(w)
	const refused = "pgtasker.worker.exchange.duration{error.type=TK404}"
	late, tick := time.After(within), time.NewTicker(2*time.Millisecond)
	defer tick.Stop()
	for l.metrics()[refused] == 0 {
		select {
		case <-tick.C:
		case <-late:
			require.FailNow(t, "no exchange was refused")
		}
	}
	stop()
	require.InDelta(t, w.Stats().Exchanges, l.metrics()[refused], 0)
	require.NotContains(t, l.metrics(), "pgtasker.worker.exchange.results{}")
}

func TestInstrument_TwoWorkersShareTheirInstruments(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for range 2 {
		l.work(worker.Config{Concurrency: 1}, succeed)
	}
	for range 20 {
		l.create(t.Context(), "job")
	}
	for range 20 {
		l.span()
	}
	requireCounted(l, worker.OutcomeSuccess, 20)
}

func TestInstrument_AfterRunIsAMistakeInTheProgram(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.newWorker(worker.Config{}, l.config())
	worker.Handle(w, "do_work", succeed)
	l.create(t.Context(), "job")
	l.start(w)
	l.span() // the worker runs
	require.PanicsWithValue(t, "worker: Use after Run", func() { _ = otelworker.Instrument(w, l.config()) })
}
