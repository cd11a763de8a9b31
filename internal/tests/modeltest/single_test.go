package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

func TestEngine_AgreesWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	setMaxLost(t, pool, maxLost)
	throwOften(t, pool)
	_, err = direct.New(pool).SetSetting(t.Context(), "kept_results", new(fmt.Sprint(maxKept)))
	require.NoError(t, err)
	prepareSQL(t, pool)

	rounds(t, 10, 4000, func(t *testing.T, seed uint64, r *rand.Rand) {
		kind := enginetest.Namespaces[r.IntN(len(enginetest.Namespaces))]
		s := newSession(t, pool, r, kind, randomTemplate(r, kind.Name, fmt.Sprintf("t%d", seed)), now)
		if r.IntN(3) == 0 {
			s.callSQL()
		}
		now = s.run(20 + r.IntN(60))
	})
	replaytest.Recorded(t, pool)
}

func newSession(t *testing.T, pool *pgxpool.Pool, r *rand.Rand, kind enginetest.Namespace, plan *template, now time.Time) *session {
	t.Helper()
	return &session{
		T: t, pool: pool, e: direct.New(pool), r: r, worker: uuid.New(),
		plan: plan, world: world{now: now, seen: map[string]int{}},
	}
}

// run makes the given number of calls, and then brings all tasks to their end. It returns the time at the end.
func (s *session) run(calls int) time.Time {
	s.Helper()
	defer func() {
		if s.Failed() {
			for _, line := range s.story {
				s.Log(line)
			}
		}
	}()
	_, err := s.e.RegisterTaskTemplate(s.Context(), s.plan.json())
	require.NoError(s, err)
	s.say("template %s", s.plan.json())
	s.setLimits()
	s.create()
	for range calls {
		s.step()
	}
	s.drain()
	return s.now
}

func setMaxLost(t *testing.T, pool *pgxpool.Pool, most int) {
	t.Helper()
	_, err := direct.New(pool).SetSetting(t.Context(), "max_lost", new(fmt.Sprint(most)))
	require.NoError(t, err)
}

// session runs the engine and the model side by side.
type session struct {
	*testing.T
	world
	pool   *pgxpool.Pool
	e      *direct.Executor
	r      *rand.Rand
	worker uuid.UUID
	plan   *template
	claims []claim // all claims so far
	known  bool    // the worker has claimed
	story  []string
}

func (s *session) say(format string, args ...any) {
	s.story = append(s.story, fmt.Sprintf(format, args...))
}

// step makes one random call, and compares.
func (s *session) step() {
	s.Helper()
	chance := s.r.IntN(136)
	if s.plan.events && s.r.IntN(2) == 0 {
		chance = []int{0, 104, 104, 104, 124, 124, 124}[s.r.IntN(7)]
	}
	if s.plan.sql && s.r.IntN(2) == 0 {
		if len(s.tasks) < 3 {
			s.create()
		}
		s.runSQL()
		s.compare()
		return
	}
	switch {
	case chance >= 124:
		s.emit()
	case chance >= 104:
		s.function()
	case chance >= 100:
		name, places := limitNames[s.r.IntN(len(limitNames))], s.randomPlaces()
		if key := chance - 101; key >= 0 {
			s.setLimitKey(limitKey{name, tenants[key]}, places)
		} else {
			s.setLimit(name, places)
		}
	case chance < 20:
		s.claim(1+s.r.IntN(4)*s.r.IntN(4), nil, nil)
	case chance < 38:
		s.report(s.held(), false)
	case chance < 47:
		s.report(s.held(), true)
	case chance < 51:
		s.report(s.old(), s.r.IntN(2) == 0)
	case chance < 55:
		s.pass(time.Duration(1+s.r.IntN(20)) * time.Second)
	case chance < 58:
		s.pass(time.Duration(30+s.r.IntN(60)) * time.Second)
	case chance < 61:
		s.keep()
	case chance < 64:
		s.release()
	case chance < 71:
		s.orchestrate()
	case chance < 74:
		s.addSteps()
	case chance < 76:
		s.pause()
	case chance < 87:
		s.operate()
	case chance < 98:
		s.signal()
	case len(s.tasks) < 3:
		s.create()
	}
	s.compare()
}

func (s *session) create() {
	s.Helper()
	request := executor.TaskRequest{Namespace: s.plan.namespace, Name: s.plan.name}
	m := newTask(s.plan, func() time.Time { return s.now })
	if s.plan.keyed {
		m.key = fmt.Sprintf("%s-%d", s.plan.name, len(s.tasks))
		request.IdentityKey = m.key
	}
	if s.r.IntN(4) > 0 {
		m.at = s.now.Add(time.Duration(s.r.IntN(100)-20) * time.Second)
	}
	m.tenant = tenants[s.r.IntN(len(tenants))]
	request.Context = m.context()
	switch s.r.IntN(5) {
	case 0:
		request.Deferred, m.awaits = true, true
	case 1:
		request.StartAt = s.now.Add(time.Duration(1+s.r.IntN(60)) * time.Second)
		m.startAt = request.StartAt
	}
	if s.r.IntN(5) == 0 {
		request.Deadline = s.now.Add(time.Duration(61+s.r.IntN(300)) * time.Second)
		m.deadline, m.due = request.Deadline, request.Deadline
	}
	s.say("create deferred %v start %s deadline %s", request.Deferred, request.StartAt, request.Deadline)
	made, err := s.e.CreateTask(s.Context(), request)
	require.NoError(s, err)
	m.id = made.TaskUUID
	if !m.awaits && m.startAt.IsZero() {
		m.advance(s.now)
	}
	s.tasks = append(s.tasks, m)
}

// held returns some of the workers' claims that are current in the model.
func (s *session) held() (held []claim) {
	for _, c := range s.claims {
		if isSQL(s.world.step(c).handler) {
			continue
		}
		if alive, _ := s.holds(c); alive && s.r.IntN(4) > 0 {
			held = append(held, c)
		}
	}
	return held
}

// old returns any claims, at most one for each step. They include claims of SQL steps whose attempts have not run
// yet.
func (s *session) old() (old []claim) {
	for _, i := range s.r.Perm(len(s.claims))[:min(len(s.claims), 4)] {
		c := s.claims[i]
		if !slices.ContainsFunc(old, func(o claim) bool { return o.task == c.task && o.step == c.step }) {
			old = append(old, c)
		}
	}
	return old
}

func (s *session) stepID(c claim) uuid.UUID { return stepID(s.tasks[c.task].id, c.step) }

func stepID(task uuid.UUID, n int) uuid.UUID {
	task[14], task[15] = byte((n+1)>>8), byte(n+1)
	return task
}

func (s *session) stepClaims(claims []claim) []direct.StepClaim {
	list := make([]direct.StepClaim, len(claims))
	for i, c := range claims {
		list[i] = direct.StepClaim{StepUUID: s.stepID(c), ClaimNo: int32(c.no)}
	}
	return list
}

// claim claims steps. Given results, it reports them in the same call, and passes the answers to answered.
func (s *session) claim(limit int, results []direct.StepResult, answered func([]gen.StepAnswer)) {
	s.Helper()
	lease := time.Duration(30+s.r.IntN(60)) * time.Second
	request := direct.ClaimRequest{WorkerUUID: s.worker, Limit: limit, Lease: lease}
	if s.r.IntN(3) == 0 {
		request.Namespaces = []string{s.plan.namespace}
	}
	if s.r.IntN(4) == 0 {
		request.Handlers = []string{[]string{"a", "b"}[s.r.IntN(2)]}
	}
	if s.r.IntN(4) == 0 {
		request.RequestUUID = uuid.New()
	}
	if s.lostElsewhere(request.Handlers) || s.dueElsewhere() {
		s.say("orchestrate, since a place is lost or a timer is due elsewhere")
		_, err := s.e.Orchestrate(s.Context(), 1000)
		require.NoError(s, err)
		s.world.orchestrate()
	}
	begun := s.begun() // A later call matches the steps that this call lets wait.
	s.say("claim %+v", request)
	var reply direct.ExchangeReply
	var err error
	exchange := direct.Exchange{Results: results, ClaimRequest: request}
	exchanged := results != nil || s.r.IntN(2) == 0
	var waiting []claim
	if exchanged {
		if s.r.IntN(2) == 0 {
			exchange.Ahead, waiting = s.r.IntN(limit+1), s.held()
			exchange.Waiting = []uuid.UUID{}
			for _, c := range waiting {
				exchange.Waiting = append(exchange.Waiting, s.stepID(c))
			}
			s.say("  ahead %d waiting %v", exchange.Ahead, waiting)
		}
		reply, err = s.e.ExchangeSteps(s.Context(), exchange)
	} else {
		reply.Claimed, err = s.e.ClaimSteps(s.Context(), request)
	}
	require.NoError(s, err)
	if answered != nil {
		answered(reply.Answers)
	}
	if limit == 0 {
		require.Empty(s, reply.Claimed)
		if exchange.Waiting != nil && s.known {
			s.wait(waiting)
		}
		return
	}

	s.beforeClaim(request.Handlers, limit, s.matched(begun, limit))
	ready := s.ready(request.Handlers)
	unlimited, all, free := s.room(ready)
	if s.deliversMore(unlimited, all) {
		s.deliver(100)
		ready = s.ready(request.Handlers)
		unlimited, all, free = s.room(ready)
	}
	suspects := s.suspects(ready)
	require.GreaterOrEqual(s, len(reply.Claimed), min(limit, unlimited)-suspects,
		"a claim takes at least the ready steps without a limit, but for suspects")
	require.LessOrEqual(s, len(reply.Claimed), min(limit, all), "a claim takes at most the ready steps that have room")
	before := len(s.claims)
	s.known = s.known || len(reply.Claimed) > 0
	for i, row := range reply.Claimed {
		s.started(row, ready, lease)
		if i >= limit-exchange.Ahead {
			waiting = append(waiting, s.claims[len(s.claims)-1])
		}
	}
	require.LessOrEqual(s, s.suspects(s.claims[before:]), 1, "a claim takes one suspect")
	require.LessOrEqual(s, s.youngSuspects(), 1, "a worker runs one suspect")
	s.began(before, free)
	if s.known {
		s.wait(waiting)
	}
	if left := min(limit, all) - len(reply.Claimed); left > 0 {
		s.lookAgain(left <= suspects-s.suspects(s.claims[before:]))
	}
	if exchange.Ahead > 0 && s.r.IntN(3) == 0 {
		s.pass(2 * time.Minute) // The worker is lost before it reports anything else.
		return
	}
	// A claim that found nothing is not kept. The next claim is a new claim, and may find steps that the first claim has
	// made ready.
	if request.RequestUUID != uuid.Nil && len(reply.Claimed) > 0 {
		again, err := s.e.ClaimSteps(s.Context(), request)
		require.NoError(s, err)
		require.Equal(s, len(reply.Claimed), len(again), "the same request sent again hands out the same steps")
		for i := range again {
			require.Equal(s, reply.Claimed[i].StepUUID, again[i].StepUUID)
			require.Equal(s, reply.Claimed[i].ClaimNo, again[i].ClaimNo)
		}
	}
}

// dueElsewhere reports whether a claim chooses by chance how many timers it fires. Its namespaces and all other namespaces take turns
// once a timer is a second late. A paused namespace does not count as a namespace of the claim.
func (s *session) dueElsewhere() (late bool) {
	s.Helper()
	if s.paused {
		require.NoError(s, s.pool.QueryRow(s.Context(), "select exists (select from tasker.timers as m where m.due_at < $1)", s.now.Add(-time.Second)).Scan(&late))
	}
	if late {
		s.seen["late while paused"]++
	}
	return late
}

// started checks a claimed step, and starts it in the model as well.
func (s *session) started(row gen.ClaimedStep, ready []claim, lease time.Duration) {
	s.Helper()
	at := slices.IndexFunc(ready, func(c claim) bool { return s.stepID(c) == row.StepUUID })
	require.GreaterOrEqual(s, at, 0, "step %s of %s is not ready", row.Name, row.TaskUUID)
	c := ready[at]
	s.start(c, lease)
	s.claims = append(s.claims, c)
	m, t := s.world.step(c), s.tasks[c.task]
	s.say("  claimed %d.%s no %d", c.task, m.name, c.no)
	require.EqualValues(s, m.claim, row.ClaimNo)
	require.EqualValues(s, m.attempts, row.Attempt)
	require.EqualValues(s, m.lost, row.LostCount)
	require.EqualValues(s, m.maxAttempts, row.MaxAttempts)
	require.Equal(s, m.handler, row.Handler)
	require.True(s, m.leaseUntil.Equal(row.LeaseUntil))
	requireJSON(s, m.checkpoint, row.Checkpoint)
	requireJSON(s, m.claimed(), row.Kept)
	parents := map[string]*results{}
	for _, e := range t.edges {
		if p := t.steps[e.from]; e.to == c.step && p.state.SatisfiesDependencies() {
			parents[p.name] = p.results
		}
	}
	requireJSON(s, parents, row.ParentResults)
}

func requireJSON(t require.TestingT, want any, have json.RawMessage) {
	raw, err := json.Marshal(want)
	require.NoError(t, err)
	if len(have) == 0 {
		have = json.RawMessage("null")
	}
	require.JSONEq(t, string(raw), string(have))
}

// report reports the results of these claims by one of several calls, which it chooses at random.
func (s *session) report(claims []claim, failures bool) {
	s.Helper()
	if len(claims) == 0 {
		return
	}
	mixed := s.r.IntN(3) == 0
	reports := make([]report, len(claims))
	rows := make([]direct.StepResult, len(claims))
	waits := make([]*time.Duration, len(claims))
	for i, c := range claims {
		reports[i] = report{claim: c}
		rows[i].StepClaim = s.stepClaims(claims[i : i+1])[0]
		if mixed && s.r.IntN(2) == 0 || !mixed && failures {
			reports[i].permanent = s.r.IntN(5) == 0
			rows[i].Error, rows[i].Permanent = "it went wrong", reports[i].permanent
			if s.r.IntN(3) == 0 {
				waits[i] = new(time.Duration(s.r.IntN(40)) * time.Second)
				rows[i].Backoff = waits[i]
			}
			continue
		}
		reports[i].results = new(randomResults(s.r))
		rows[i].Results = reports[i].results.json()
	}
	for _, r := range reports {
		s.say("report %d.%s no %d: %+v permanent %v", r.task, s.world.step(r.claim).name, r.no, r.results, r.permanent)
	}

	var answers []gen.StepAnswer
	var err error
	switch {
	case mixed:
		s.claim(s.r.IntN(3), rows, func(answers []gen.StepAnswer) { s.answered(reports, waits, answers) })
		return
	case failures:
		answers, err = s.e.FailSteps(s.Context(), rows)
	case len(rows) == 1 && s.r.IntN(2) == 0:
		answers, err = s.completeAlone(rows[0])
	default:
		answers, err = s.e.CompleteSteps(s.Context(), rows)
	}
	require.NoError(s, err)
	s.answered(reports, waits, answers)
}

// completeAlone records a result as a handler with a transaction does, beside a booking. If complete_steps would answer that the result is
// not recorded, complete_step raises an error with the same meaning, and the booking rolls back.
func (s *session) completeAlone(row direct.StepResult) ([]gen.StepAnswer, error) {
	tx, err := s.pool.Begin(s.Context())
	require.NoError(s, err)
	defer tx.Rollback(context.WithoutCancel(s.Context())) //nolint:errcheck // It is committed, or another error is returned.
	_, err = tx.Exec(s.Context(), "insert into modelsql.bookings (step_uuid, input) values ($1, null)", row.StepUUID)
	require.NoError(s, err)
	said, err := direct.New(tx).CompleteStep(s.Context(), row.StepUUID, row.ClaimNo, row.Results)
	var refused *executor.Error
	switch {
	case err == nil:
		require.NoError(s, tx.Commit(s.Context()))
		s.booked(row.StepUUID)
	case !errors.As(err, &refused) || refused.PgError.Code != "TK409":
		return nil, err
	case strings.HasSuffix(refused.PgError.Message, "is recorded already"):
		said = "already_complete"
	default:
		_, why, _ := strings.Cut(refused.PgError.Message, "is not recorded: ")
		said = gen.ResultAnswer(why)
	}
	return []gen.StepAnswer{{StepUUID: row.StepUUID, ClaimNo: row.ClaimNo, Answer: said}}, nil
}

// answered compares the answers to results with the model's, and adopts the time of a retry.
func (s *session) answered(reports []report, waits []*time.Duration, have []gen.StepAnswer) {
	s.Helper()
	want := s.finish(reports)
	require.Len(s, have, len(want))
	for i := range want {
		require.EqualValues(s, want[i], have[i].Answer, "answer %d", i)
		require.Equal(s, want[i] == "retrying", have[i].NextRetryAt != nil)
		if m := s.world.step(reports[i].claim); want[i] == "retrying" && m.retryAt.IsZero() {
			s.adoptRetry(m, *have[i].NextRetryAt)
			if waits[i] != nil {
				require.True(s, s.now.Add(*waits[i]).Equal(m.retryAt), "the retry is due after the wait that the worker asked for")
			}
		}
	}
}

// adoptRetry adopts the engine's time of a retry, if the engine may choose that time.
func (s *session) adoptRetry(m *step, at time.Time) {
	s.Helper()
	require.False(s, at.Before(s.now))
	longest := math.Max(math.Min(math.Pow(2, float64(m.attempts)), 60), 40)
	require.False(s, at.After(s.now.Add(time.Duration(longest*float64(time.Second)))))
	m.retryAt = at
}

func (s *session) pass(d time.Duration) {
	s.say("pass %s", d)
	now, err := enginetest.Pass(s.Context(), s.pool, d)
	require.NoError(s, err)
	s.now = now
}

// keep renews leases or saves a checkpoint.
func (s *session) keep() {
	s.Helper()
	claims := append(s.held(), s.old()...)
	slices.SortFunc(claims, func(a, b claim) int {
		return (a.task-b.task)*1000000 + (a.step-b.step)*1000 + a.no - b.no
	})
	claims = slices.CompactFunc(claims, func(a, b claim) bool { return a.task == b.task && a.step == b.step })
	if len(claims) == 0 {
		return
	}
	s.say("keep %v", claims)
	if s.r.IntN(2) == 0 {
		c := claims[s.r.IntN(len(claims))]
		n := s.r.IntN(100)
		answer, err := s.e.CheckpointStep(s.Context(), s.stepClaims([]claim{c})[0], json.RawMessage(fmt.Sprint(n)), 45*time.Second)
		require.NoError(s, err)
		alive, why := s.holds(c)
		if !alive {
			require.Equal(s, why, string(answer))
			return
		}
		require.Equal(s, gen.LeaseAnswerSaved, answer)
		s.world.step(c).checkpoint = &n
		s.renew(c, 45*time.Second)
		return
	}
	answers, err := s.e.ExtendLeases(s.Context(), s.stepClaims(claims), 50*time.Second)
	require.NoError(s, err)
	require.Len(s, answers, len(claims))
	for i, c := range claims {
		alive, why := s.holds(c)
		if !alive {
			require.EqualValues(s, why, answers[i].Answer)
			continue
		}
		require.EqualValues(s, "extended", answers[i].Answer)
		s.renew(c, 50*time.Second)
	}
}

func (s *session) release() {
	s.Helper()
	claims := s.old()
	if s.r.IntN(2) == 0 {
		claims = s.held()
	}
	if len(claims) == 0 {
		return
	}
	s.say("release %v", claims)
	answers, err := s.e.ReleaseSteps(s.Context(), s.stepClaims(claims))
	require.NoError(s, err)
	require.Len(s, answers, len(claims))
	for i, c := range claims {
		alive, why := s.holds(c)
		if !alive {
			require.EqualValues(s, why, answers[i].Answer)
			continue
		}
		require.EqualValues(s, "released", answers[i].Answer)
		m := s.world.step(c)
		m.state, m.attempts = state.StepEnqueued, m.attempts-1
	}
}

func (s *session) orchestrate() {
	s.Helper()
	var err error
	switch s.r.IntN(4) {
	case 0:
		s.say("process results")
		_, err = s.e.ProcessStepResults(s.Context(), 1000)
		s.process()
	case 1:
		s.say("fire timers")
		_, err = s.e.FireDueTimers(s.Context(), 1000)
		s.fireTimers(s.begun(), atOnce)
	case 2:
		i := s.r.IntN(len(s.tasks))
		s.say("advance task %d", i)
		_, err = s.e.AdvanceTask(s.Context(), s.tasks[i].id)
		s.tasks[i].advance(s.now)
	default:
		s.say("orchestrate")
		_, err = s.e.Orchestrate(s.Context(), 1000)
		s.world.orchestrate()
	}
	require.NoError(s, err)
}

func (s *session) addSteps() {
	s.Helper()
	i := s.r.IntN(len(s.tasks))
	m := s.tasks[i]
	if len(m.steps) > 40 {
		return
	}
	first := len(m.steps)
	plans := make([]stepPlan, first)
	for n := range plans {
		plans[n] = m.steps[n].stepPlan
	}
	edges := slices.Clone(m.edges)
	for n := range 1 + s.r.IntN(3) {
		possible := make([]int, len(plans))
		for p := range possible {
			possible[p] = p
		}
		plans = append(plans, s.maybeSQL(randomStep(s.r, fmt.Sprintf("added%d", first+n), true)))
		edges = append(edges, randomEdges(s.r, plans, possible, first+n)...)
	}
	raw, err := json.Marshal(stepsJSON(plans, edges, first))
	require.NoError(s, err)
	s.say("add to %d %s", i, raw)
	_, err = s.e.AddSteps(s.Context(), m.id, raw)
	if m.state.IsTerminal() {
		require.ErrorIs(s, err, executor.ErrConflict)
		return
	}
	require.NoError(s, err)
	for _, plan := range plans[first:] {
		m.steps = append(m.steps, step{stepPlan: plan, state: state.StepPending})
	}
	m.edges = edges
	m.touched = !m.awaits
}

func (s *session) pause() {
	s.Helper()
	var did bool
	var err error
	want := !s.paused
	if s.r.IntN(3) > 0 {
		s.say("resume")
		did, err = s.e.ResumeNamespace(s.Context(), s.plan.namespace)
		want, s.paused = s.paused, false
	} else {
		s.say("pause")
		did, err = s.e.PauseNamespace(s.Context(), s.plan.namespace)
		s.paused = true
	}
	require.NoError(s, err)
	require.Equal(s, want, did)
}

// operate makes one of an operator's calls.
func (s *session) operate() {
	s.Helper()
	i := s.r.IntN(len(s.tasks))
	m := s.tasks[i]
	n := s.r.IntN(len(m.steps))
	id := stepID(m.id, n)
	var did bool
	var err error
	var want answer
	chance := s.r.IntN(16)
	s.say("operate %d on task %d step %s", chance, i, m.steps[n].name)
	switch chance {
	case 0:
		did, err = s.e.CancelTask(s.Context(), m.id, "not wanted", "")
		want = s.cancelTask(m)
	case 1, 2, 3:
		did, err = s.e.ResetTask(s.Context(), m.id, "", "ops")
		want = s.resetTask(m)
	case 4, 5, 6:
		did, err = s.e.RetryStep(s.Context(), id, "", "")
		want = s.retryStep(m, n)
	case 7, 8:
		r := randomResults(s.r)
		did, err = s.e.CompleteStepManually(s.Context(), sqlfn.CompleteStepManuallyParams{
			StepUUID: id, Results: r.json(), Reason: "done by hand",
		})
		want = s.settleByHand(m, n, &r)
	case 9:
		did, err = s.e.ResolveStepManually(s.Context(), id, "", "")
		want = s.settleByHand(m, n, nil)
	case 10, 11, 12:
		did, err = s.e.RerunStep(s.Context(), sqlfn.RerunStepParams{StepUUID: id, Reason: "wrong", Actor: "ops"})
		want = s.rerunStep(m, n, nil)
	case 13:
		r := randomResults(s.r)
		did, err = s.e.RerunStep(s.Context(), sqlfn.RerunStepParams{StepUUID: id, Reason: "wrong", Results: r.json()})
		want = s.rerunStep(m, n, &r)
	case 14:
		did, err = s.e.GiveUpTask(s.Context(), m.id, "", "")
		want = s.giveUpTask(m)
	default:
		did, err = s.e.ResolveTaskManually(s.Context(), m.id, "", "")
		want = s.resolveTask(m)
	}
	have := answer(fmt.Sprint(did))
	if errors.Is(err, executor.ErrConflict) {
		have, err = refused, nil
	}
	require.NoError(s, err)
	s.say("  %s", have)
	require.Equal(s, want, have)
}

// compare compares every task and every step with the model.
func (s *session) compare() {
	s.Helper()
	for i, m := range s.tasks {
		detail, err := s.e.GetTask(s.Context(), m.id)
		require.NoError(s, err)
		require.Equal(s, m.state, detail.State, "state of task %d", i)
		open, active, retrying, suspended, failed := m.counters()
		require.Equal(s, [6]int{len(m.steps), open, active, retrying, suspended, failed},
			[6]int{int(detail.TotalSteps), int(detail.OpenSteps), int(detail.ActiveSteps), int(detail.RetryingSteps), int(detail.SuspendedSteps), int(detail.FailedSteps)},
			"counters of task %d", i)
		rows, err := s.e.ListSteps(s.Context(), m.id)
		require.NoError(s, err)
		require.Len(s, rows, len(m.steps))
		for n, row := range rows {
			k := &m.steps[n]
			where := fmt.Sprintf("step %s of task %d, which should be %+v", k.name, i, *k)
			require.Equal(s, k.state, row.State, where)
			total, pending, satisfied := m.parents(n)
			require.Equal(s, [3]int{total, pending, satisfied},
				[3]int{int(row.TotalParents), int(row.PendingParents), int(row.SatisfiedParents)}, where)
			require.Equal(s, [3]int{k.claim, k.attempts, k.lost}, [3]int{int(row.ClaimNo), int(row.Attempts), int(row.LostCount)}, where)
			requireJSON(s, k.results, row.Results)
			requireJSON(s, k.checkpoint, row.Checkpoint)
			if k.state == state.StepWaitingForRetry && k.retryAt.IsZero() {
				s.adoptRetry(k, *row.NextRetryAt)
			}
			if k.state == state.StepInProgress {
				require.True(s, k.leaseUntil.Equal(*row.LeaseUntil), where)
			}
		}
		s.readiness(i, m)
		s.compareSignals(i, m)
		s.compareFunctions(i, m)
	}
	s.compareWaits()
	s.compareEvents()
	s.compareBookings()
	if s.r.IntN(8) == 0 {
		s.compareDiverged()
		s.sound()
	}
}

// readiness checks that the engine has done, or is about to do, the moves that get_step_readiness_status derives.
func (s *session) readiness(i int, m *task) {
	s.Helper()
	rows, err := s.e.GetStepReadinessStatus(s.Context(), m.id, nil)
	require.NoError(s, err)
	for n, row := range rows {
		k := m.steps[n]
		where := fmt.Sprintf("step %s of task %d, which is %+v", k.name, i, k)
		require.Equal(s, m.joins(n), row.DependenciesSatisfied, where)
		if !row.ReadyForExecution {
			continue
		}
		require.False(s, s.paused, where)
		switch k.state {
		case state.StepPending:
			started := !m.startAt.IsZero() && !m.startAt.After(s.now)
			require.True(s, m.touched || m.awaits || started, "no note or timer will enqueue %s", where)
		case state.StepWaitingForRetry:
			require.False(s, k.retryAt.After(s.now) || m.halted(), where)
		default:
			require.Fail(s, "ready", where)
		}
	}
}

func (s *session) sound() {
	s.Helper()
	ids := make([]uuid.UUID, len(s.tasks))
	for i, m := range s.tasks {
		ids[i] = m.id
	}
	found, err := enginetest.Violations(s.Context(), s.pool, ids)
	require.NoError(s, err)
	require.Empty(s, found)
}

// drain brings every task to its end by workers and orchestrators, and by an operator if they cannot do it.
func (s *session) drain() {
	s.Helper()
	for _, name := range limitNames {
		s.setLimit(name, new(int32(1+s.r.IntN(3))))
	}
	for k := range s.own {
		s.dropLimitKey(k)
	}
	for turn := 0; ; turn++ {
		require.Less(s, turn, 300, "the tasks do not end")
		_, err := s.e.ResumeNamespace(s.Context(), s.plan.namespace)
		require.NoError(s, err)
		s.paused = false
		open := 0
		for _, m := range s.tasks {
			if m.state == state.TaskBlockedByFailures {
				if s.r.IntN(2) == 0 {
					_, err = s.e.ResetTask(s.Context(), m.id, "", "")
					s.resetTask(m)
				} else {
					_, err = s.e.ResolveTaskManually(s.Context(), m.id, "", "")
					s.resolveTask(m)
				}
				require.NoError(s, err)
			}
			if !m.state.IsTerminal() {
				open++
			}
		}
		if open == 0 && len(s.alone) == 0 {
			break
		}
		_, err = s.e.Orchestrate(s.Context(), 1000)
		require.NoError(s, err)
		s.world.orchestrate()
		s.compare()
		s.claim(100, nil, nil)
		s.report(s.held(), s.r.IntN(4) == 0)
		s.compare()
		for range 3 {
			if s.plan.sql {
				s.runSQL()
				s.compare()
			}
		}
		s.answerWaits()
		s.compare()
		s.pass(20 * time.Second)
	}
	// An event may have come after the end of the last wait.
	_, err := s.e.Orchestrate(s.Context(), 1000)
	require.NoError(s, err)
	s.world.orchestrate()
	s.compare()
	s.sound()
	rows, err := enginetest.Remains(s.Context(), s.pool)
	require.NoError(s, err)
	require.Zero(s, rows, "all tasks have ended, and nothing is left")
}
