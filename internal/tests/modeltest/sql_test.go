package modeltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

// TestSQLSteps_AgreeWithTheModelCallByCall runs the model's session with tasks whose steps are functions of the database. The functions
// return, fail, conflict with others, run into their time-outs, or are cut off with the transaction of their call. Meanwhile workers with
// transactions book beside them, and operators cancel, retry and complete steps.
func TestSQLSteps_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	setMaxLost(t, pool, maxLost)
	throwOften(t, pool)
	_, err = executor.New(pool).SetSetting(t.Context(), "kept_results", new(fmt.Sprint(maxKept)))
	require.NoError(t, err)
	prepareSQL(t, pool)

	seen := map[string]int{}
	rounds(t, 40, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		kind := enginetest.Namespaces[r.IntN(len(enginetest.Namespaces))]
		s := newSession(t, pool, r, kind, randomTemplate(r, kind.Name, fmt.Sprintf("q%d", seed)), now)
		s.seen = seen
		s.callSQL()
		now = s.run(30 + r.IntN(40))
	})
	replaytest.Recorded(t, pool)
	t.Logf("what SQL steps met: %v", seen)
	for _, kind := range []string{
		"completed", "failed", "put off", "alone", "conflict", "timed out", "rolled back", "careful", "left no record", "claim lost", "booked by a worker",
	} {
		// A single seed, given by PGTASKER_SEED, may not reach every kind.
		require.True(t, seen[kind] > 0 || os.Getenv("PGTASKER_SEED") != "", "no SQL step met the case %q", kind)
	}
}

// prepareSQL creates the function of the SQL steps. The function books, and then ends with the outcome that the model
// has chosen for the step.
func prepareSQL(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create schema modelsql;
		create table modelsql.outcomes (step_uuid uuid primary key, code text, result jsonb);
		create table modelsql.bookings (booking_no bigint generated always as identity, step_uuid uuid not null, input jsonb);
		create function modelsql.act(p_input jsonb) returns jsonb language plpgsql as $$
		declare
		  v_outcome modelsql.outcomes;
		begin
		  insert into modelsql.bookings (step_uuid, input) values ((p_input ->> 'step_uuid')::uuid, p_input);
		  select o.* into strict v_outcome from modelsql.outcomes as o where o.step_uuid = (p_input ->> 'step_uuid')::uuid;
		  if v_outcome.code = '57014' then
		    perform pg_sleep(600);
		  elsif v_outcome.code is not null then
		    raise exception using errcode = v_outcome.code, message = 'the model has chosen it';
		  end if;
		  return v_outcome.result;
		end;
		$$;
		grant usage on schema modelsql to pgtest_steps;
		grant select on modelsql.outcomes to pgtest_steps;
		grant insert on modelsql.bookings to pgtest_steps;`)
	require.NoError(t, err)
	for _, n := range enginetest.Namespaces {
		_, err = executor.New(pool).BindSQLRole(t.Context(), n.Name, pgtest.StepsRoleName, executor.By{})
		require.NoError(t, err)
	}
}

// lostCalls returns the slots whose newest call left no record, which outlive the tasks of a session.
func lostCalls(t *testing.T, pool *pgxpool.Pool) map[int]bool {
	t.Helper()
	rows, err := pool.Query(t.Context(), "select s.slot_no from tasker.sql_slots as s where tasker.sql_slot_is_lost(s)")
	require.NoError(t, err)
	slots, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(t, err)
	lost := map[int]bool{}
	for _, slot := range slots {
		lost[slot] = true
	}
	return lost
}

// callSQL makes two thirds of the steps SQL steps, also of the steps that are added later.
func (s *session) callSQL() {
	s.Helper()
	s.plan.sql, s.lost = true, lostCalls(s.T, s.pool)
	for n, step := range s.plan.steps {
		s.plan.steps[n] = s.maybeSQL(step)
	}
}

// maybeSQL makes some steps SQL. They have no limits, because the calls do not report the order in which they took free places.
func (s *session) maybeSQL(step stepPlan) stepPlan {
	if !s.plan.sql || step.wait != nil || s.r.IntN(3) == 0 {
		return step
	}
	step.handler, step.limit = "sql:"+sqlFunction, ""
	if s.r.IntN(3) == 0 {
		step.timeout = 1
	}
	return step
}

// booked counts a booking beside a result.
func (s *session) booked(id uuid.UUID) {
	for i, t := range s.tasks {
		for n := range t.steps {
			if stepID(t.id, n) == id {
				s.tasks[i].steps[n].booked++
				s.seen["booked by a worker"]++
			}
		}
	}
}

// chooseOutcomes chooses the outcome of each SQL step's function in the next call.
func (s *session) chooseOutcomes(mayTimeOut bool) map[place]outcome {
	s.Helper()
	codes := []string{"P0001", "P0001", "40001", "40001", "40P01", "55P03", "TK422", "22012", "TK409", timedOut}
	outcomes := map[place]outcome{}
	batch := &pgx.Batch{}
	batch.Queue("delete from modelsql.outcomes")
	for i, t := range s.tasks {
		for n := range t.steps {
			if !isSQL(t.steps[n].handler) {
				continue
			}
			o := outcome{results: randomResults(s.r)}
			if s.r.IntN(3) == 0 {
				o.code = codes[s.r.IntN(len(codes))]
			}
			switch timed := mayTimeOut && t.steps[n].timeout > 0; {
			case timed && s.r.IntN(5) == 0:
				o.code = timedOut
			case !timed && o.code == timedOut:
				o.code = ""
			}
			outcomes[place{i, n}] = o
			batch.Queue("insert into modelsql.outcomes values ($1, nullif($2, ''), $3)", stepID(t.id, n), o.code, o.results.json())
		}
	}
	require.NoError(s, s.pool.SendBatch(s.Context(), batch).Close())
	return outcomes
}

// sqlRows has the database's rows of SQL steps.
type sqlRows struct {
	slots    map[int]int         // how often a call in a slot has ended
	batches  int                 // the first slot that claims, which a single session takes
	claimers int                 // how many slots claim
	attempts map[uuid.UUID]alone // by step
	claims   map[uuid.UUID]int
}

// alone is a row of tasker.sql_attempts.
type alone struct {
	claim, conflicts int
	due              time.Time
	slot             *int
}

func (s *session) sqlRows(tx pgx.Tx) (have sqlRows) {
	s.Helper()
	have.slots, have.attempts, have.claims = map[int]int{}, map[uuid.UUID]alone{}, map[uuid.UUID]int{}
	rows, err := tx.Query(s.Context(), "select s.slot_no, s.alone, s.ran from tasker.sql_slots as s order by s.slot_no desc")
	require.NoError(s, err)
	var slot, ran int
	var isAlone bool
	_, err = pgx.ForEachRow(rows, []any{&slot, &isAlone, &ran}, func() error {
		have.slots[slot] = ran
		if !isAlone {
			have.batches = slot
			have.claimers++
		}
		return nil
	})
	require.NoError(s, err)
	rows, err = tx.Query(s.Context(), "select tasker.step_uuid(a.task_uuid, a.step_no), a.claim_no, a.conflicts, a.due_at, a.slot_no from tasker.sql_attempts as a")
	require.NoError(s, err)
	var id uuid.UUID
	var a alone
	_, err = pgx.ForEachRow(rows, []any{&id, &a.claim, &a.conflicts, &a.due, &a.slot}, func() error {
		have.attempts[id] = a
		return nil
	})
	require.NoError(s, err)
	ids := make([]uuid.UUID, len(s.tasks))
	for i, t := range s.tasks {
		ids[i] = t.id
	}
	rows, err = tx.Query(s.Context(), "select tasker.step_uuid(w.task_uuid, w.step_no), w.claim_no from tasker.workflow_steps as w where w.task_uuid = any ($1)", ids)
	require.NoError(s, err)
	var no int
	_, err = pgx.ForEachRow(rows, []any{&id, &no}, func() error {
		have.claims[id] = no
		return nil
	})
	require.NoError(s, err)
	return have
}

// mostMatched is the largest number of steps that a call of at most 25 steps matches with the kept events. If more steps have begun to
// wait, the engine chooses.
const mostMatched = 25 / 2

// runSQL makes a call that runs SQL steps, as a driver does. The call claims, or runs one attempt alone. Some calls are rolled back, as if
// the session or the server had ended before the commit. Their changes are lost, but the next call in their slot notices the loss.
func (s *session) runSQL() {
	s.Helper()
	if s.dueElsewhere() || len(s.begun()) > mostMatched || len(s.undelivered()) > 0 {
		s.say("orchestrate, since the claim of SQL steps would choose what it does")
		_, err := s.e.Orchestrate(s.Context(), 1000)
		require.NoError(s, err)
		s.world.orchestrate()
		s.compare()
	}
	marked, crash, limit := s.r.IntN(2) == 0, s.r.IntN(5) == 0, []int{1, 3, 25, 25}[s.r.IntN(4)]
	outcomes := s.chooseOutcomes(!crash)
	s.say("run SQL steps: alone %v, at most %d, rolled back %v: %+v", marked, limit, crash, outcomes)

	tx, err := s.pool.Begin(s.Context())
	require.NoError(s, err)
	defer tx.Rollback(s.Context()) //nolint:errcheck // It has ended, or the test has failed.
	before := s.sqlRows(tx)
	s.compareAttempts(before)
	e := executor.New(tx)
	if marked {
		chosen, err := e.BeginSQLStep(s.Context(), nil)
		require.NoError(s, err)
		require.Equal(s, len(s.eligible(before, true)) > 0, chosen, "an attempt is due")
		marked = chosen
	}
	since := time.Now()
	have, err := e.RunSQLSteps(s.Context(), int32(limit), nil)
	require.NoError(s, err)
	slow := !marked && time.Since(since) >= time.Second
	s.say("  in %s", time.Since(since))
	after := s.sqlRows(tx)
	if crash {
		require.NoError(s, tx.Rollback(s.Context()))
		for slot, ran := range after.slots {
			if ran != before.slots[slot] {
				s.lost[slot] = true
				s.seen["rolled back"]++
			}
		}
		return
	}
	require.NoError(s, tx.Commit(s.Context()))

	var did sqlRun
	if !marked {
		did = s.runBatch(limit, before.batches, outcomes, after, slow)
	}
	if !did.more() {
		did = s.runAttempt(marked, outcomes, before, after)
	}
	s.say("  %+v", did)
	require.Equal(s, did, sqlRun{completed: int(have.Completed), failed: int(have.Failed), putOff: int(have.PutOff)})
	s.adoptAttempts(after)
	if slow {
		s.catchUp()
	}
}

// catchUp does due work. A long call ends before its last claim, which would have done this work. The times of the next attempts of failed
// steps are not known yet, but they are later than now.
func (s *session) catchUp() {
	s.Helper()
	for _, t := range s.tasks {
		for n := range t.steps {
			if m := &t.steps[n]; m.state == state.StepWaitingForRetry && m.retryAt.IsZero() {
				m.retryAt = s.now.Add(time.Hour)
				defer func() { m.retryAt = time.Time{} }()
			}
		}
	}
	_, err := s.e.Orchestrate(s.Context(), 1000)
	require.NoError(s, err)
	s.world.orchestrate()
	s.seen["slow"]++
}

// runBatch repeats in the model a call that claims. The engine chooses the ready steps that the call takes, and the steps that it puts off
// if time runs out.
func (s *session) runBatch(limit, slot int, outcomes map[place]outcome, after sqlRows, slow bool) (did sqlRun) {
	s.Helper()
	careful, left := s.lost[slot], limit
	if careful {
		left = min(limit, 10)
		s.seen["careful"]++
	}
	s.lost[slot] = false
	// All claims of a call are one transaction. It matches the steps that began to wait in an earlier transaction. The notes of steps that
	// begin to wait within the call stay for a later transaction, even if a later claim of the call meets them, because the call's
	// transaction does not see events that are about to be committed.
	begun := s.begun()
	for left > 0 {
		s.beforeClaim([]string{"sql:" + sqlFunction}, left, begun)
		begun = nil
		ready := s.ready([]string{"sql:" + sqlFunction})
		taken := slices.DeleteFunc(slices.Clone(ready), func(c claim) bool { return after.claims[s.stepID(c)] < c.no })
		if !slow {
			require.GreaterOrEqual(s, len(taken), min(left, len(ready)-s.suspects(ready)), "a call takes the ready SQL steps, but for suspects: %v of %v, steps %+v", taken, ready, s.stepsOf(ready))
		}
		require.LessOrEqual(s, len(taken), left)
		require.LessOrEqual(s, s.suspects(taken), 1)
		if len(taken) == 0 {
			break
		}
		for _, c := range taken {
			s.start(c, sqlLease)
			s.claims = append(s.claims, c)
			s.say("  claimed %d.%s no %d", c.task, s.world.step(c).name, c.no)
		}
		one := s.runClaimed(taken, careful, outcomes, func(c claim) bool {
			a, put := after.attempts[s.stepID(c)]
			return slow && put && a.claim == c.no
		})
		did = sqlRun{did.completed + one.completed, did.failed + one.failed, did.putOff + one.putOff}
		// After the call the database says when another attempt is due. It is never due within the call.
		for _, c := range taken {
			if m := s.world.step(c); m.state == state.StepWaitingForRetry {
				m.retryAt = s.now.Add(time.Hour)
				defer func() { m.retryAt = time.Time{} }()
			}
		}
		left -= len(taken)
		if careful {
			break
		}
	}
	s.seen["completed"] += did.completed
	s.seen["failed"] += did.failed
	s.seen["put off"] += did.putOff
	return did
}

// stepsOf returns the steps of claims, for a message.
func (s *session) stepsOf(claims []claim) (steps []step) {
	for _, c := range claims {
		steps = append(steps, *s.world.step(c))
	}
	return steps
}

// eligible returns the attempts that a call may run. They are due and have a slot. Without a mark, the statement has no time-out that a
// step could need.
func (s *session) eligible(have sqlRows, timed bool) (list []attempt) {
	for _, a := range s.alone {
		row := have.attempts[s.stepID(a.claim)]
		if row.slot != nil && !a.due.After(s.now) && (timed || s.world.step(a.claim).timeout == 0) {
			list = append(list, a)
		}
	}
	return list
}

// runAttempt repeats in the model a call that runs an attempt alone. The engine chooses the attempt among the due attempts.
func (s *session) runAttempt(marked bool, outcomes map[place]outcome, before, after sqlRows) (did sqlRun) {
	s.Helper()
	eligible := s.eligible(before, marked)
	ran := 0
	for slot, n := range after.slots {
		if n == before.slots[slot] || slot == before.batches {
			continue
		}
		ran++
		at := slices.IndexFunc(eligible, func(a attempt) bool { return *before.attempts[s.stepID(a.claim)].slot == slot })
		require.GreaterOrEqual(s, at, 0, "the attempt in slot %d is not due", slot)
		a := eligible[at]
		s.say("  alone %d.%s no %d in slot %d", a.task, s.world.step(a.claim).name, a.no, slot)
		o := outcomes[place{a.task, a.step}]
		s.seen["alone"]++
		switch held, _ := s.holds(a.claim); {
		case s.lost[slot]:
			s.seen["left no record"]++
		case !held:
			s.seen["claim lost"]++
		case o.code == timedOut:
			s.seen["timed out"]++
		}
		did = s.runAlone(a, slot, o)
	}
	require.Equal(s, min(1, len(eligible)), ran, "a call that claims nothing runs one attempt")
	return did
}

// adoptAttempts adopts the times at which attempts are due again after a conflict, since the engine chooses these
// times.
func (s *session) adoptAttempts(have sqlRows) {
	s.Helper()
	for i := range s.alone {
		a := &s.alone[i]
		if a.due.IsZero() {
			a.due = have.attempts[s.stepID(a.claim)].due
			require.True(s, a.due.After(s.now) && a.due.Before(s.now.Add(time.Minute)), "a conflict is repeated after a short while: %s", a.due)
			s.seen["conflict"]++
		}
	}
	s.compareAttempts(have)
}

// compareAttempts compares the written attempts with the model's attempts. Each step has at most one attempt, of its newest call. At most
// as many attempts run as there are slots.
func (s *session) compareAttempts(have sqlRows) {
	s.Helper()
	want, rows := map[uuid.UUID]alone{}, map[uuid.UUID]alone{}
	for _, a := range s.alone {
		want[s.stepID(a.claim)] = alone{claim: a.no, conflicts: a.conflicts}
	}
	inSlots := 0
	for id, row := range have.attempts {
		rows[id] = alone{claim: row.claim, conflicts: row.conflicts}
		if row.slot != nil {
			inSlots++
		}
	}
	require.Equal(s, want, rows, "attempts of SQL steps")
	require.Equal(s, min(len(s.alone), len(have.slots)-have.claimers), inSlots, "attempts that have a slot")
}

// compareBookings compares the bookings with the results. Each step that a transaction completed has booked once, and no other step has
// booked. A step that runs again keeps the bookings of its former runs.
func (s *session) compareBookings() {
	s.Helper()
	rows, err := s.pool.Query(s.Context(), "select b.step_uuid, b.input from modelsql.bookings as b order by b.booking_no")
	require.NoError(s, err)
	have := map[uuid.UUID]int{}
	inputs := map[uuid.UUID]json.RawMessage{}
	var id uuid.UUID
	var input json.RawMessage
	_, err = pgx.ForEachRow(rows, []any{&id, &input}, func() error {
		have[id]++
		inputs[id] = slices.Clone(input)
		return nil
	})
	require.NoError(s, err)
	for i, t := range s.tasks {
		for n := range t.steps {
			k := &t.steps[n]
			where := fmt.Sprintf("step %s of task %d, which is %+v", k.name, i, *k)
			require.Equal(s, k.booked+k.former, have[stepID(t.id, n)], where)
			require.LessOrEqual(s, k.booked, 1, where)
			require.False(s, k.booked > 0 && k.state != state.StepComplete, where)
			if raw := inputs[stepID(t.id, n)]; raw != nil && k.booked > 0 {
				s.compareInput(t, n, raw)
			}
		}
	}
}

// compareInput compares the input of a function with the model.
func (s *session) compareInput(t *task, n int, raw json.RawMessage) {
	s.Helper()
	var have struct {
		TaskUUID uuid.UUID `json:"task_uuid"`
		Attempt  int
		Parents  json.RawMessage
	}
	require.NoError(s, json.Unmarshal(raw, &have))
	require.Equal(s, t.id, have.TaskUUID)
	require.Equal(s, t.steps[n].attempts, have.Attempt)
	parents := map[string]*results{}
	for _, e := range t.edges {
		if p := t.steps[e.from]; e.to == n && p.state.SatisfiesDependencies() {
			parents[p.name] = p.results
		}
	}
	requireJSON(s, parents, have.Parents)
}
