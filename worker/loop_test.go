package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// desk stands for the database: it hands out steps and records results, and tests can change its replies.
type desk struct {
	mu          sync.Mutex
	ready       []uuid.UUID
	handler     func(step uuid.UUID) string
	held        map[uuid.UUID]bool
	answers     map[uuid.UUID]gen.ResultAnswer // by step; default: completed
	results     map[uuid.UUID]direct.StepResult
	requests    map[uuid.UUID][]uuid.UUID // the steps that were handed out for a request
	sizes       []string                  // results+claimed of each exchange
	calls       int
	ahead       time.Duration   // how far its clock is ahead
	lines       map[uint32]bool // the lines that the worker has
	scarce      bool            // other callers want lines
	most        int             // the most steps that the worker held at the same time
	run         *run
	resultBytes string                                     // the setting; "" is its default
	pid         uint32                                     // the process of the exchange
	told        func(pid uint32, exchange direct.Exchange) // after each exchange
	due         *time.Time
	later       *time.Time // what is due after it
	starts      []direct.StartRequest
	takes       time.Duration                        // how long an exchange lasts
	duties      int                                  // how often periodic duties were asked for
	claims      map[uuid.UUID]int32                  // how often a step was claimed
	twice       int                                  // calls that were refused, since they named a step twice
	leases      map[direct.StepClaim]gen.LeaseAnswer // default: extended

	extend        func(ctx context.Context, claims []direct.StepClaim) error
	before, after func(exchange direct.Exchange) error // after: the reply is lost
}

func newDesk(steps int) *desk {
	d := &desk{
		held: map[uuid.UUID]bool{}, answers: map[uuid.UUID]gen.ResultAnswer{}, results: map[uuid.UUID]direct.StepResult{},
		requests: map[uuid.UUID][]uuid.UUID{}, handler: func(uuid.UUID) string { return "work" },
		lines: map[uint32]bool{}, claims: map[uuid.UUID]int32{}, leases: map[direct.StepClaim]gen.LeaseAnswer{},
	}
	for range steps {
		d.ready = append(d.ready, uuid.New())
	}
	return d
}

// differ refuses a call that names a step twice, as the database does.
func (d *desk) differ(claims []direct.StepClaim) error {
	named := map[uuid.UUID]bool{}
	for _, claim := range claims {
		if named[claim.StepUUID] {
			d.twice++
			return &pgconn.PgError{Code: "TK422", Message: "a call names the same step twice"}
		}
		named[claim.StepUUID] = true
	}
	return nil
}

func (d *desk) ExchangeSteps(ctx context.Context, exchange direct.Exchange) (direct.ExchangeReply, error) {
	if d.takes > 0 {
		time.Sleep(d.takes)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.pid, _ = ctx.Value(pidKey{}).(uint32)
	if err := ctx.Err(); err != nil {
		return direct.ExchangeReply{}, err
	}
	if d.before != nil {
		if err := d.before(exchange); err != nil {
			return direct.ExchangeReply{}, err
		}
	}
	var reported []direct.StepClaim
	for _, result := range exchange.Results {
		reported = append(reported, result.StepClaim)
	}
	if err := d.differ(reported); err != nil {
		return direct.ExchangeReply{}, err
	}
	var reply direct.ExchangeReply
	for _, result := range exchange.Results {
		answer := gen.ResultAnswerCompleted
		switch {
		case d.answers[result.StepUUID] != "" && result.Error == "":
			answer = d.answers[result.StepUUID]
			if answer == "busy" {
				delete(d.answers, result.StepUUID)
			}
		case !d.held[result.StepUUID]:
			answer = "already_complete"
		case result.Error != "":
			answer = "failed"
		}
		if answer == "completed" || answer == "failed" {
			delete(d.held, result.StepUUID)
			d.results[result.StepUUID] = result
		}
		reply.Answers = append(reply.Answers, gen.StepAnswer{StepUUID: result.StepUUID, ClaimNo: result.ClaimNo, Answer: answer})
	}
	if exchange.Limit > 0 {
		given, repeated := d.requests[exchange.RequestUUID]
		if !repeated {
			var rest []uuid.UUID
			for _, step := range d.ready {
				if len(given) < exchange.Limit && slices.Contains(exchange.Handlers, d.handler(step)) {
					given = append(given, step)
				} else {
					rest = append(rest, step)
				}
			}
			d.ready, d.requests[exchange.RequestUUID] = rest, given
			for _, step := range given {
				d.claims[step]++
			}
		}
		for _, step := range given {
			d.held[step] = true
			d.most = max(d.most, len(d.held))
			reply.Claimed = append(reply.Claimed, gen.ClaimedStep{StepUUID: step, ClaimNo: d.claims[step], Handler: d.handler(step)})
		}
	}
	d.sizes = append(d.sizes, fmt.Sprintf("%d+%d", len(reply.Answers), len(reply.Claimed)))
	if d.after != nil {
		if err := d.after(exchange); err != nil {
			return direct.ExchangeReply{}, err
		}
	}
	return reply, nil
}

// StartTask hands out a step of a new task at once.
func (d *desk) StartTask(_ context.Context, request direct.StartRequest) (direct.StartedTask, error) {
	if d.takes > 0 {
		time.Sleep(d.takes)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.starts = append(d.starts, request)
	step := uuid.New()
	d.held[step] = true
	d.most = max(d.most, len(d.held))
	return direct.StartedTask{
		TaskCreation: executor.TaskCreation{Position: 1, TaskUUID: uuid.New(), Created: true},
		Claimed:      []gen.ClaimedStep{{StepUUID: step, ClaimNo: 1, Handler: "work"}},
	}, nil
}

// CreateTask creates a task whose step is ready.
func (d *desk) CreateTask(context.Context, executor.TaskRequest) (executor.TaskCreation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.ready = append(d.ready, uuid.New())
	return executor.TaskCreation{Position: 1, TaskUUID: uuid.New(), Created: true}, nil
}

func (d *desk) ReleaseSteps(_ context.Context, claims []direct.StepClaim) ([]gen.StepAnswer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if err := d.differ(claims); err != nil {
		return nil, err
	}
	answers := make([]gen.StepAnswer, len(claims))
	for i, claim := range claims {
		answers[i] = gen.StepAnswer{StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Answer: "released"}
		if d.answers[claim.StepUUID] == "busy" {
			delete(d.answers, claim.StepUUID)
			answers[i].Answer = "busy"
			continue
		}
		delete(d.held, claim.StepUUID)
		d.ready = append(d.ready, claim.StepUUID)
	}
	return answers, nil
}

func (d *desk) ExtendLeases(ctx context.Context, claims []direct.StepClaim, _ time.Duration) ([]gen.StepLease, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if d.extend != nil {
		if err := d.extend(ctx, claims); err != nil {
			return nil, err
		}
	}
	if err := d.differ(claims); err != nil {
		return nil, err
	}
	leases := make([]gen.StepLease, len(claims))
	for i, claim := range claims {
		leases[i] = gen.StepLease{StepUUID: claim.StepUUID, ClaimNo: claim.ClaimNo, Answer: cmp.Or(d.leases[claim], "extended")}
	}
	return leases, nil
}

func (d *desk) count() { d.change(func() { d.calls++ }) }

// change changes or reads the desk while a worker runs.
func (d *desk) change(what func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what()
}

func (d *desk) CheckpointStep(context.Context, direct.StepClaim, json.RawMessage, time.Duration) (gen.LeaseAnswer, error) {
	d.count()
	return "saved", nil
}

func (d *desk) AppendItems(context.Context, sqlfn.AppendItemsParams) (gen.StreamAnswer, error) {
	d.count()
	return gen.StreamAnswer{Answer: gen.LeaseAnswerSaved}, nil
}

func (d *desk) SetValue(context.Context, sqlfn.SetValueParams) (gen.StreamAnswer, error) {
	d.count()
	return gen.StreamAnswer{Answer: gen.LeaseAnswerSaved}, nil
}

func (d *desk) GetKeptResults(context.Context, uuid.UUID, int32, int32) ([]gen.KeptDetail, error) {
	d.count()
	return nil, nil
}

func (d *desk) KeepStepResult(
	_ context.Context, _ direct.StepClaim, _ direct.KeptCall, value json.RawMessage, _ string,
) (gen.KeptAnswer, error) {
	d.count()
	return gen.KeptAnswer{Answer: gen.CallAnswerKept, Value: value}, nil
}

func (d *desk) SuspendStep(context.Context, direct.StepClaim, direct.KeptCall, json.RawMessage) (gen.KeptAnswer, error) {
	d.count()
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (d *desk) SnoozeStep(context.Context, direct.StepClaim, time.Duration, string) (gen.KeptAnswer, error) {
	d.count()
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (d *desk) DivergeStep(context.Context, direct.StepClaim, int32, string) (gen.KeptAnswer, error) {
	d.count()
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (d *desk) ContinueStep(context.Context, direct.StepClaim, int32, json.RawMessage) (gen.KeptAnswer, error) {
	d.count()
	return gen.KeptAnswer{Answer: gen.CallAnswerContinued}, nil
}

func (d *desk) NextDueAt(context.Context, []string, bool) (*time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	return d.due, nil
}

func (d *desk) NextLaterAt(context.Context, []string) (*time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	return d.later, nil
}

func (d *desk) Clock(context.Context) (time.Time, error) {
	d.count()
	return time.Now().Add(d.ahead), nil
}

func (d *desk) GetSetting(context.Context, string) (string, error) {
	return cmp.Or(d.resultBytes, "1048576"), nil
}

func (d *desk) GetTask(context.Context, uuid.UUID) (executor.TaskDetail, error) {
	d.count()
	return executor.TaskDetail{}, nil
}

func (d *desk) GetAncestorResult(context.Context, uuid.UUID, string) ([]gen.ParentResult, error) {
	return nil, nil
}

func (d *desk) ListNamespaces(context.Context) ([]gen.TaskNamespace, error) { return nil, nil }

func (d *desk) ClaimDeliveredSteps(context.Context, []uuid.UUID, uuid.UUID, time.Duration) (direct.ExchangeReply, error) {
	return direct.ExchangeReply{}, nil
}

func (d *desk) DoDuties(context.Context) ([]gen.MaintenanceDuty, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.duties++; d.duties == 1 {
		return []gen.MaintenanceDuty{{Duty: "rollups"}}, nil // the worker asks at once whether more is due
	}
	return nil, nil
}

func (d *desk) ListUnservedSteps(context.Context, []string) ([]gen.UnservedStep, error) {
	return nil, nil
}

func (d *desk) GetParentResults(context.Context, uuid.UUID, int32, int32) ([]gen.ParentResult, error) {
	d.count()
	return nil, nil
}

func (d *desk) RegisterWorker(context.Context, sqlfn.RegisterWorkerParams) (bool, error) {
	d.count()
	return true, nil
}

func (d *desk) HeartbeatWorker(context.Context, uuid.UUID) (bool, error) { d.count(); return true, nil }

type pidKey struct{}

// deskLine is a line to the desk.
type deskLine struct {
	*desk
	pid uint32
}

// open opens the free line with the lowest number.
func (d *desk) open(context.Context) (line, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	pid := uint32(1)
	for d.lines[pid] {
		pid++
	}
	d.lines[pid] = true
	return &deskLine{desk: d, pid: pid}, nil
}

func (l *deskLine) ExchangeSteps(ctx context.Context, exchange direct.Exchange) (direct.ExchangeReply, error) {
	reply, err := l.desk.ExchangeSteps(context.WithValue(ctx, pidKey{}, l.pid), exchange)
	if l.told != nil {
		l.told(l.pid, exchange)
	}
	return reply, err
}

func (l *deskLine) PID() uint32 { return l.pid }

func (l *deskLine) Spare() bool { return !l.scarce }

func (l *deskLine) Release() { l.change(func() { delete(l.lines, l.pid) }) }

// bench returns a worker without a database.
func bench(t *testing.T, config Config) *Worker {
	t.Helper()
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	config.PollOnly = true
	config.Connect = func(context.Context) (*pgx.Conn, error) { panic("connects") }
	w := &Worker{config: config.withDefaults(nil), pool: &pgxpool.Pool{}, entries: map[string]*entry{}}
	for range w.config.Exchanges {
		w.uuids = append(w.uuids, uuid.New())
	}
	return w
}

// at runs a worker with a desk in a synctest bubble, and test while the worker runs; then it stops the worker. It returns
// the error of Run.
func at(t *testing.T, d *desk, config Config, handle func(w *Worker), test func(w *Worker)) (err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := bench(t, config)
		handle(w)
		entries, startErr := w.start()
		require.NoError(t, startErr)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		d.run = makeRun(ctx, w, entries, d, d.open)
		go func() { done <- d.run.run(ctx) }()
		test(w)
		cancel()
		err = <-done
	})
	return err
}

type nothing struct{}

func work(handler Handler[nothing, nothing], options ...HandlerOption) func(*Worker) {
	return func(w *Worker) { Handle(w, "work", handler, options...) }
}

func finish(context.Context, *Job[nothing]) (nothing, error) { return nothing{}, nil }

func TestLoop_ALostReplyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(10)
	lost := 0
	d.after = func(direct.Exchange) error {
		if lost++; lost%2 == 1 {
			return errors.New("connection reset by peer")
		}
		return nil
	}
	runs := 0
	var mu sync.Mutex
	require.NoError(t, at(t, d, Config{Concurrency: 4}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		mu.Lock()
		defer mu.Unlock()
		runs++
		return nothing{}, nil
	}), func(w *Worker) {
		time.Sleep(time.Minute)
		require.EqualValues(t, 10, w.Stats().Completed)
	}))
	require.Equal(t, 10, runs, "no step ran twice, none was forgotten")
	require.Len(t, d.results, 10)
	require.Empty(t, d.held)
}

func TestLoop_AnIdleWorkerSendsAResultAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(time.Microsecond) }))
	require.Equal(t, []string{"0+1", "1+0"}, d.sizes[:2])
}

func TestLoop_ManyResultsGoTogetherAndWaitAFewMillisecondsAtMost(t *testing.T) {
	t.Parallel()
	d := newDesk(2000)
	d.takes = 5 * time.Millisecond
	var last time.Time
	require.NoError(t, at(t, d, Config{Concurrency: 100, Exchanges: 2}, work(finish), func(w *Worker) {
		start := time.Now()
		for w.Stats().Completed < 2000 {
			time.Sleep(time.Millisecond)
		}
		last = time.Now()
		require.Less(t, last.Sub(start), 300*time.Millisecond)
	}))
	require.Less(t, len(d.sizes), 60, "%v", d.sizes)
}

func TestLoop_ASlowHandlerDoesNotHoldUpTheResultsOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(50)
	slow := d.ready[0]
	require.NoError(t, at(t, d, Config{Concurrency: 50, Exchanges: 1}, work(func(_ context.Context, job *Job[nothing]) (nothing, error) {
		if job.StepUUID == slow {
			time.Sleep(time.Second)
		}
		return nothing{}, nil
	}), func(w *Worker) {
		time.Sleep(gatherFor + time.Millisecond)
		synctest.Wait()
		require.EqualValues(t, 49, w.Stats().Completed)
	}))
	require.Len(t, d.results, 50, "the stop waits for the slow handler")
}

func TestLoop_ABusyTaskGetsItsResultAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(2)
	d.answers[d.ready[0]] = "busy"
	require.NoError(t, at(t, d, Config{}, work(finish), func(w *Worker) {
		time.Sleep(resendBusy / 2)
		require.EqualValues(t, 1, w.Stats().Completed)
		time.Sleep(resendBusy)
		require.EqualValues(t, 2, w.Stats().Completed)
	}))
}

// Once an answer that the worker does not know was counted as a result that came too late.
func TestLoop_AnAnswerThatItDoesNotKnowIsAnErrorAndNotARefusal(t *testing.T) {
	t.Parallel()
	for answer, known := range map[gen.ResultAnswer]bool{gen.ResultAnswerStale: true, "of_a_newer_schema": false} {
		d := newDesk(1)
		d.answers[d.ready[0]] = answer
		var out bytes.Buffer
		require.NoError(t, at(t, d, Config{Logger: slog.New(slog.NewTextHandler(&out, nil))}, work(finish), func(w *Worker) {
			time.Sleep(time.Second)
			require.Equal(t, known, w.Stats().Refused == 1, answer)
		}))
		require.Equal(t, known, !strings.Contains(out.String(), "level=ERROR"), out.String())
		require.Contains(t, out.String(), "answer="+string(answer))
	}
}

func TestLoop_OneResultThatIsRefusedDoesNotHarmTheOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(20)
	poison := d.ready[7]
	d.before = func(exchange direct.Exchange) error {
		for _, result := range exchange.Results {
			if result.StepUUID == poison && result.Error == "" {
				return &pgconn.PgError{Code: "22003", Message: "numeric field overflow"}
			}
		}
		return nil
	}
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(5 * time.Second) }))
	require.Len(t, d.results, 20)
	require.Contains(t, d.results[poison].Error, "numeric field overflow")
	require.True(t, d.results[poison].Permanent)
}

func TestLoop_ResultsAreRecordedWhileClaimsAreRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	refuse := false
	d.before = func(exchange direct.Exchange) error {
		if refuse && exchange.Limit > 0 {
			return &executor.Error{Kind: executor.ErrForbidden, PgError: &pgconn.PgError{Code: "TK403"}}
		}
		refuse = true
		return nil
	}
	require.NoError(t, at(t, d, Config{Concurrency: 3, Exchanges: 1}, work(finish), func(w *Worker) {
		time.Sleep(time.Second)
		require.EqualValues(t, 3, w.Stats().Completed)
	}))
}

func TestLoop_AnIdleWorkerMakesFewCalls(t *testing.T) {
	t.Parallel()
	for _, due := range []time.Duration{0, time.Hour, -time.Hour} {
		d := newDesk(0)
		begin := 0
		require.NoError(t, at(t, d, Config{PollInterval: defaultPoll}, work(finish), func(*Worker) {
			if due != 0 {
				at := time.Now().Add(due) // another worker's step is due then
				d.change(func() { d.due = &at })
			}
			time.Sleep(time.Minute)
			d.change(func() { begin = d.calls })
			time.Sleep(time.Minute)
			d.change(func() { begin = d.calls - begin })
		}))
		require.Less(t, begin, 60, "an idle worker makes less than one call a second, due %s", due)
	}
}

func TestLoop_SleepsUntilSomethingIsDue(t *testing.T) {
	t.Parallel()
	d := newDesk(0)
	require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(finish), func(w *Worker) {
		due := time.Now().Add(10 * time.Minute)
		d.change(func() { d.due = &due })
		time.Sleep(time.Minute)
		d.change(func() { d.ready = []uuid.UUID{uuid.New()} })
		time.Sleep(9*time.Minute - time.Second)
		require.Zero(t, w.Stats().Claimed)
		time.Sleep(2 * time.Second)
		require.EqualValues(t, 1, w.Stats().Completed)
	}))
}

// Another worker's step is ready all the time: what is due at a known time does not wait for it.
func TestLoop_SleepsUntilSomethingIsDueBesideStepsOfOtherHandlers(t *testing.T) {
	t.Parallel()
	d := newDesk(0)
	require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(finish), func(w *Worker) {
		ready, retry := time.Now(), time.Now().Add(45*time.Minute)
		d.change(func() { d.due, d.later = &ready, &retry })
		time.Sleep(45*time.Minute - time.Second) // The pauses of polls that find nothing have become long.
		d.change(func() { d.ready = []uuid.UUID{uuid.New()} })
		time.Sleep(time.Second + 10*time.Millisecond)
		require.EqualValues(t, 1, w.Stats().Completed)
	}))
}

func TestLoop_AStartedTaskRunsWhereAPlaceIsFree(t *testing.T) {
	t.Parallel()
	d := newDesk(0)
	d.takes = time.Millisecond
	require.NoError(t, at(t, d, Config{Concurrency: 2, PollInterval: time.Second}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		time.Sleep(10 * time.Second)
		return nothing{}, nil
	}), func(w *Worker) {
		time.Sleep(100 * time.Millisecond) // the first claim is back
		for range 3 {
			created, err := w.Start(context.Background(), executor.TaskRequest{Namespace: "shop", Name: "order"})
			require.NoError(t, err)
			require.True(t, created.Created)
		}
		synctest.Wait()
		require.EqualValues(t, 2, w.Stats().Running, "the third task is created, but has no place to run")
		require.Len(t, d.starts, 2)
		require.Equal(t, []string{"work"}, d.starts[0].Handlers)
		time.Sleep(30 * time.Second)
		require.EqualValues(t, 3, w.Stats().Completed, "the third task runs when a place is free")
	}))
	require.LessOrEqual(t, d.most, 2+aheadFactor*2)
	require.Empty(t, d.held)
}

func TestLoop_AStopWaitsForATaskThatIsBeingStarted(t *testing.T) {
	t.Parallel()
	d := newDesk(0)
	d.takes = time.Second
	require.NoError(t, at(t, d, Config{Concurrency: 1, PollInterval: time.Minute}, work(finish), func(w *Worker) {
		time.Sleep(3 * time.Second) // the first claim is back
		go func() { _, _ = w.Start(context.Background(), executor.TaskRequest{Namespace: "shop", Name: "order"}) }()
		synctest.Wait()
	}))
	require.Len(t, d.starts, 1)
	require.Empty(t, d.held, "the step is handed back")
}

func TestLoop_HoldsToLimitsOfHandlers(t *testing.T) {
	t.Parallel()
	d := newDesk(100)
	names := map[uuid.UUID]string{}
	for i, step := range d.ready {
		names[step] = []string{"work", "narrow"}[i%2]
	}
	d.handler = func(step uuid.UUID) string { return names[step] }
	var now, most atomic.Int64
	hold := func(context.Context, *Job[nothing]) (nothing, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(10 * time.Millisecond)
		now.Add(-1)
		return nothing{}, nil
	}
	require.NoError(t, at(t, d, Config{Concurrency: 10, Exchanges: 1}, func(w *Worker) {
		Handle(w, "work", finish)
		Handle(w, "narrow", hold, MaxRunning(3))
	}, func(w *Worker) {
		time.Sleep(time.Second)
		require.EqualValues(t, 100, w.Stats().Completed)
	}))
	require.Equal(t, "0+3", d.sizes[0], "the first claim asks for as many steps as the narrowest handler can start")
	require.EqualValues(t, 3, most.Load())
}

func TestLoop_WhatIsClaimedDuringAStopIsHandedBack(t *testing.T) {
	t.Parallel()
	d := newDesk(10)
	d.takes = time.Second
	d.answers[d.ready[4]] = "busy" // at first
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(time.Millisecond) }))
	require.Empty(t, d.held)
	require.Len(t, d.ready, 10)
}

func TestLoop_GivesUpOnADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	away := false
	d.before = func(direct.Exchange) error {
		if away {
			return errors.New("connection refused")
		}
		away = true
		return nil
	}
	var stopped time.Time
	err := at(t, d, Config{}, work(finish), func(*Worker) {
		time.Sleep(time.Hour)
		stopped = time.Now()
	})
	require.ErrorContains(t, err, "3 results could not be recorded")
	require.False(t, stopped.IsZero())
}

func TestDuties_AreDoneNowAndThen(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(2 * time.Second) }))
	require.Zero(t, d.duties, "a worker that ends at once does no duties")

	d = newDesk(1)
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(4 * time.Second) }))
	require.Equal(t, 2, d.duties, "until none is due")

	d = newDesk(1)
	require.NoError(t, at(t, d, Config{}, work(finish), func(*Worker) { time.Sleep(time.Hour) }))
	require.InDelta(t, 240, d.duties, 30, "the duties run four times a minute")

	d = newDesk(1)
	require.NoError(t, at(t, d, Config{NoMaintenance: true}, work(finish), func(*Worker) { time.Sleep(time.Hour) }))
	require.Zero(t, d.duties, "with NoMaintenance the worker does no duties")
}
