package writerstest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// workers has the UUIDs of the test's workers, orchestrators and requests.
var workers = []uuid.UUID{
	uuid.MustParse("00000000-0000-4000-8000-0000000000a1"),
	uuid.MustParse("00000000-0000-4000-8000-0000000000a2"),
	uuid.MustParse("00000000-0000-4000-8000-0000000000a3"),
}

// chosen is the prefix of the test's other UUIDs.
var chosen = []byte{0xc0, 0x5e}

func chosenUUID(n int) uuid.UUID {
	id := uuid.MustParse("c05e0000-0000-4000-8000-000000000000")
	id[15], id[14], id[13] = byte(n), byte(n>>8), byte(n>>16)
	return id
}

// claim is a step that a worker holds, or has held.
type claim struct {
	ref
	no      int32
	handler string
}

// writer makes random moves in a pair of databases.
type writer struct {
	*pair
	held []claim
	gone []claim // reported, released or lost
}

// kind is a kind of move with its relative frequency.
type kind struct {
	weight int
	make   func(w *writer, ctx context.Context) error
}

var kinds = []kind{
	{24, (*writer).exchange},
	{16, (*writer).create},
	{4, (*writer).complete},
	{5, (*writer).fail},
	{3, (*writer).release},
	{2, (*writer).claimOne},
	{2, (*writer).keepLease},
	{8, (*writer).function},
	{8, (*writer).signal},
	{3, (*writer).emit},
	{9, (*writer).orchestrate},
	{6, (*writer).pass},
	{14, (*writer).operateOnTask},
	{14, (*writer).operateOnStep},
	{3, (*writer).moveTask},
	{4, (*writer).moveStep},
	{2, (*writer).addSteps},
	{3, (*writer).fork},
	{2, (*writer).configure},
	{3, (*writer).schedule},
	{2, (*writer).bury},
	{2, (*writer).finish},
}

// move makes one move.
func (w *writer) move(ctx context.Context) error {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	n := w.r.IntN(sum)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			return k.make(w, ctx)
		}
	}
	return nil
}

// oneOf returns one of some values.
func oneOf[T any](w *writer, values ...T) T { return values[w.r.IntN(len(values))] }

func (w *writer) namespace() string {
	return oneOf(w, "plain", "plain", "plain", "deferred", "brokered")
}

func (w *writer) context() json.RawMessage {
	lines := make([]int, w.r.IntN(4))
	for i := range lines {
		lines[i] = i + 1
	}
	raw, err := json.Marshal(map[string]any{
		"n": w.r.IntN(10), "lines": lines, "tenant": oneOf(w, "ann", "bob"), "at": w.now.Add(time.Duration(w.r.IntN(90)) * time.Second),
	})
	if err != nil {
		panic(err)
	}
	return raw
}

func (w *writer) result() json.RawMessage {
	list := make([]int, w.r.IntN(4))
	for i := range list {
		list[i] = w.r.IntN(100)
	}
	raw, err := json.Marshal(map[string]any{"n": w.r.IntN(10), "list": list})
	if err != nil {
		panic(err)
	}
	return raw
}

// optional returns the value, or sometimes null.
func optional[T any](w *writer, value T) *T {
	if w.r.IntN(2) == 0 {
		return nil
	}
	return &value
}

func (w *writer) create(ctx context.Context) error {
	t := oneOf(w, templates...)
	var key *string
	if t.name == keyed {
		key = new(fmt.Sprintf("key %d", w.r.IntN(40)))
	}
	id := uuidAt(w.now.Add(time.Second), w.r.Uint32())
	switch w.r.IntN(8) {
	case 0, 1:
		n := 1 + w.r.IntN(4)
		contexts, keys := make([]json.RawMessage, n), make([]*string, n)
		for i := range n {
			contexts[i] = w.context()
			if key != nil {
				keys[i] = new(fmt.Sprintf("%s %d", *key, i))
			}
		}
		_, err := w.call(ctx, "create_tasks", `$1, $2, $3::jsonb[], p_identity_keys => $4::text[], p_initiator => $5, p_reason => $6,
			p_correlation_id => $7, p_priority => $8, p_deferred => $9`,
			w.namespace(), t.name, contexts, keys, optional(w, "a batch"), optional(w, "it is monday"), chosenUUID(len(w.moves)),
			oneOf(w, 0, 0, 5, -5), w.r.IntN(6) == 0)
		return err
	case 2:
		rows, err := w.call(ctx, "start_task", "$1, $2, $3, $4, p_limit => $5, p_identity_key => $6, p_correlation_id => $7, p_lease_seconds => 60",
			oneOf(w, "plain", "plain", "deferred"), t.name, oneOf(w, workers...), w.context(), 1+w.r.IntN(3), key, chosenUUID(len(w.moves)))
		w.hold(rows)
		return err
	case 3:
		_, err := w.call(ctx, "create_task", `$1, $2, $3, p_start_at => $4, p_deadline => $5, p_identity_key => $6, p_correlation_id => $7, p_task_uuid => $8`,
			w.namespace(), t.name, w.context(), w.now.Add(time.Duration(w.r.IntN(60))*time.Second), optional(w, w.now.Add(time.Duration(90+w.r.IntN(200))*time.Second)),
			key, chosenUUID(len(w.moves)), optional(w, id))
		return err
	case 4:
		_, err := w.call(ctx, "create_task", `$1, $2, $3, p_identity_key => $4, p_correlation_id => $5, p_throttle_limit => 2, p_throttle_seconds => 60, p_throttle_key => $6`,
			w.namespace(), t.name, w.context(), key, chosenUUID(len(w.moves)), oneOf(w, "x", "y"))
		return err
	case 5:
		_, err := w.call(ctx, "create_task", `$1, $2, $3, p_identity_key => $4, p_correlation_id => $5, p_debounce_seconds => 10, p_debounce_longest_seconds => 30`,
			w.namespace(), t.name, w.context(), new(oneOf(w, "later", "soon")), chosenUUID(len(w.moves)))
		return err
	}
	_, err := w.call(ctx, "create_task", `$1, $2, $3, p_identity_key => $4, p_task_uuid => $5, p_priority => $6, p_tags => $7, p_initiator => $8, p_source_system => $9,
		p_reason => $10, p_correlation_id => $11, p_parent_correlation_id => $12, p_headers => $13, p_deferred => $14`,
		w.namespace(), t.name, w.context(), key, optional(w, id), oneOf(w, 0, 0, 7, -7), []string{"t" + fmt.Sprint(w.r.IntN(3))}, optional(w, "ann"),
		optional(w, "shop"), optional(w, "an order"), chosenUUID(len(w.moves)), optional(w, chosenUUID(w.r.IntN(1000))), json.RawMessage(`{"trace": "x"}`), w.r.IntN(5) == 0)
	return err
}

// hold keeps the claims that it finds in the rows of an answer.
func (w *writer) hold(rows []json.RawMessage) {
	for _, raw := range rows {
		var row struct {
			StepUUID uuid.UUID `json:"step_uuid"`
			ClaimNo  int32     `json:"claim_no"`
			Answer   *string   `json:"answer"`
			Handler  string    `json:"handler"`
		}
		if json.Unmarshal(raw, &row) != nil || row.Answer != nil || row.StepUUID == uuid.Nil {
			continue
		}
		if r, there := w.sides[0].ref(row.StepUUID); there {
			w.held = append(w.held, claim{r, row.ClaimNo, row.Handler})
		}
	}
}

// take removes up to n claims from the held claims and returns them. Sometimes it also takes an older claim.
func (w *writer) take(n int) (taken []claim) {
	for range min(n, len(w.held)) {
		i := w.r.IntN(len(w.held))
		taken = append(taken, w.held[i])
		w.held = slices.Delete(w.held, i, i+1)
	}
	if len(w.gone) > 0 && w.r.IntN(12) == 0 {
		old := oneOf(w, w.gone...)
		if !slices.ContainsFunc(taken, func(c claim) bool { return c.ref == old.ref }) {
			taken = append(taken, old)
		}
	}
	// A call names a step once.
	seen := map[ref]bool{}
	taken = slices.DeleteFunc(taken, func(c claim) bool { again := seen[c.ref]; seen[c.ref] = true; return again })
	w.gone = append(w.gone, taken...)
	w.gone = w.gone[max(0, len(w.gone)-200):]
	return taken
}

func refs(claims []claim) (steps []ref, numbers []int32) {
	for _, c := range claims {
		steps, numbers = append(steps, c.ref), append(numbers, c.no)
	}
	return steps, numbers
}

func (w *writer) exchange(ctx context.Context) error {
	taken := w.take(w.r.IntN(6))
	steps, numbers := refs(taken)
	n := len(taken)
	results, failures, permanent := make([]json.RawMessage, n), make([]*string, n), make([]*bool, n)
	backoffs, times := make([]*int32, n), make([]*int64, n)
	for i := range n {
		if w.r.IntN(4) == 0 {
			failures[i], permanent[i], backoffs[i] = new("it broke"), optional(w, w.r.IntN(3) == 0), optional(w, 1+w.r.Int32N(9))
		} else {
			results[i] = w.result()
		}
		times[i] = optional(w, w.r.Int64N(1000))
	}
	rows, err := w.call(ctx, "exchange_steps", `$1, $2::uuid[], $3::integer[], $4::jsonb[], $5::text[], $6::boolean[], $7::integer[], $8::bigint[],
		p_namespaces => $9::text[], p_limit => $10, p_lease_seconds => $11, p_handlers => $12::text[], p_request_uuid => $13`,
		oneOf(w, workers...), steps, numbers, results, failures, permanent, backoffs, times,
		oneOf(w, []string{"plain"}, []string{"plain", "deferred"}, []string{"deferred", "brokered"}, []string{"brokered"}), oneOf(w, 0, 1, 1, 2, 8), 60,
		oneOf(w, nil, nil, nil, []string{"a", "b", "c", "z", "l", "function"}), chosenUUID(len(w.moves)))
	w.hold(rows)
	return err
}

func (w *writer) complete(ctx context.Context) error {
	taken := w.take(1 + w.r.IntN(3))
	steps, numbers := refs(taken)
	results := make([]json.RawMessage, len(taken))
	for i := range results {
		results[i] = w.result()
	}
	_, err := w.call(ctx, "complete_steps", "$1::uuid[], $2::integer[], $3::jsonb[]", steps, numbers, results)
	return err
}

func (w *writer) fail(ctx context.Context) error {
	taken := w.take(1 + w.r.IntN(2))
	steps, numbers := refs(taken)
	failures, permanent := make([]string, len(taken)), make([]bool, len(taken))
	for i := range failures {
		failures[i], permanent[i] = "no luck", w.r.IntN(2) == 0
	}
	_, err := w.call(ctx, "fail_steps", "$1::uuid[], $2::integer[], $3::text[], $4::boolean[]", steps, numbers, failures, permanent)
	return err
}

func (w *writer) release(ctx context.Context) error {
	steps, numbers := refs(w.take(1 + w.r.IntN(3)))
	_, err := w.call(ctx, "release_steps", "$1::uuid[], $2::integer[]", steps, numbers)
	return err
}

func (w *writer) claimOne(ctx context.Context) error {
	step, there, err := w.pickStep(ctx, "s.state = 'enqueued'")
	if !there || err != nil {
		return err
	}
	rows, err := w.call(ctx, "claim_step", "$1, $2, 60", step, oneOf(w, workers...))
	w.hold(rows)
	return err
}

func (w *writer) keepLease(ctx context.Context) error {
	if len(w.held) == 0 {
		return nil
	}
	c := oneOf(w, w.held...)
	if w.r.IntN(2) == 0 {
		_, err := w.call(ctx, "checkpoint_step", "$1, $2, $3", c.ref, c.no, json.RawMessage(`{"page": 3}`))
		return err
	}
	_, err := w.call(ctx, "extend_leases", "$1::uuid[], $2::integer[], 90", []ref{c.ref}, []int32{c.no})
	return err
}

// function makes a call of a durable function: it keeps a result, waits, begins another round, or makes another call than the
// kept call.
func (w *writer) function(ctx context.Context) error {
	functions := slices.DeleteFunc(slices.Clone(w.held), func(c claim) bool { return c.handler != "function" })
	if len(functions) == 0 {
		return w.exchange(ctx)
	}
	c := oneOf(w, functions...)
	name, position := oneOf(w, "charge", "book"), 1+w.r.IntN(3)
	var err error
	switch w.r.IntN(10) {
	case 0, 1, 2, 3:
		_, err = w.call(ctx, "keep_step_result", "$1, $2, $3, $4, 1, $5", c.ref, c.no, position, name, w.result())
	case 4:
		_, err = w.call(ctx, "keep_step_result", "$1, $2, $3, $4, 1, null, 'it failed'", c.ref, c.no, position, name)
	case 5, 6, 7:
		_, err = w.call(ctx, "suspend_step", "$1, $2, $3, '$wait', 1, $4", c.ref, c.no, position, oneOf(w,
			json.RawMessage(`{"await": {"for": 30}}`), json.RawMessage(`{"await": [{"signal": "go"}, {"for": 120}]}`), json.RawMessage(`{"await": {"event": "open"}}`)))
	case 8:
		_, err = w.call(ctx, "continue_step", "$1, $2, $3", c.ref, c.no, json.RawMessage(`{"i": 1}`))
	default:
		_, err = w.call(ctx, "diverge_step", "$1, $2, 1, 'other'", c.ref, c.no)
	}
	return err
}

func (w *writer) signal(ctx context.Context) error {
	if w.r.IntN(5) == 0 {
		_, err := w.call(ctx, "send_signal_by_key", "$1, $2, $3, 'go', $4, p_start => $5, p_context => $6",
			oneOf(w, "plain", "deferred"), keyed, fmt.Sprintf("key %d", w.r.IntN(40)), w.result(), w.r.IntN(2) == 0, w.context())
		return err
	}
	step, there, err := w.pickStep(ctx, oneOf(w, "s.state = 'suspended'", "s.await is not null"))
	if !there || err != nil {
		return err
	}
	_, err = w.call(ctx, "send_signal", "$1, $2, $3, $4", ref{task: step.task}, oneOf(w, "go", "go", "go", "stop"), w.result(), optional(w, oneOf(w, "k1", "k2")))
	return err
}

func (w *writer) emit(ctx context.Context) error {
	_, err := w.call(ctx, "emit_event", "$1, $2, $3, $4, $5", w.namespace(), oneOf(w, "paid", "open"), oneOf(w, "", "ann", "bob"), w.result(), optional(w, oneOf(w, "e1", "e2", "e3")))
	return err
}

func (w *writer) orchestrate(ctx context.Context) (err error) {
	switch w.r.IntN(6) {
	case 0:
		_, err = w.call(ctx, "process_step_results", "50, $1", workers[0])
	case 1:
		_, err = w.call(ctx, "process_task_requests", "50")
	case 2:
		_, err = w.call(ctx, "fire_due_timers", "50, $1", workers[1])
	default:
		_, err = w.call(ctx, "orchestrate", "50, $1", workers[0])
	}
	return err
}

// pass lets time pass, so that retries, waits, leases and deadlines become due.
func (w *writer) pass(ctx context.Context) error {
	w.now = w.now.Add(time.Duration(oneOf(w, 2, 5, 20, 65)) * time.Second)
	return w.orchestrate(ctx)
}

// pickTask returns a task for which a condition holds on the first side. It returns newer tasks more often.
func (w *writer) pickTask(ctx context.Context, condition string) (ref, bool, error) {
	return w.pick(ctx, "select t.task_uuid from tasker.tasks as t where "+condition+" order by t.task_uuid desc limit 40")
}

func (w *writer) pickStep(ctx context.Context, condition string) (ref, bool, error) {
	return w.pick(ctx, "select tasker.step_uuid(s.task_uuid, s.step_no) from tasker.workflow_steps as s where "+condition+
		" order by s.task_uuid desc, s.step_no limit 40")
}

func (w *writer) pick(ctx context.Context, sql string) (ref, bool, error) {
	rows, err := w.sides[0].conn.Query(ctx, sql)
	if err != nil {
		return ref{}, false, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(found) == 0 {
		return ref{}, false, err
	}
	r, there := w.sides[0].ref(oneOf(w, found...))
	return r, there, nil
}

func (w *writer) operateOnTask(ctx context.Context) error {
	// Tasks in trouble, and any.
	condition := oneOf(w, "not t.complete and t.state not in ('complete', 'cancelled')", "t.state in ('error', 'blocked_by_failures', 'cancelled')", "t.state = 'error'", "true")
	task, there, err := w.pickTask(ctx, condition)
	if !there || err != nil {
		return err
	}
	reason, actor := optional(w, "because"), optional(w, "ann")
	switch w.r.IntN(11) {
	case 0, 1:
		_, err = w.call(ctx, "cancel_task", "$1, $2, $3", task, reason, actor)
	case 2, 3, 4:
		_, err = w.call(ctx, "reset_task", "$1, $2, $3", task, reason, actor)
	case 5:
		_, err = w.call(ctx, "give_up_task", "$1, $2, $3", task, reason, actor)
	case 6:
		_, err = w.call(ctx, "resolve_task_manually", "$1, $2, $3", task, reason, actor)
	case 7:
		_, err = w.call(ctx, "advance_task", "$1, $2", task, workers[2])
	case 8:
		_, err = w.call(ctx, "reset_tasks", "$1, p_state => $2, p_actor => $3, p_limit => 3", "all of them", oneOf(w, "blocked_by_failures", "error"), actor)
	case 9, 10:
		_, err = w.call(ctx, "complete_step_by_name", "$1, $2, $3, $4, $5, p_early => $6", task, oneOf(w, "a", "b", "s", "z"), w.result(), reason, actor, w.r.IntN(2) == 0)
	}
	return err
}

func (w *writer) operateOnStep(ctx context.Context) error {
	step, there, err := w.pickStep(ctx, oneOf(w, "s.state = 'error'", "s.state = 'error'", "s.state in ('suspended', 'waiting_for_retry', 'pending')", "s.state = 'in_progress'", "true"))
	if !there || err != nil {
		return err
	}
	reason, actor := optional(w, "because"), optional(w, "bob")
	switch w.r.IntN(7) {
	case 0, 1:
		_, err = w.call(ctx, "retry_step", "$1, $2, $3", step, reason, actor)
	case 2, 3:
		_, err = w.call(ctx, "complete_step_manually", "$1, $2, $3, $4", step, w.result(), reason, actor)
	case 4, 5:
		_, err = w.call(ctx, "resolve_step_manually", "$1, $2, $3", step, reason, actor)
	default:
		_, err = w.call(ctx, "set_step_backoff_atomic", "$1, $2", step, 1+w.r.IntN(20))
	}
	return err
}

// moveTask makes any transition that the state machine has for a task's state.
func (w *writer) moveTask(ctx context.Context) error {
	task, there, err := w.pickTask(ctx, oneOf(w, "not t.complete", "true"))
	if !there || err != nil {
		return err
	}
	from, to, event, err := w.transition(ctx, `select m.from_state::text, m.to_state::text, m.event::text from tasker.task_state_machine as m
		join tasker.tasks as t on t.state = m.from_state where t.task_uuid = $1 order by 1, 2, 3`, w.sides[0].uuid(task))
	if from == "" || err != nil {
		return err
	}
	_, err = w.call(ctx, "transition_task_state_atomic", "$1, $2, $3, $4, $5", task, from, to, optional(w, workers[2]), eventOf(event))
	return err
}

// moveStep makes any transition that the state machine has for a step's state.
func (w *writer) moveStep(ctx context.Context) error {
	step, there, err := w.pickStep(ctx, oneOf(w, "s.state not in ('complete', 'cancelled', 'resolved_manually')", "true"))
	if !there || err != nil {
		return err
	}
	id := w.sides[0].uuid(ref{task: step.task})
	from, to, event, err := w.transition(ctx, `select m.from_state::text, m.to_state::text, m.event::text from tasker.step_state_machine as m
		join tasker.workflow_steps as s on s.state = m.from_state where s.task_uuid = $1 and s.step_no = $2 order by 1, 2, 3`, id, step.step)
	if from == "" || err != nil {
		return err
	}
	_, err = w.call(ctx, "transition_step_state_atomic", "$1, $2, $3, $4, $5", step, from, to, optional(w, workers[2]), eventOf(event))
	return err
}

func eventOf(event string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"event": %q, "note": "by hand"}`, event))
}

func (w *writer) transition(ctx context.Context, sql string, args ...any) (from, to, event string, err error) {
	rows, err := w.sides[0].conn.Query(ctx, sql, args...)
	if err != nil {
		return "", "", "", err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (one [3]string, err error) {
		err = row.Scan(&one[0], &one[1], &one[2])
		return one, err
	})
	if err != nil || len(all) == 0 {
		return "", "", "", err
	}
	one := oneOf(w, all...)
	return one[0], one[1], one[2], nil
}

func (w *writer) addSteps(ctx context.Context) error {
	task, there, err := w.pickTask(ctx, "not t.complete")
	if !there || err != nil {
		return err
	}
	if w.r.IntN(3) == 0 {
		_, err = w.call(ctx, "add_step_edge", "$1, $2", ref{task.task, 1}, ref{task.task, 2 + w.r.IntN(2)})
		return err
	}
	_, err = w.call(ctx, "add_steps", "$1, $2", task, json.RawMessage(fmt.Sprintf(`[{"name": "more%d", "handler": "a", "dependencies": [%s]}]`,
		len(w.moves), oneOf(w, "", `"a"`, `"z"`))))
	return err
}

func (w *writer) fork(ctx context.Context) error {
	task, there, err := w.pickTask(ctx, oneOf(w, "t.complete", "t.state = 'error'", "true"))
	if !there || err != nil {
		return err
	}
	_, err = w.call(ctx, "fork_task", "$1, $2, p_reason => $3, p_actor => $4, p_cancel => $5, p_key => $6", task, oneOf(w, "a", "b", "c", "z", "s", "l", "t"),
		optional(w, "try again"), optional(w, "ann"), w.r.IntN(2) == 0, optional(w, fmt.Sprintf("fork %d", len(w.moves))))
	return err
}

// configure changes settings that all calls read.
func (w *writer) configure(ctx context.Context) (err error) {
	namespace := w.namespace()
	switch w.r.IntN(8) {
	case 0:
		_, err = w.call(ctx, "pause_namespace", "$1", namespace)
	case 1, 2:
		_, err = w.call(ctx, "resume_namespace", "$1", namespace)
	case 3:
		_, err = w.call(ctx, "set_limit", "$1, 'few', p_concurrency => $2", namespace, w.r.IntN(4))
	case 4:
		_, err = w.call(ctx, "set_limit", "$1, 'rated', p_rate => $2, p_per_seconds => 30", namespace, 1+w.r.IntN(5))
	case 5:
		_, err = w.call(ctx, "set_limit_key", "$1, 'keyed', $2, p_concurrency => $3", namespace, oneOf(w, "", "a", "b"), w.r.IntN(4))
	case 6:
		_, err = w.call(ctx, "drop_limit_key", "$1, 'keyed', $2", namespace, oneOf(w, "", "a", "b"))
	default:
		_, err = w.call(ctx, "set_limit", "$1, 'keyed', p_concurrency => $2", namespace, 1+w.r.IntN(3))
	}
	return err
}

func (w *writer) schedule(ctx context.Context) (err error) {
	namespace, name := oneOf(w, "plain", "deferred"), oneOf(w, "often", "nightly")
	switch w.r.IntN(8) {
	case 0, 1:
		_, err = w.call(ctx, "set_schedule", "$1, $2, $3, p_every_seconds => $4, p_overlap => $5, p_context => $6",
			namespace, name, oneOf(w, "one", "diamond", "waits"), oneOf(w, 600, 3600), oneOf(w, "allow", "skip"), json.RawMessage(`{"n": 1, "lines": [1], "tenant": "ann"}`))
	case 2, 3:
		_, err = w.call(ctx, "run_schedule_now", "$1, $2", namespace, name)
	case 4:
		_, err = w.call(ctx, "pause_schedule", "$1, $2", namespace, name)
	case 5:
		_, err = w.call(ctx, "resume_schedule", "$1, $2", namespace, name)
	case 6:
		_, err = w.call(ctx, "delete_schedule", "$1, $2", namespace, name)
	default:
		_, err = w.call(ctx, "fire_due_timers", "50, $1", workers[1])
	}
	return err
}

// bury makes dead letters, and lets their tasks continue.
func (w *writer) bury(ctx context.Context) error {
	task, there, err := w.pickTask(ctx, oneOf(w, "not t.complete", "t.state in ('error', 'blocked_by_failures')"))
	if !there || err != nil {
		return err
	}
	switch w.r.IntN(3) {
	case 0:
		_, err = w.call(ctx, "create_dlq_entry", "$1, p_notes => $2", task, "odd")
	case 1:
		_, err = w.call(ctx, "requeue_dlq_entries", "$1, p_limit => 2", "again")
	default:
		_, err = w.call(ctx, "detect_and_transition_stale_tasks", "false, 3, 60, 60, 60, 60")
	}
	return err
}

// finish makes the calls of an orchestrator of tasker-core at a task's end.
func (w *writer) finish(ctx context.Context) error {
	task, there, err := w.pickTask(ctx, oneOf(w, "not t.complete", "t.state = 'evaluating_results'"))
	if !there || err != nil {
		return err
	}
	if w.r.IntN(2) == 0 {
		_, err = w.call(ctx, "claim_task_for_finalization", "$1, $2, 30", task, workers[2])
		return err
	}
	_, err = w.call(ctx, "finalize_task_completion", "$1, $2", task, workers[2])
	return err
}

// prepare registers the templates and settings that the moves need.
func (w *writer) prepare(ctx context.Context) error {
	for _, n := range namespaces {
		if _, err := w.call(ctx, "register_namespace", "$1, p_result_mode => $2, p_transport => $3", n.name, n.mode, n.transport); err != nil {
			return err
		}
		for _, t := range templates {
			if _, err := w.call(ctx, "register_task_template", "$1", json.RawMessage(t.json(n.name))); err != nil {
				return err
			}
		}
		for _, limit := range []string{"'few', p_concurrency => 2", "'keyed', p_concurrency => 1", "'rated', p_rate => 3, p_per_seconds => 30"} {
			if _, err := w.call(ctx, "set_limit", "$1, "+limit, n.name); err != nil {
				return err
			}
		}
	}
	for i, worker := range workers {
		if _, err := w.call(ctx, "register_worker", "$1, $2", worker, fmt.Sprint("worker ", i)); err != nil {
			return err
		}
	}
	if _, err := w.call(ctx, "subscribe", "$1, p_since => $2", feed, w.now); err != nil {
		return err
	}
	for name := range w.names {
		if strings.Contains(name, " ") {
			return fmt.Errorf("a registration was refused: %s: %v", name, w.moves)
		}
	}
	return nil
}

// feed is the subscription that reads all events in the end.
const feed = "everything"
