package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// httpWorker is a worker that the tests simulate.
type httpWorker struct {
	s     *site
	token string
	id    uuid.UUID
}

// request returns the body of an exchange. The text more adds fields to the body.
func (w httpWorker) request(more string) string {
	return fmt.Sprintf(`{"worker_uuid": %q, "namespaces": ["shop"]%s}`, w.id, more)
}

func (w httpWorker) exchange(t testing.TB, more string) (out serve.Exchanged) {
	t.Helper()
	w.s.send(t, w.token, "POST", "/v1/exchange", w.request(more)).into(t, 200, &out)
	return out
}

// poll sends an exchange that waits. It returns a channel for the answer, and a function that cuts the connection.
func (w httpWorker) poll(t testing.TB, more string) (<-chan answer, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan answer, 1)
	go func() {
		a, err := w.s.try(ctx, w.token, "POST", "/v1/exchange", w.request(more))
		if err == nil {
			answers <- a
		}
		close(answers)
	}()
	return answers, cancel
}

func newHTTPWorker(t testing.TB, s *site, name string) httpWorker {
	return httpWorker{s: s, token: s.token(t, name, "worker", "shop"), id: uuid.New()}
}

func newExchangeSite(t testing.TB) *site {
	t.Helper()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	return s
}

// awaitSleeping waits until the database has recorded that the server wants to be woken.
func (s *site) awaitSleeping(t testing.TB) {
	t.Helper()
	require.Eventually(t, func() bool {
		return query[int](t, s, "select count(*)::int from tasker.sleepers where channel = 'tasker_steps_ready.shop' and until > clock_timestamp()") > 0
	}, within, 5*time.Millisecond)
}

func result(step gen.ClaimedStep, more string) string {
	return fmt.Sprintf(`, "results": [{"step_uuid": %q, "claim_no": %d%s}]`, step.StepUUID, step.ClaimNo, more)
}

func TestExchange_RunsATaskFromItsFirstStepToItsLast(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	task := s.createTask(t, "1")
	first := w.exchange(t, `, "limit": 10, "handlers": ["a", "b"]`)
	require.Len(t, first.Claimed, 1)
	second := w.exchange(t, `, "limit": 10`+result(first.Claimed[0], `, "result": {"n": 123456789012345678901234567890, "text": "ä\u2028"}`))
	require.EqualValues(t, "completed", second.Answers[0].Answer)
	require.Equal(t, "b", second.Claimed[0].Name)
	require.Contains(t, string(second.Claimed[0].ParentResults), "123456789012345678901234567890")
	last := w.exchange(t, result(second.Claimed[0], ""))
	require.EqualValues(t, "completed", last.Answers[0].Answer)
	require.Equal(t, "complete", query[string](t, s, "select state::text from tasker.tasks where task_uuid = $1", task))

	again := w.exchange(t, result(second.Claimed[0], ""))
	require.EqualValues(t, "already_complete", again.Answers[0].Answer)
}

func TestExchange_WithResultsAnswersAtOnce(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	quickest := time.Hour // of five attempts, since the machine may be busy with other work
	for i := range 5 {
		s.createTask(t, fmt.Sprint(i))
		claimed := w.exchange(t, `, "limit": 1`).Claimed[0]
		began := time.Now()
		out := w.exchange(t, `, "limit": 1, "wait_seconds": 30, "handlers": ["none"]`+result(claimed, `, "error": "no", "permanent": true`))
		quickest = min(quickest, time.Since(began))
		require.EqualValues(t, "failed", out.Answers[0].Answer)
		require.Empty(t, out.Claimed)
	}
	require.Less(t, quickest, 100*time.Millisecond, "an exchange with results answers without waiting")
}

func TestExchange_WaitsForAStep(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	quickest := time.Hour
	for i := range 5 {
		answers, _ := w.poll(t, `, "limit": 1, "wait_seconds": 30, "handlers": ["a"]`)
		s.awaitSleeping(t)
		began := time.Now()
		s.createTask(t, fmt.Sprint(i))
		var out serve.Exchanged
		(<-answers).into(t, 200, &out)
		quickest = min(quickest, time.Since(began))
		require.Len(t, out.Claimed, 1)
	}
	require.Less(t, quickest, 100*time.Millisecond, "a waiting worker has a new step within 100 ms")
}

func TestExchange_AnswersWithNothingWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	out := newHTTPWorker(t, s, "bot").exchange(t, `, "limit": 1, "wait_seconds": 1`)
	require.Empty(t, out.Claimed)
	require.Empty(t, out.Answers)
}

// TestExchange_AClientThatHasGoneHandsItsClaimsBack cuts connections of exchanges while they claim.
func TestExchange_AClientThatHasGoneHandsItsClaimsBack(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	s.createTask(t, "1")
	step := query[uuid.UUID](t, s, "select workflow_step_uuid from tasker.workflow_steps where name = 'a'")
	// A claim locks the worker's row last, so this lock makes the claim wait.
	s.send(t, w.token, "POST", "/v1/workers", fmt.Sprintf(`{"worker_uuid": %q, "name": "x"}`, w.id)).into(t, 200, new(serve.Registered))
	tx, err := s.admin.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select from tasker.workers for update")
	require.NoError(t, err)
	answers, cut := w.poll(t, `, "limit": 1, "wait_seconds": 30`)
	require.Eventually(t, func() bool {
		return query[int](t, s, "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == 1
	}, within, 5*time.Millisecond)
	cut()
	<-answers
	time.Sleep(50 * time.Millisecond) // Wait until the server has noticed that the connection is closed.
	require.NoError(t, tx.Rollback(t.Context()))

	other := newHTTPWorker(t, s, "other")
	var out serve.Exchanged
	require.Eventually(t, func() bool {
		out = other.exchange(t, `, "limit": 1`)
		return len(out.Claimed) == 1
	}, within, 5*time.Millisecond, "long before the lease has ended")
	require.Equal(t, step, out.Claimed[0].StepUUID)
	require.EqualValues(t, 1, out.Claimed[0].Attempt)
	require.Zero(t, out.Claimed[0].LostCount)
}

func TestExchange_ANewerOneOfAWorkerEndsTheOlder(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	older, _ := w.poll(t, `, "limit": 1, "wait_seconds": 30`)
	s.awaitSleeping(t)
	newer, _ := w.poll(t, `, "limit": 1, "wait_seconds": 30`)
	var out serve.Exchanged
	(<-older).into(t, 200, &out)
	require.Empty(t, out.Claimed)
	s.createTask(t, "1")
	(<-newer).into(t, 200, &out)
	require.Len(t, out.Claimed, 1)
}

func TestExchange_SentAgainHandsOutTheSameSteps(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w, other := newHTTPWorker(t, s, "bot"), newHTTPWorker(t, s, "other")
	other.id = w.id
	s.createTask(t, "1")
	request := fmt.Sprintf(`, "limit": 1, "wait_seconds": 1, "request_uuid": %q`, uuid.New())
	first := w.exchange(t, request)
	require.Len(t, first.Claimed, 1)
	require.Equal(t, first.Claimed, w.exchange(t, request).Claimed)
	require.Empty(t, other.exchange(t, request).Claimed, "another token's worker of the same UUID is another worker")
}

func TestWorkers_BelongToTheirTokens(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w, other := newHTTPWorker(t, s, "bot"), newHTTPWorker(t, s, "other")
	other.id = w.id
	body := fmt.Sprintf(`{"worker_uuid": %q, "name": "host 1", "namespaces": ["shop"], "handlers": ["a"]}`, w.id)
	var mine, theirs serve.Registered
	s.send(t, w.token, "POST", "/v1/workers", body).into(t, 200, &mine)
	s.send(t, other.token, "POST", "/v1/workers", body).into(t, 200, &theirs)
	require.NotEqual(t, mine.WorkerUUID, theirs.WorkerUUID)
	require.Equal(t, "bot/host 1", mine.Name)
	require.Equal(t, "other/host 1", theirs.Name)
	require.True(t, mine.Registered)
	s.send(t, w.token, "POST", "/v1/workers", body).into(t, 200, &mine)
	require.False(t, mine.Registered)
}

// TestExchange_AThousandThatWaitShareTheConnections lets a thousand exchanges wait at a server with four connections, one of
// which listens. It is case A5.4.
func TestExchange_AThousandThatWaitShareTheConnections(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	s.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}
	token := s.token(t, "bot", "worker", "shop")
	const many = 1000
	answers := make(chan answer, many)
	var polling sync.WaitGroup
	defer polling.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range many {
		polling.Go(func() {
			w := httpWorker{s: s, token: token, id: uuid.New()}
			if a, err := s.try(ctx, token, "POST", "/v1/exchange", w.request(`, "limit": 1, "wait_seconds": 60, "handlers": ["a"]`)); err == nil {
				answers <- a
			}
		})
	}
	connections := func() int {
		return query[int](t, s, "select count(*)::int from pg_stat_activity where usename = $1", s.login)
	}
	require.Eventually(t, func() bool { return serve.Waiting(s.server) == many }, 3*within, 10*time.Millisecond)
	require.LessOrEqual(t, connections(), 5)
	for i := range 20 {
		s.createTask(t, fmt.Sprint(i))
	}
	taken := map[uuid.UUID]bool{}
	for range 20 {
		var out serve.Exchanged
		(<-answers).into(t, 200, &out)
		require.Len(t, out.Claimed, 1)
		taken[out.Claimed[0].StepUUID] = true
	}
	require.Len(t, taken, 20)
	require.LessOrEqual(t, connections(), 5)

	// When the token is revoked, all its waiting exchanges end.
	s.execute(t, "select tasker.revoke_token('bot')")
	for range many - 20 {
		(<-answers).problem(t, 401)
	}
}

func TestExchange_AWaitingOneEndsWhenTheServerStops(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	answers, _ := newHTTPWorker(t, s, "bot").poll(t, `, "limit": 1, "wait_seconds": 60`)
	s.awaitSleeping(t)
	s.server.Close()
	var out serve.Exchanged
	(<-answers).into(t, 200, &out)
	require.Empty(t, out.Claimed)
}

func TestExchange_NothingIsToldWithoutAToken(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	bad := httpWorker{s: s, id: uuid.New()}.request(`, "limit": -1, "lease_seconds": -5`)
	s.send(t, "tasker_x", "POST", "/v1/exchange", bad).problem(t, 401)
	reader := s.token(t, "reader", "reader", "shop")
	s.send(t, reader, "POST", "/v1/exchange", httpWorker{s: s, id: uuid.New()}.request(`, "limit": 1`)).problem(t, 403)
	worker := s.token(t, "worker", "worker", "shop")
	for _, more := range []string{
		`, "limit": -1`, `, "limit": 1, "lease_seconds": -1`, `, "limit": 1, "wait_seconds": -1`, `, "limit": 1001`, `, "limit": 1, "ahead": 2`,
		`, "results": [{"step_uuid": "00000000-0000-0000-0000-000000000000", "claim_no": 1, "error": ""}]`,
		`, "results": [{"step_uuid": "00000000-0000-0000-0000-000000000000", "claim_no": 1, "result": "\u0000"}]`,
	} {
		s.send(t, worker, "POST", "/v1/exchange", httpWorker{s: s, id: uuid.New()}.request(more)).problem(t, 422)
	}
	foreign := fmt.Sprintf(`{"worker_uuid": %q, "namespaces": ["other"], "limit": 1, "wait_seconds": 5}`, uuid.New())
	require.Contains(t, []int{403, 404}, s.send(t, worker, "POST", "/v1/exchange", foreign).status)
}

// TestExchange_ARetryThatIsDueEndsAWait lets a retry become due without a notification.
func TestExchange_ARetryThatIsDueEndsAWait(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	s.createTask(t, "1")
	claimed := w.exchange(t, `, "limit": 1`).Claimed[0]
	require.EqualValues(t, "retrying", w.exchange(t, result(claimed, `, "error": "no", "backoff_seconds": 0.25`)).Answers[0].Answer)
	out := w.exchange(t, `, "limit": 1, "wait_seconds": 30`)
	require.Len(t, out.Claimed, 1)
	require.EqualValues(t, 2, out.Claimed[0].Attempt)
	require.Equal(t, "no", *out.Claimed[0].LastError)
}

// TestWorkers_KeepWhatADurableFunctionHasDone follows the protocol of docs/durable.md.
func TestWorkers_KeepWhatADurableFunctionHasDone(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	w := newHTTPWorker(t, s, "bot")
	task := s.createTask(t, "1")
	step := w.exchange(t, `, "limit": 1`).Claimed[0]
	path := fmt.Sprintf("/v1/tasks/%s/workflow_steps/%s", task, step.StepUUID)
	call := func(name, more string) (kept gen.KeptAnswer) {
		t.Helper()
		s.send(t, w.token, "POST", path+"/"+name, fmt.Sprintf(`{"claim_no": %d%s}`, step.ClaimNo, more)).into(t, 200, &kept)
		return kept
	}
	const charge = `, "position": 1, "name": "charge", "occurrence": 1`
	require.EqualValues(t, "kept", call("kept", charge+`, "value": 123456789012345678901234567890`).Answer)
	known := call("kept", charge+`, "value": 2`)
	require.EqualValues(t, "known", known.Answer)
	require.Equal(t, "123456789012345678901234567890", string(known.Value))
	require.EqualValues(t, "suspended", call("suspend", `, "position": 2, "name": "$await.ok", "occurrence": 1, "wait": {"await": [{"signal": "ok"}]}`).Answer)
	s.execute(t, "select tasker.send_signal($1, 'ok', '7')", task)

	step = w.exchange(t, `, "limit": 1`).Claimed[0]
	require.JSONEq(t, `7`, query[string](t, s, `select $1::jsonb #>> '{results,1,value,payload}'`, string(step.Kept)))
	var page struct {
		Items      []gen.KeptDetail
		NextCursor *string `json:"next_cursor"`
	}
	s.send(t, w.token, "GET", path+"/kept?limit=1", "").into(t, 200, &page)
	require.Equal(t, "charge", page.Items[0].Name)
	s.send(t, w.token, "GET", path+"/kept?limit=1&cursor="+*page.NextCursor, "").into(t, 200, &page)
	require.Equal(t, "$await.ok", page.Items[0].Name)

	for range 2 { // the second call repeats the first, as after a lost answer
		continued := call("continue", `, "round": 0, "state": {"n": 1}`)
		require.EqualValues(t, "continued", continued.Answer)
		require.EqualValues(t, 1, *continued.Round)
	}
	var saved serve.Answer
	s.send(t, w.token, "POST", path+"/checkpoint", fmt.Sprintf(`{"claim_no": %d, "checkpoint": {"n": 2}}`, step.ClaimNo)).into(t, 200, &saved)
	require.EqualValues(t, "saved", saved.Answer)
	var leases struct{ Items []gen.StepLease }
	claims, err := json.Marshal(map[string]any{"claims": []serve.StepClaim{{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo}}})
	require.NoError(t, err)
	s.send(t, w.token, "POST", "/v1/leases", string(claims)).into(t, 200, &leases)
	require.EqualValues(t, "extended", leases.Items[0].Answer)
	var released struct{ Items []gen.StepAnswer }
	s.send(t, w.token, "POST", "/v1/releases", string(claims)).into(t, 200, &released)
	require.EqualValues(t, "released", released.Items[0].Answer)
	require.EqualValues(t, "stale", call("kept", charge+`, "value": 2`).Answer)

	next := w.exchange(t, `, "limit": 1`).Claimed[0]
	require.Equal(t, step.StepUUID, next.StepUUID)
	require.JSONEq(t, `{"n": 2}`, string(next.Checkpoint))
}

// closing is a client that has read the whole answer and closes its connection at once.
type closing struct {
	*httptest.ResponseRecorder
	close func()
}

func (c closing) Flush() { c.close() }

func TestExchange_KeepsTheClaimsOfAnAnswerThatWasWritten(t *testing.T) {
	t.Parallel()
	s := newExchangeSite(t)
	s.createTask(t, "one")
	w := newHTTPWorker(t, s, "reads-and-closes")
	ctx, cancel := context.WithCancel(t.Context())
	request := httptest.NewRequestWithContext(ctx, "POST", "/v1/exchange", strings.NewReader(w.request(`, "limit": 1`)))
	request.Header.Set("Authorization", "Bearer "+w.token)
	request.Header.Set("Content-Type", "application/json")
	recorder := closing{httptest.NewRecorder(), cancel}
	s.server.ServeHTTP(recorder, request)
	var out serve.Exchanged
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &out))
	require.Len(t, out.Claimed, 1)
	step := out.Claimed[0]
	answers := w.exchange(t, fmt.Sprintf(`, "results": [{"step_uuid": %q, "claim_no": %d, "result": 1}]`, step.StepUUID, step.ClaimNo)).Answers
	require.EqualValues(t, "completed", answers[0].Answer)
}
