package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

func nothing(context.Context, *worker.Job[none]) (none, error) { return none{}, nil }

func TestRun_WarnsOfStepsWithoutAHandler(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"pair": `[{"name": "charge"}, {"name": "notify"}, {"name": "archive"}, {"name": "approve"}]`})
	s.create("pair", `{}`)
	other := newWorker(t, s.pool, worker.Config{Name: "other"})
	worker.Handle(other, "archive", nothing)
	start(t, other)
	until(t, func() bool {
		workers, err := s.ListWorkers(t.Context(), 0)
		return err == nil && len(workers) > 0
	}, func() string { return "the other worker has not registered" })

	log := &journal{}
	w := newWorker(t, s.pool, worker.Config{Logger: log.logger(), Elsewhere: []string{"approve"}})
	worker.Handle(w, "chrage", nothing)
	worker.Handle(w, "notify", nothing)
	start(t, w)
	log.says(t, "no running worker has their handler")
	text := log.String()
	require.Contains(t, text, `level=WARN msg="steps are ready, but no running worker has their handler"`)
	require.Contains(t, text, "handler=charge namespace=shop")
	require.Contains(t, text, "nearest=chrage")
	require.NotContains(t, text, "handler=archive", "a handler of the other worker is not reported")
	require.NotContains(t, text, "handler=notify")
	require.NotContains(t, text, "handler=approve", "a handler of a step that operators complete is not reported")
}

func TestRequire_FailsAtTheStartIfAHandlerIsMissing(t *testing.T) {
	t.Parallel()
	templates, err := template.Load(strings.NewReader(`
namespace: shop
name: order
steps:
  - name: reserve
  - name: take_money
    handler: charge
    compensate: refund
    dependencies: [reserve]
  - name: deliver
    task: {name: delivery}
  - name: approve
`))
	require.NoError(t, err)
	s := open(t, nil)
	w := newWorker(t, s.pool, worker.Config{Elsewhere: []string{"approve"}})
	worker.Handle(w, "reserve", nothing)
	worker.Handle(w, "chrage", nothing)
	w.Require(templates...)
	err = w.Run(t.Context())
	require.EqualError(t, err,
		`worker: template "shop/order", step "take_money" needs handler "charge" (did you mean "chrage"?): no such handler`+"\n"+
			`worker: template "shop/order", the compensation of step "take_money" needs handler "refund": no such handler`)

	worker.Handle(w, "charge", nothing) // before Run
	worker.Handle(w, "refund", nothing)
	start(t, w)
	require.Panics(t, func() {
		until(t, func() bool { return w.Stats().Exchanges > 0 }, func() string { return "it does not run" })
		w.Require(templates...)
	})
}

func TestLog_NamesTaskTemplateStepHandlerAndAttempt(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": `[{"name": "take_money", "handler": "charge", "retry": {"max_attempts": 2}}]`})
	s.set("backoff_base", "0.001")
	log := &journal{}
	w := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
	worker.Handle(w, "charge", func(context.Context, *worker.Job[none]) (none, error) { return none{}, errors.New("502 from the bank") })
	start(t, w)
	task := s.create("order", `{}`)
	s.wait(task, state.TaskBlockedByFailures)
	who := "task=" + task.String() + " template=shop/order:0.1.0 step=take_money handler=charge attempt="
	step := " step_uuid=" + s.step(task, "take_money").WorkflowStepUUID.String()
	log.says(t, `level=INFO msg="a step failed and will be retried"`, `msg="a step failed"`,
		who+"1 max_attempts=2"+step+` error="502 from the bank"`, who+"2 max_attempts=2"+step+` error="502 from the bank"`)
}
