package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// moodyBank fails as often as it is told to.
type moodyBank struct {
	failures int
	refunded []string
}

func (b *moodyBank) Charge(_ context.Context, cents int, _ string) (string, error) {
	if cents > 10_000 {
		return "", errNoSuchCard
	}
	if b.failures--; b.failures >= 0 {
		return "", errors.New("502 from the bank")
	}
	return fmt.Sprintf("r%d", cents), nil
}

func (b *moodyBank) Refund(_ context.Context, receipt string) error {
	b.refunded = append(b.refunded, receipt)
	return nil
}

// fixture is a service with its database.
type fixture struct {
	*testing.T
	pool    *pgxpool.Pool
	service service
	w       *worker.Worker
	bank    *moodyBank
}

func start(t *testing.T, teller *moodyBank) fixture {
	t.Helper()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), schema)
	require.NoError(t, err)
	s, w, err := newService(t.Context(), pool, bank{teller})
	require.NoError(t, err)
	return fixture{t, pool, s, w, teller}
}

func (f fixture) ask(code int, method, path, body string) string {
	f.Helper()
	reply := httptest.NewRecorder()
	f.service.routes().ServeHTTP(reply, httptest.NewRequestWithContext(f.Context(), method, path, strings.NewReader(body)))
	require.Equal(f, code, reply.Code, reply.Body)
	return strings.TrimSpace(reply.Body.String())
}

func (f fixture) run(order string) workertest.Report {
	f.Helper()
	var task uuid.UUID
	require.NoError(f, f.pool.QueryRow(f.Context(), "select task_uuid from service_orders where number = $1", order).Scan(&task))
	return workertest.Run(f, f.pool, f.w, task)
}

func TestOrder_IsChargedApprovedAndShipped(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{failures: 2})
	const order = `{"number": 7, "customer": "Ada", "lines": [{"article": "book", "cents": 1200}, {"article": "pen", "cents": 99}]}`
	f.ask(http.StatusOK, "POST", "/orders", order)
	f.ask(http.StatusOK, "POST", "/orders", order) // sent twice it is one order

	report := f.run("7")
	require.Equal(t, []string{"lines", "reserve[0]", "reserve[1]", "charge", "charge", "charge"}, report.Order, "the bank answers the third time")
	require.Equal(t, []string{"approve"}, report.Waiting)
	require.Equal(t, `"delivered"`, f.ask(http.StatusOK, "POST", "/orders/7/approval", `{"approved": true, "by": "Bob"}`))
	report = f.run("7")
	require.Equal(t, state.TaskComplete, report.State, report)
	require.Equal(t, "from b, p to Ada, paid by r1299", workertest.Result[string](t, report, "ship"))
	require.Equal(t, state.StepCancelled, report.Step(t, "refund").State)
	require.JSONEq(t, `{"state": "complete", "open_steps": 0}`, f.ask(http.StatusOK, "GET", "/orders/7", ""))
	require.Equal(t, `"repeated"`, f.ask(http.StatusOK, "POST", "/orders/7/approval", `{"approved": false}`), "the first decision counts")
}

// The row and the task are written in one transaction: neither is there without the other.
func TestOrder_WithoutARowHasNoTask(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	_, err := f.pool.Exec(t.Context(), "alter table service_orders add check (customer <> 'Eve')")
	require.NoError(t, err)
	f.ask(http.StatusInternalServerError, "POST", "/orders", `{"number": 5, "customer": "Eve", "lines": []}`)
	var tasks int
	require.NoError(t, f.pool.QueryRow(t.Context(), "select count(*) from tasker.tasks").Scan(&tasks))
	require.Zero(t, tasks)
}

func TestOrder_IsRefundedIfItIsNotApproved(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	f.ask(http.StatusOK, "POST", "/orders", `{"number": 8, "customer": "Ada", "lines": [{"article": "pen", "cents": 5}]}`)
	f.ask(http.StatusOK, "POST", "/orders/8/approval", `{"approved": false, "by": "Bob"}`) // kept until the step waits
	require.Equal(t, state.TaskComplete, f.run("8").State)
	require.Equal(t, []string{"r5"}, f.bank.refunded)
}

// Three days pass without an answer.
func TestOrder_IsRefundedWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	clock := workertest.FreezeClock(t, tx, time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	task, err := f.service.order.Start(t.Context(), tx, Order{Number: 6, Lines: []Line{{"pen", 5}}}, workflow.StartOptions{Key: "6"})
	require.NoError(t, err)
	require.Equal(t, []string{"approve"}, clock.Run(f.w, task.UUID).Waiting)
	clock.Advance(72 * time.Hour)
	require.Equal(t, state.TaskComplete, clock.Run(f.w, task.UUID).State)
	require.Equal(t, []string{"r5"}, f.bank.refunded)
}

func TestOrder_OfACardThatDoesNotExistFailsAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	f.ask(http.StatusOK, "POST", "/orders", `{"number": 9, "customer": "Eve", "lines": [{"article": "car", "cents": 20000}]}`)
	report := f.run("9")
	require.Equal(t, state.TaskBlockedByFailures, report.State)
	require.Equal(t, `the task is blocked_by_failures; step "charge" has failed: no such card`, report.String())
}

func TestPriceList_HasAStepForEachArticle(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	task := uuid.MustParse(strings.Trim(f.ask(http.StatusOK, "POST", "/price-lists/today", `{"articles": 1000}`), `"`))
	begun := time.Now()
	report := workertest.Run(t, f.pool, f.w, task)
	t.Logf("%d steps in %s", len(report.Order), time.Since(begun).Round(time.Millisecond))
	require.Equal(t, state.TaskComplete, report.State, report)
	require.Len(t, report.Order, 1002)
	require.Equal(t, 100_000+999*500, workertest.Result[int](t, report, "total"))
}

func TestService_RefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	f.ask(http.StatusBadRequest, "POST", "/orders", "[")
	f.ask(http.StatusNotFound, "GET", "/orders/1", "")
	f.ask(http.StatusBadRequest, "GET", "/orders/one", "")
	f.ask(http.StatusNotFound, "POST", "/orders/1/approval", `{"approved": true}`)
}
