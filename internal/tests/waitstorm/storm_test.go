package waitstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// These are the templates of tasks whose timeout comes when the test moves the clock, and of tasks whose timeout races with
// their signal.
const order = `{"namespace": "storm", "name": %q, "identity_strategy": "caller_provided", "steps": [
	{"name": "check"},
	{"name": "approve", "dependencies": ["check"], "await": [{"signal": "approved"}, {"signal": "rejected"}],
	 "timeout": %q, "on_timeout": "complete"},
	{"name": "ship", "dependencies": ["approve"]}]}`

// kinds lists the kinds of tasks, in turns: a signal that creates the task, no signal, a signal once the step waits, and a
// signal at about the same time as the timeout.
var kinds = []string{"early", "never", "late", "race"}

const (
	workers = 3
	senders = 6
)

// storm is one run. PGTASKER_STORM_TASKS and PGTASKER_STORM_KILLS make it longer.
type storm struct {
	*testing.T
	pool    *pgxpool.Pool
	server  *pgserver.Server
	tasks   int
	answers [5]atomic.Int64 // by their index in answered
}

var answered = []executor.Delivery{executor.Delivered, executor.Kept, executor.Repeated, executor.Ended, "failed"}

func TestStorm_EverySignalHasOneEffect(t *testing.T) {
	tasks, kills := pgtest.Number("PGTASKER_STORM_TASKS", 200), pgtest.Number("PGTASKER_STORM_KILLS", 4)
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(14))
	s := &storm{T: t, pool: pool, server: server, tasks: tasks}
	e := direct.New(pool)
	for name, timeout := range map[string]string{"order": "1d", "race": "0.6s"} {
		_, err := e.RegisterTaskTemplate(t.Context(), fmt.Appendf(nil, order, name, timeout))
		require.NoError(t, err)
	}
	// A lost worker must not change how a step ends.
	_, err := e.SetSetting(t.Context(), "max_lost", new("10000"))
	require.NoError(t, err)
	s.moveClock("0")

	ctx, stop := context.WithTimeout(t.Context(), 40*time.Minute)
	defer stop()
	began := time.Now()
	working, done := context.WithCancel(ctx)
	var others, sending sync.WaitGroup
	lost := make(chan struct{})
	for range workers {
		others.Go(func() { s.work(working, lost) })
	}
	for range 2 {
		others.Go(func() { s.answerInbox(working) })
	}
	numbers := make(chan int)
	for range senders {
		sending.Go(func() {
			for i := range numbers {
				s.begin(ctx, i)
			}
		})
	}
	for i := range tasks {
		if kills > 0 && i > 0 && i%max(tasks/(kills+1), 1) == 0 {
			s.kill(ctx, i/max(tasks/(kills+1), 1), lost)
		}
		numbers <- i
	}
	close(numbers)
	sending.Wait()
	s.until(ctx, "what gets a signal ends, and what gets none waits", fmt.Sprintf(`
		select count(*) = %d and count(*) = count(*) filter (where t.suspended_steps = 1 and t.tags @> '{never}')
		  from tasker.tasks as t where not t.complete`, (tasks+2)/len(kinds)))
	// The timeouts become due.
	s.moveClock("2 days")
	s.until(ctx, "every task ends", "select not exists (select from tasker.tasks as t where not t.complete)")
	done()
	others.Wait()
	s.pool.Reset() // it may hold sessions that the storm ended
	for i, answer := range answered {
		t.Logf("%s: %d", answer, s.answers[i].Load())
	}
	t.Logf("%d tasks, %d kills, in %s", tasks, kills, time.Since(began).Round(time.Second))
	s.requireOutcome()
	require.Positive(t, replaytest.Recorded(t, s.pool))
}

// moveClock sets how far the engine's clock is ahead of the server's.
func (s *storm) moveClock(ahead string) {
	s.Helper()
	again(s.Context(), func() error {
		_, err := s.pool.Exec(s.Context(), fmt.Sprintf(`
			create or replace function tasker.clock() returns timestamptz language sql stable
			begin atomic
			  select statement_timestamp() + interval '%[1]s';
			end;
			create or replace function tasker.write_clock() returns timestamptz language sql volatile
			begin atomic
			  select clock_timestamp() + interval '%[1]s';
			end;
			select from tasker.note_objects()`, ahead))
		return err
	})
}

func (s *storm) until(ctx context.Context, what, sql string) {
	s.Helper()
	require.Eventually(s, func() (holds bool) {
		err := s.pool.QueryRow(ctx, sql).Scan(&holds)
		return err == nil && holds
	}, 10*time.Minute, 100*time.Millisecond, what)
}

// kill crashes the server, or makes a worker abandon its steps and terminates some sessions.
func (s *storm) kill(ctx context.Context, no int, lost chan<- struct{}) {
	s.Helper()
	if no%2 == 1 {
		require.NoError(s, s.server.Crash(ctx))
		return
	}
	select {
	case lost <- struct{}{}:
	case <-ctx.Done():
	}
	again(ctx, func() error {
		_, err := s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 4`)
		return err
	})
}

func keyOf(i int) executor.TaskKey {
	kind, name := kinds[i%len(kinds)], "order"
	if kind == "race" {
		name = "race"
	}
	return executor.TaskKey{Namespace: "storm", Name: name, IdentityKey: fmt.Sprint(i)}
}

// signalOf returns the signal of a task.
func signalOf(i int) executor.Signal {
	return executor.Signal{Name: []string{"approved", "rejected"}[i/len(kinds)%2], Payload: fmt.Appendf(nil, `{"i": %d}`, i), IdempotencyKey: "evt"}
}

// tagsOf returns the tags that identify a task in the inbox.
func tagsOf(i int) []string { return []string{kinds[i%len(kinds)], fmt.Sprint("i", i)} }

// begin creates a task, by its signal if that is early, and sends the signal that races with a timeout.
func (s *storm) begin(ctx context.Context, i int) {
	key, kind := keyOf(i), kinds[i%len(kinds)]
	if kind != "early" {
		again(ctx, func() error {
			_, err := direct.New(s.pool).CreateTask(ctx, executor.TaskRequest{
				Namespace: key.Namespace, Name: key.Name, IdentityKey: key.IdentityKey, TaskOptions: executor.TaskOptions{Tags: tagsOf(i)},
			})
			return err
		})
	}
	if kind == "early" {
		s.send(ctx, i)
	}
}

// send sends a task its signal until it has three answers.
func (s *storm) send(ctx context.Context, i int) {
	for range 3 {
		again(ctx, func() error {
			answer, err := direct.New(s.pool).SendSignalByKey(ctx, keyOf(i), signalOf(i), &executor.SignalStart{Tags: tagsOf(i)})
			said := answer.Answer
			if err != nil {
				said = "failed"
			}
			s.answers[slices.Index(answered, said)].Add(1)
			return err
		})
	}
}

// answerInbox sends late signals, to the steps that wait.
func (s *storm) answerInbox(ctx context.Context) {
	var after *executor.WaitFilter
	for ctx.Err() == nil {
		filter := executor.WaitFilter{Namespace: "storm", Limit: 500}
		if after != nil {
			filter = *after
		}
		waits, err := direct.New(s.pool).ListWaits(ctx, filter)
		after = nil
		if err != nil || len(waits) == 0 {
			pause(ctx)
			continue
		}
		for _, w := range waits {
			if w.Tags[0] != "never" {
				i, err := strconv.Atoi(w.Tags[1][1:])
				if err == nil {
					s.send(ctx, i)
				}
			}
		}
		if len(waits) == int(filter.Limit) { // The other waits come behind the waits that get no signal.
			filter.After = &waits[len(waits)-1]
			after = &filter
		}
	}
}

// again repeats a call until it returns no error, since sessions are terminated and the server is down for a while.
func again(ctx context.Context, call func() error) {
	for ctx.Err() == nil {
		if call() == nil {
			return
		}
		pause(ctx)
	}
}

// pause keeps loops that have nothing to do, or no server, from using the CPU.
func pause(ctx context.Context) {
	select {
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
	}
}

// work claims and completes steps. A lost step is claimed again when its lease has ended.
func (s *storm) work(ctx context.Context, lost <-chan struct{}) {
	var held []direct.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		select {
		case <-lost: // Another worker replaces it.
			held, worker = nil, uuid.New()
		default:
		}
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 5, Lease: 2 * time.Second},
		})
		if err != nil {
			pause(ctx)
			continue
		}
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		if len(held) == 0 {
			pause(ctx)
		}
	}
}

func (s *storm) requireOutcome() {
	s.Helper()
	count := func(sql string) (n int) {
		s.Helper()
		require.NoError(s, s.pool.QueryRow(s.Context(), sql).Scan(&n))
		return n
	}
	require.Equal(s, s.tasks, count("select count(*) from tasker.tasks where state = 'complete'"), "every task is complete once")
	require.Zero(s, count("select count(*) from tasker.waits"))
	require.Zero(s, count("select count(*) from tasker.timers"))
	require.Zero(s, count("select count(*) from (select from tasker.task_signals group by task_uuid having count(*) > 1) as g"),
		"a key makes one signal")
	require.Zero(s, count(`
		select count(*)
		  from tasker.workflow_steps as s
		  left join tasker.task_signals as g on g.task_uuid = s.task_uuid and g.step_no = s.step_no
		 where s.name = 'approve'
		   and (s.results ->> 'by' = 'signal') <> (g.task_uuid is not null)`), "a signal that was taken ended the wait, and no other did")
	require.Zero(s, count(`
		select count(*) from tasker.workflow_steps as s
		 where s.name = 'approve'
		   and (select count(*) from tasker.workflow_step_transition_log as l
		         where l.task_uuid = s.task_uuid and l.step_no = s.step_no and l.to_state = 'complete') <> 1`), "each wait ended once")
	s.requireModel()
	require.Zero(s, count("select count(*) from tasker.check_integrity()"))
}

// requireModel checks every task against the rules of its kind.
func (s *storm) requireModel() {
	s.Helper()
	rows, err := s.pool.Query(s.Context(), `
		select t.tags, s.results - 'sent_at' from tasker.tasks as t join tasker.workflow_steps as s on s.task_uuid = t.task_uuid and s.name = 'approve'`)
	require.NoError(s, err)
	defer rows.Close()
	ended := map[string]int{}
	for rows.Next() {
		var tags []string
		var raw json.RawMessage
		require.NoError(s, rows.Scan(&tags, &raw))
		i, err := strconv.Atoi(tags[1][1:])
		require.NoError(s, err)
		g := signalOf(i)
		bySignal := fmt.Sprintf(`{"by": "signal", "name": %q, "payload": %s}`, g.Name, g.Payload)
		want := bySignal
		if byTime := `{"by": "timeout"}`; tags[0] == "never" || tags[0] == "race" && string(raw) == byTime {
			want = byTime
		}
		require.JSONEq(s, want, string(raw), "task %d, %s", i, tags[0])
		ended[tags[0]+" "+map[bool]string{true: "by signal", false: "by time"}[want == bySignal]]++
	}
	require.NoError(s, rows.Err())
	s.Log(ended)
}
