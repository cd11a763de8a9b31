package modeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// saga is a task whose steps have compensations, in the state that the engine should have when nothing is due. The steps
// are handlers, maps, waits and steps that start tasks. The saga has no conditions and no timeouts, which the other models
// have.
type saga struct {
	id       uuid.UUID
	policy   string
	names    []string
	kind     map[string]string // handler, map, wait or child
	elements int               // the array that maps run over
	parents  map[string][]string
	undoable map[string]bool
	expanded map[string]bool
	state    map[string]string
	result   map[string]string // of steps that are complete
	begun    map[string]bool   // claimed at least once
	phase    string            // empty, drain, undo or done
	leads    string            // the state that it will end in
	task     string
	level    int // the level that is being undone
	held     map[string]direct.StepClaim
	planned  map[string]bool   // the steps to be undone when the undoing began
	effect   map[string]string // of steps that a fork took over: task and name of the step that had the effect
	owner    map[string]*saga  // the task that undoes the effect, nil for this task
	forkedTo *saga             // the fork that the task was cancelled for
}

func newSaga(r *rand.Rand, policy string) *saga {
	m := &saga{policy: policy, parents: map[string][]string{}, undoable: map[string]bool{}, kind: map[string]string{}, elements: r.IntN(4)}
	for i := range 2 + r.IntN(6) {
		name := fmt.Sprintf("s%d", i)
		for _, before := range m.names {
			if r.IntN(3) == 0 {
				m.parents[name] = append(m.parents[name], before)
			}
		}
		m.kind[name] = []string{"handler", "handler", "handler", "map", "map", "wait", "child"}[r.IntN(7)]
		m.undoable[name] = r.IntN(3) > 0 && m.kind[name] != "wait"
		m.names = append(m.names, name)
	}
	m.begin()
	return m
}

func (m *saga) begin() {
	m.state, m.result, m.begun, m.expanded, m.task = map[string]string{}, map[string]string{}, map[string]bool{}, map[string]bool{}, "steps_in_process"
	m.held, m.planned, m.effect, m.owner = map[string]direct.StepClaim{}, map[string]bool{}, map[string]string{}, map[string]*saga{}
	for _, name := range m.names {
		m.state[name] = "pending"
	}
}

func (m *saga) template(name, child string) json.RawMessage {
	var steps []map[string]any
	for _, s := range m.names {
		step := map[string]any{"name": s, "dependencies": slices.Clone(m.parents[s])}
		switch m.kind[s] {
		case "wait":
			step["await"] = map[string]any{"signal": "go_" + s}
		case "child":
			step["task"], step["retry"] = map[string]any{"name": child}, map[string]any{"retryable": false}
		case "map":
			step["for_each"], step["retry"] = "$.lines", map[string]any{"retryable": false}
		default:
			step["retry"] = map[string]any{"retryable": false}
		}
		if m.undoable[s] {
			step["compensate"] = "undo"
		}
		steps = append(steps, step)
	}
	raw, err := json.Marshal(map[string]any{"namespace": "model", "name": name, "identity_strategy": "always_unique", "on_failure": m.policy, "steps": steps})
	if err != nil {
		panic(err)
	}
	return raw
}

// instances returns the elements of a map that has begun.
func (m *saga) instances(name string) (names []string) {
	if m.kind[name] == "map" && m.expanded[name] {
		for i := range m.elements {
			names = append(names, fmt.Sprintf("%s[%d]", name, i))
		}
	}
	return names
}

// of returns the map of an instance, and any other step itself.
func of(name string) string {
	base, _, _ := strings.Cut(name, "[")
	return base
}

// depth returns the longest path to a step. The instances of a map count between the map and its parents.
func (m *saga) depth(name string) (d int) {
	for _, p := range m.parents[of(name)] {
		d = max(d, m.depth(p)+1)
	}
	if name == of(name) && len(m.instances(name)) > 0 {
		d++
	}
	return d
}

func (m *saga) in(states ...string) (names []string) {
	for name, s := range m.state {
		if slices.Contains(states, s) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func isUndo(name string) bool { return strings.HasPrefix(name, "undo ") }

// failed counts failed steps of the kind that matters in this phase.
func (m *saga) failed() (n int) {
	for _, name := range m.in("error") {
		if m.phase == "" || isUndo(name) {
			n++
		}
	}
	return n
}

// enqueue starts ready steps. A map creates all its instances at once, and is complete when they are complete.
func (m *saga) enqueue() {
	if m.phase != "" || m.policy == "halt" && m.failed() > 0 {
		return
	}
	complete := func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return m.state[name] != "complete" })
	}
	for range m.names { // repeated, since a map over an empty array is complete at once
		for _, name := range m.names {
			if m.state[name] != "pending" || !complete(m.parents[name]) {
				continue
			}
			switch m.kind[name] {
			case "handler":
				m.state[name] = "enqueued"
			case "wait", "child":
				m.state[name] = "suspended"
			case "map":
				if !m.expanded[name] {
					m.expanded[name] = true
					for _, i := range m.instances(name) {
						m.state[i] = "pending"
					}
				}
				for _, i := range m.instances(name) {
					if m.state[i] == "pending" {
						m.state[i] = "enqueued"
					}
				}
				if complete(m.instances(name)) {
					m.state[name] = "complete"
				}
			}
		}
	}
}

// settle applies consequences until there are no more.
func (m *saga) settle() {
	m.enqueue()
	for {
		switch {
		case slices.Contains([]string{"complete", "error", "cancelled"}, m.task):
			return
		case len(m.in("enqueued", "in_progress")) > 0:
			m.task = "steps_in_process"
			return
		case len(m.in("suspended")) > 0:
			m.task = "waiting_for_dependencies"
			return
		case m.phase == "drain":
			m.phase, m.level = "undo", 2*len(m.names)+1
			for level := range m.level {
				for _, name := range m.undone(level) {
					m.planned[name] = true
				}
			}
		case m.phase == "undo" && m.failed() > 0:
			m.task = "blocked_by_failures"
			return
		case m.phase == "undo":
			m.next()
		case m.failed() > 0 && m.policy == "fail":
			m.end("error")
		case m.failed() > 0:
			m.task = "blocked_by_failures"
			return
		default:
			m.task = "complete"
		}
	}
}

// undone returns the steps of a level that have to be undone.
func (m *saga) undone(level int) (names []string) {
	for _, name := range m.names {
		each := []string{name}
		if m.kind[name] == "map" {
			each = m.instances(name)
		}
		for _, one := range each {
			if m.undoable[name] && m.owner[one] == nil && m.depth(one) == level && (m.state[one] == "complete" || m.begun[one]) {
				names = append(names, one)
			}
		}
	}
	return names
}

func (m *saga) next() {
	for m.level--; m.level >= 0; m.level-- {
		if names := m.undone(m.level); len(names) > 0 {
			for _, name := range names {
				m.state["undo "+name] = "enqueued"
			}
			return
		}
	}
	m.phase, m.task = "done", m.leads
}

// end ends the task, or begins to undo it.
func (m *saga) end(leads string) {
	some := false
	for level := range 2*len(m.names) + 1 {
		some = some || len(m.undone(level)) > 0
	}
	if some {
		m.phase, m.leads = "drain", leads
		for _, name := range m.in("pending", "enqueued", "suspended") {
			m.state[name] = "cancelled"
		}
		return
	}
	for name, s := range m.state {
		switch {
		case leads == "cancelled" && slices.Contains([]string{"pending", "enqueued", "in_progress", "suspended"}, s):
			m.state[name] = "cancelled"
		case leads == "error" && (s == "enqueued" || s == "in_progress" || s == "suspended"):
			m.state[name] = "error"
		}
	}
	m.task = leads
}

// had returns the task and the name of the step that originally had this step's effect.
func (m *saga) had(name string) string {
	if e, taken := m.effect[name]; taken {
		return e
	}
	return fmt.Sprintf("%s %s", m.id, name)
}

// owns returns the task that undoes the effect of a step.
func (m *saga) owns(name string) *saga {
	if o := m.owner[name]; o != nil {
		return o
	}
	return m
}

// isUndone reports whether the effect of a step was undone, or will be undone. The task that owned the effect when it was taken over
// undoes it, or a fork for which this task was cancelled.
func (m *saga) isUndone(name string) bool {
	for o := m.owns(name); o != nil; o = o.forkedTo {
		if o.planned[name] && o.had(name) == m.had(name) {
			return true
		}
	}
	return false
}

// fork returns the task that a fork from a step creates. It cancels the forked task if that task is open.
func (m *saga) fork(from string, id uuid.UUID, cancel bool) *saga {
	f := &saga{id: id, policy: m.policy, names: m.names, kind: m.kind, elements: m.elements, parents: m.parents, undoable: m.undoable}
	cancel = cancel && !slices.Contains([]string{"complete", "error", "cancelled"}, m.task)
	below := map[string]bool{from: true}
	for name := range m.state {
		below[of(name)] = below[of(name)] || !isUndo(name) && m.isUndone(name)
	}
	for _, name := range m.names {
		for _, p := range m.parents[name] {
			below[name] = below[name] || below[p]
		}
	}
	f.begin()
	take := func(name string) {
		f.state[name], f.result[name], f.effect[name] = "complete", m.result[name], m.had(name)
		if f.owner[name] = m.owner[name]; !cancel {
			f.owner[name] = m.owns(name)
		}
	}
	for _, name := range m.names {
		if below[name] {
			continue
		}
		if m.state[name] == "complete" {
			take(name)
		}
		// A map that has begun continues over the same array, if its parents are taken over.
		open := slices.ContainsFunc(m.parents[name], func(p string) bool { return f.state[p] != "complete" })
		if m.kind[name] != "map" || !m.expanded[name] || m.state[name] != "complete" && open {
			continue
		}
		f.expanded[name] = true
		for _, i := range m.instances(name) {
			f.state[i] = "pending"
			if m.state[i] == "complete" {
				take(i)
			}
		}
	}
	if cancel {
		m.forkedTo, m.task = f, "cancelled"
		for _, name := range m.in("pending", "enqueued", "in_progress", "suspended") {
			m.state[name] = "cancelled"
		}
	}
	f.settle()
	return f
}

func (m *saga) String() string {
	var parts []string
	for name, s := range m.state {
		parts = append(parts, name+"="+s)
	}
	sort.Strings(parts)
	return m.task + ": " + strings.Join(parts, " ")
}

// sagaRun runs the engine and the model.
type sagaRun struct {
	*testing.T
	ctx  context.Context
	pool *pgxpool.Pool
	e    *direct.Executor
	m    *saga
}

func (s *sagaRun) exec(sql string, arguments ...any) {
	s.Helper()
	_, err := s.pool.Exec(s.ctx, sql, arguments...)
	require.NoError(s, err)
}

func (s *sagaRun) is(m *saga) {
	s.Helper()
	for range 12 {
		s.exec("select tasker.fire_due_timers()")
	}
	var states string
	require.NoError(s, s.pool.QueryRow(s.ctx, `select t.state || ': ' || string_agg(s.name || '=' || s.state, ' ' order by s.name || '=' || s.state::text collate "C")
		from tasker.tasks as t join tasker.workflow_steps as s using (task_uuid) where task_uuid = $1 group by t.state`, m.id).Scan(&states))
	require.Equal(s, m.String(), states)
	rows, err := s.pool.Query(s.ctx, `select substr(s.name, 6), o.task_uuid || ' ' || o.name from tasker.workflow_steps as s
		left join tasker.workflow_steps as o on o.workflow_step_uuid = (s.inputs ->> 'step_uuid')::uuid where s.task_uuid = $1 and s.undo_no is not null`, m.id)
	require.NoError(s, err)
	var undone, effect string
	_, err = pgx.ForEachRow(rows, []any{&undone, &effect}, func() error {
		require.Equal(s, m.had(undone), effect, "the compensation of %s gets the UUID of the step that had the effect", undone)
		return nil
	})
	require.NoError(s, err)
}

// step makes one call on the task and on the model.
func (s *sagaRun) step(r *rand.Rand) {
	s.Helper()
	m := s.m
	ready, running := m.in("enqueued"), m.in("in_progress")
	switch n := r.IntN(26); {
	case n < 8 && len(ready) > 0:
		name := ready[r.IntN(len(ready))]
		var claim direct.StepClaim
		require.NoError(s, s.pool.QueryRow(s.ctx, `select c.step_uuid, c.claim_no from tasker.workflow_steps as s
			cross join tasker.claim_step(s.workflow_step_uuid, gen_random_uuid()) as c where s.task_uuid = $1 and s.name = $2`,
			m.id, name).Scan(&claim.StepUUID, &claim.ClaimNo))
		m.held[name] = claim
		m.state[name], m.begun[name] = "in_progress", true
	case n < 16 && len(running) > 0:
		name := running[r.IntN(len(running))]
		result := direct.StepResult{StepClaim: m.held[name], Results: json.RawMessage(fmt.Sprintf(`{"n": %d}`, r.IntN(1000)))}
		m.state[name], m.result[name] = "complete", string(result.Results)
		if r.IntN(5) == 0 {
			result.Error, result.Permanent, result.Results = "no", true, nil
			m.state[name] = "error"
		}
		_, err := s.e.ExchangeSteps(s.ctx, direct.Exchange{
			Results: []direct.StepResult{result}, ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"nothing"}, Limit: 1},
		})
		require.NoError(s, err)
	case n == 16:
		did, err := s.e.CancelTask(s.ctx, m.id, "model", "")
		require.NoError(s, err)
		require.Equal(s, !slices.Contains([]string{"complete", "error", "cancelled"}, m.task) && m.phase == "", did)
		if did {
			m.end("cancelled")
		}
	case n == 17 && m.task == "blocked_by_failures":
		_, err := s.e.GiveUpTask(s.ctx, m.id, "model", "")
		require.NoError(s, err)
		if m.phase == "undo" {
			m.phase, m.task = "done", m.leads
		} else {
			m.end("error")
		}
	case n == 18 && m.task == "blocked_by_failures":
		// In a task that is being undone, only compensations can be retried.
		for _, name := range m.in("error") {
			_, err := s.pool.Exec(s.ctx, `select tasker.retry_step(s.workflow_step_uuid) from tasker.workflow_steps as s
				where s.task_uuid = $1 and s.name = $2`, m.id, name)
			if m.phase == "undo" && !isUndo(name) {
				require.Error(s, err)
				continue
			}
			require.NoError(s, err)
			m.state[name] = "enqueued"
			if m.kind[name] == "child" {
				m.state[name] = "suspended"
			}
			if m.phase == "" && m.policy == "halt" && m.failed() > 0 {
				m.state[name] = "pending" // Another failed step still halts the task.
			}
			break
		}
	case n >= 20 && n < 23 && len(m.in("suspended")) > 0:
		s.wake(r)
	case n == 19 && m.phase == "" && (m.task == "steps_in_process" || m.task == "waiting_for_dependencies") && r.IntN(3) == 0:
		s.exec("insert into tasker.timers (task_uuid, kind, due_at) values ($1, 'task_deadline', now())", m.id)
		m.end("error")
	default:
		return
	}
	m.settle()
	s.is(m)
}

// wake ends one wait, by its signal or by the end of its task.
func (s *sagaRun) wake(r *rand.Rand) {
	s.Helper()
	m := s.m
	waiting := m.in("suspended")
	name := waiting[r.IntN(len(waiting))]
	if m.kind[name] == "wait" {
		_, err := s.e.SendSignal(s.ctx, m.id, executor.Signal{Name: "go_" + name, Payload: json.RawMessage(`{"n": 1}`)})
		require.NoError(s, err)
		m.state[name] = "complete"
		return
	}
	var claim direct.StepClaim
	require.NoError(s, s.pool.QueryRow(s.ctx, `select c.step_uuid, c.claim_no from tasker.workflow_steps as s
		cross join tasker.claim_step(tasker.step_uuid(s.child_task_uuid, 1), gen_random_uuid()) as c where s.task_uuid = $1 and s.name = $2`,
		m.id, name).Scan(&claim.StepUUID, &claim.ClaimNo))
	result := direct.StepResult{StepClaim: claim, Results: json.RawMessage(`{"n": 2}`)}
	m.state[name] = "complete"
	if r.IntN(5) == 0 {
		result.Error, result.Permanent, result.Results = "no", true, nil
		m.state[name] = "error"
	}
	_, err := s.e.ExchangeSteps(s.ctx, direct.Exchange{
		Results: []direct.StepResult{result}, ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"nothing"}, Limit: 1},
	})
	require.NoError(s, err)
}

// requireFork forks the task, and compares the new task with its model. It returns nil for a task that is being undone,
// because such a fork is refused.
func (s *sagaRun) requireFork(r *rand.Rand) *saga {
	s.Helper()
	m := s.m
	from, cancel := m.names[r.IntN(len(m.names))], r.IntN(2) == 0
	forked, err := s.e.ForkTask(s.ctx, sqlfn.ForkTaskParams{TaskUUID: m.id, FromStep: from, Cancel: cancel})
	if m.phase == "drain" || m.phase == "undo" {
		require.ErrorIs(s, err, executor.ErrConflict)
		return nil
	}
	require.NoError(s, err)
	f := m.fork(from, forked, cancel)
	s.is(f)
	s.is(m)
	var differ int
	require.NoError(s, s.pool.QueryRow(s.ctx, `select count(*)
		from tasker.workflow_steps as n join tasker.workflow_steps as o using (name)
		where n.task_uuid = $1 and o.task_uuid = $2 and n.state = 'complete' and n.for_each is null and (n.results is distinct from o.results
			or (select (a.worker_uuid, a.success) from tasker.workflow_step_result_audit as a where a.task_uuid = n.task_uuid and a.step_no = n.step_no)
				is distinct from (select (a.worker_uuid, a.success) from tasker.workflow_step_result_audit as a where a.task_uuid = o.task_uuid and a.step_no = o.step_no
					order by a.sort_key desc limit 1))`, forked, m.id).Scan(&differ))
	require.Zero(s, differ, "the fork has the results and the audit of the task")
	var early int
	require.NoError(s, s.pool.QueryRow(s.ctx, `select count(*) from tasker.workflow_step_edges as e
		join tasker.workflow_steps as p on p.task_uuid = e.task_uuid and p.step_no = e.from_step_no
		join tasker.workflow_steps as c on c.task_uuid = e.task_uuid and c.step_no = e.to_step_no
		where e.task_uuid = $1 and c.effect_uuid is not null and p.effect_uuid is null`, forked).Scan(&early))
	require.Zero(s, early, "what depends on a step that runs again runs again")
	return f
}

// In one session, after each call the task and its steps are as in the model, also when it is undone or forked.
func TestSagas_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ended := map[string]int{}
	_, err := pool.Exec(t.Context(), "select tasker.register_namespace('nothing')")
	require.NoError(t, err)
	_, err = direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "model", "name": "kid", "identity_strategy": "always_unique",
		"on_failure": "fail", "steps": [{"name": "work", "retry": {"retryable": false}}]}`))
	require.NoError(t, err)
	rounds(t, 10, 1000, func(t *testing.T, seed uint64, r *rand.Rand) {
		s := &sagaRun{T: t, ctx: t.Context(), pool: pool, e: direct.New(pool)}
		s.m = newSaga(r, []string{"continue", "halt", "fail"}[r.IntN(3)])
		name := fmt.Sprintf("saga%d", seed)
		_, err := s.e.RegisterTaskTemplate(s.ctx, s.m.template(name, "kid"))
		require.NoError(t, err)
		lines := slices.Repeat([]int{7}, s.m.elements)
		require.NoError(t, pool.QueryRow(s.ctx, "select task_uuid from tasker.create_task('model', $1, jsonb_build_object('lines', $2::integer[]))", name, lines).Scan(&s.m.id))
		s.m.settle()
		t.Logf("seed %d: %s", seed, s.m)
		s.is(s.m)
		// A task, its forks and their forks continue by themselves. All may be undone and forked again in any state.
		family := []*saga{s.m}
		for range 150 {
			s.step(r)
			if n := r.IntN(40); n < 3 && len(family) < 8 || n == 0 {
				if f := s.requireFork(r); f != nil {
					family = append(family, f)
				}
			}
			if r.IntN(10) == 0 {
				s.m = family[r.IntN(len(family))]
			}
		}
		for _, m := range family {
			ended[m.task+m.phase]++
			s.is(m)
		}
	})
	t.Log(ended)
	replaytest.Recorded(t, pool)
	rows, err := pool.Query(t.Context(), "select p.problem from tasker.check_integrity() as p")
	require.NoError(t, err)
	require.False(t, rows.Next(), "the check of integrity finds nothing")
	rows.Close()
	var undone, twice, paid int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*), count(*) - count(distinct u.inputs ->> 'step_uuid'), count(*) filter (where t.state = 'complete')
		from tasker.workflow_steps as u left join tasker.tasks as t on t.task_uuid = tasker.task_uuid_of((u.inputs ->> 'step_uuid')::uuid)
		where u.undo_no is not null`).Scan(&undone, &twice, &paid))
	require.Positive(t, undone)
	require.Zero(t, twice, "an effect is undone once")
	require.Zero(t, paid, "what a complete task did stands")
}
