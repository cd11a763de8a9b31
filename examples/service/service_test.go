package main

import (
	"context"
	"errors"
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
	return "r1", nil
}

func (b *moodyBank) Refund(_ context.Context, receipt string) error {
	b.refunded = append(b.refunded, receipt)
	return nil
}

// fixture is a service with its database.
type fixture struct {
	*testing.T
	pool *pgxpool.Pool
	w    *worker.Worker
	bank *moodyBank
}

func start(t *testing.T, bank *moodyBank) fixture {
	t.Helper()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), schema)
	require.NoError(t, err)
	w, err := newWorker(t.Context(), pool, bank)
	require.NoError(t, err)
	return fixture{t, pool, w, bank}
}

func (f fixture) ask(code int, method, path, body string) string {
	f.Helper()
	reply := httptest.NewRecorder()
	service{f.pool}.routes().ServeHTTP(reply, httptest.NewRequestWithContext(f.Context(), method, path, strings.NewReader(body)))
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
	const order = `{"number": 7, "customer": "Ada", "cents": 1299}`
	f.ask(http.StatusOK, "POST", "/orders", order)
	f.ask(http.StatusOK, "POST", "/orders", order) // sent twice it is one order
	f.ask(http.StatusConflict, "POST", "/orders/7/approval", `{"approved": true}`)

	report := f.run("7")
	require.Equal(t, []string{"reserve", "charge", "charge", "charge"}, report.Order, "the bank answers the third time")
	require.Equal(t, []string{"approve"}, report.Waiting)
	f.ask(http.StatusOK, "POST", "/orders/7/approval", `{"approved": true, "by": "Bob"}`)
	report = f.run("7")
	require.Equal(t, state.TaskComplete, report.State, report)
	require.Equal(t, "from shelf 7 to Ada, paid by r1", workertest.Result[string](t, report, "ship"))
	require.Equal(t, state.StepCancelled, report.Step(t, "refund").State)
	require.JSONEq(t, `{"state": "complete", "open_steps": 0}`, f.ask(http.StatusOK, "GET", "/orders/7", ""))
}

func TestOrder_IsRefundedIfItIsNotApproved(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	f.ask(http.StatusOK, "POST", "/orders", `{"number": 8, "customer": "Ada", "cents": 5}`)
	f.run("8")
	f.ask(http.StatusOK, "POST", "/orders/8/approval", `{"approved": false, "by": "Bob"}`)
	require.Equal(t, state.TaskComplete, f.run("8").State)
	require.Equal(t, []string{"r1"}, f.bank.refunded)
}

func TestOrder_OfACardThatIsNoneFailsAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t, &moodyBank{})
	f.ask(http.StatusOK, "POST", "/orders", `{"number": 9, "customer": "Eve", "cents": 20000}`)
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
