package conformance

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// Run runs the suite.
func Run(t *testing.T, w Worker) {
	t.Helper()
	t.Run("runs handlers", func(t *testing.T) { t.Parallel(); runsHandlers(t, w) })
	t.Run("undoes results of any size", func(t *testing.T) { t.Parallel(); undoes(t, w) })
	t.Run("runs durable functions", func(t *testing.T) { t.Parallel(); runsFunctions(t, w) })
	t.Run("stops", func(t *testing.T) { t.Parallel(); stops(t, w) })
	t.Run("keeps its leases and notices when they are lost", func(t *testing.T) { t.Parallel(); keepsLeases(t, w) })
	t.Run("hears of a cancellation at once", func(t *testing.T) { t.Parallel(); hearsCancellations(t, w) })
	t.Run("keeps its leases while handlers compute", func(t *testing.T) { t.Parallel(); computes(t, w) })
	t.Run("takes every value that the database takes", func(t *testing.T) { t.Parallel(); takesAnyValue(t, w) })
	if !w.SQL {
		t.Run("registers again at once", func(t *testing.T) { t.Parallel(); registersAgain(t, w) })
		t.Run("waits for no result that is refused", func(t *testing.T) { t.Parallel(); isNotHeldUp(t, w) })
		t.Run("owes results until they are judged", func(t *testing.T) { t.Parallel(); owes(t, w) })
		t.Run("records each result once although answers are lost", func(t *testing.T) { t.Parallel(); survivesLostAnswers(t, w) })
	}
}

// hard is a context with values that JSON libraries get wrong.
const hard = `{"n": 123456789012345678901234567890, "negative": -9007199254740993, "small": 0.1, "deep": [[[{}]]], "nothing": null,
	"text": "ä \u2028 😀 \"quoted\" \\ \u001f", "é": "", "": {}}`

// stack is an error with the name of its class and its stack, which a worker may add.
var stack = regexp.MustCompile(`"(\w+: )?not yet(\\.|[^"\\])*"`)

func runsHandlers(t *testing.T, w Worker) {
	s := newSite(t)
	s.lease = "20" // On a busy machine a lease of two seconds may end before the timeout of one second.
	one := func(handler string) string {
		return `[{"name": "` + handler + `", "retry": {"max_attempts": 3, "base_seconds": 0.01, "max_seconds": 1}}]`
	}
	echo := s.create(t, "echo", one("echo"), hard)
	twice := s.create(t, "twice", one("twice"), "{}")
	final := s.create(t, "final", one("final"), "{}")
	declined := s.create(t, "declined", one("declined"), `{"card": "ann"}`)
	s.another(t, "declined", `{"card": "ben"}`)
	zero := s.create(t, "zero", one("zero"), "{}")
	checkpoint := s.create(t, "checkpoint", one("checkpoint"), "{}")
	joined := s.create(t, "joined", `[{"name": "first", "handler": "echo"}, {"name": "left", "handler": "join", "dependencies": ["first"]},
		{"name": "right", "handler": "echo", "dependencies": ["first"]}, {"name": "last", "handler": "join", "dependencies": ["left", "right"]},
		{"name": "up", "handler": "ancestor", "dependencies": ["last"]}]`, hard)
	large := s.create(t, "large", `[{"name": "large"}, {"name": "length", "dependencies": ["large"]}]`, `{"bytes": 700000}`)
	tooLarge := s.create(t, "too_large", one("large"), `{"bytes": 3000000}`)
	fan := s.create(t, "fan", `[{"name": "large"}, {"name": "also", "handler": "large"}, {"name": "length", "dependencies": ["large", "also"]}]`, `{"bytes": 900000}`)
	timeout := s.create(t, "timeout", `[{"name": "slow", "timeout_seconds": 1, "retry": {"max_attempts": 1}}]`, `{"seconds": 20}`)
	p := s.start(t, w, "10")

	require.JSONEq(t, hard, s.result(t, echo, "echo"))
	require.Contains(t, s.result(t, echo, "echo"), "123456789012345678901234567890")
	require.Contains(t, s.result(t, echo, "echo"), "-9007199254740993")
	require.JSONEq(t, `{"attempt": 2, "last_error": "not yet"}`, stack.ReplaceAllString(s.result(t, twice, "twice"), `"not yet"`))
	require.JSONEq(t, `{"at": 7}`, s.result(t, checkpoint, "checkpoint"))
	require.JSONEq(t, fmt.Sprintf(`{"left": {"first": %s}, "right": %s}`, hard, hard), s.result(t, joined, "last"))
	require.JSONEq(t, hard, s.result(t, joined, "up"))
	require.JSONEq(t, `{"large": 700000}`, s.result(t, large, "length"))
	require.JSONEq(t, `{"large": 900000, "also": 900000}`, s.result(t, fan, "length"))
	half, mark, long := s.create(t, "half", one("half"), "{}"), s.create(t, "mark", one("mark"), "{}"), s.create(t, "long", one("long"), "{}")
	require.LessOrEqual(t, utf8.RuneCountInString(*s.awaitStep(t, long, "long", "error").LastError), 65_536)
	for task, name := range map[uuid.UUID]string{final: "final", zero: "zero", half: "half", mark: "mark", long: "long", tooLarge: "large", timeout: "slow"} {
		step := s.awaitStep(t, task, name, "error")
		require.EqualValues(t, 1, step.Attempts, "%s fails for good at once", name)
		if name == "final" {
			require.Contains(t, *step.LastError, "no")
		}
	}

	// The class of the error replaces the fingerprint of its text, so two texts have one cause.
	require.Regexp(t, `^\[class=card_declined\] .*card of ann`, *s.awaitStep(t, declined, "declined", "error").LastError)
	s.requireCause(t, "declined", "card_declined", 2)

	// The worker sleeps when the second wave of tasks is created.
	again := s.another(t, "echo", `{"n": 1}`)
	require.JSONEq(t, `{"n": 1}`, s.result(t, again, "echo"))
	workers, err := s.e.ListWorkers(t.Context(), time.Hour)
	require.NoError(t, err)
	require.NotEmpty(t, workers)
	require.Contains(t, workers[0].Name, "conformance")
	require.NotNil(t, workers[0].Version, "the worker says the version of its program")
	require.Equal(t, "1.4.2", *workers[0].Version)
	p.stop(t)
	require.Less(t, s.connections.Load(), int64(15), "connections are kept")
}

// poisoned returns unusual values that the database accepts.
func poisoned() map[string]string {
	return map[string]string{
		"long":  `{"n": -` + strings.Repeat("7", 5000) + `}`,
		"deep":  `{"deep": ` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + `}`,
		"both":  `{"deep": ` + strings.Repeat(`{"a": `, 999) + strings.Repeat("7", 5000) + strings.Repeat("}", 999) + `}`,
		"proto": `{"__proto__": {"polluted": 1}, "constructor": {"prototype": null}, "toString": 1, "hasOwnProperty": 2}`,
		"mark":  `{"text": "pgtasker:5", "n": 12345678901234567890}`,
	}
}

// takesAnyValue sends the worker contexts, results, signals, events and kept values that JSON libraries refuse. Other tasks run
// at the same time, and the values must not disturb them.
func takesAnyValue(t *testing.T, w Worker) {
	s := newSite(t)
	s.register(t, "pass", `[{"name": "first", "handler": "echo"}, {"name": "second", "handler": "join", "dependencies": ["first"]}]`)
	s.register(t, "function", `[{"name": "function"}]`)
	s.register(t, "told", `[{"name": "first", "await": {"event": "told", "key": "$.which", "look_back": "1h"}},
		{"name": "second", "handler": "join", "dependencies": ["first"]}]`)
	passed, functions, told := map[string]uuid.UUID{}, map[string]uuid.UUID{}, map[string]uuid.UUID{}
	for name, value := range poisoned() {
		told[name] = s.another(t, "told", `{"which": "`+name+`"}`)
		_, err := s.e.EmitEvent(t.Context(), executor.Event{Namespace: namespace, Name: "told", Key: name, Payload: json.RawMessage(value)})
		require.NoError(t, err)
		passed[name] = s.another(t, "pass", value)
		functions[name] = s.another(t, "function", `{"which": "`+name+`"}`)
		s.signal(t, functions[name], "approved", value)
	}
	innocent := s.another(t, "pass", `{"innocent": true}`)
	p := s.start(t, w, "10")
	require.JSONEq(t, `{"first": {"innocent": true}}`, s.result(t, innocent, "second"))
	same := func(want, got string) bool {
		var equal bool
		require.NoError(t, s.pool.QueryRow(t.Context(), "select $1::text::jsonb = $2::text::jsonb", want, got).Scan(&equal))
		return equal
	}
	for name, value := range poisoned() {
		first := s.awaitStep(t, passed[name], "first", "complete")
		require.True(t, same(value, string(first.Results)), "context and result, %s", name)
		if name != "deep" && name != "both" { // as part of another value it would be nested too deep
			require.True(t, same(`{"first": `+value+`}`, s.result(t, passed[name], "second")), "parent's result, %s", name)
			var result struct {
				Payload json.RawMessage `json:"payload"`
			}
			require.NoError(t, json.Unmarshal([]byte(s.result(t, functions[name], "function")), &result))
			require.True(t, same(value, string(result.Payload)), "payload, %s: %.300s", name, result.Payload)
			var event struct {
				First struct {
					Payload json.RawMessage `json:"payload"`
				} `json:"first"`
			}
			require.NoError(t, json.Unmarshal([]byte(s.result(t, told[name], "second")), &event))
			require.True(t, same(value, string(event.First.Payload)), "payload of an event, %s: %.300s", name, event.First.Payload)
			continue
		}
		for task, step := range map[uuid.UUID]string{passed[name]: "second", functions[name]: "function", told[name]: "second"} {
			failed := s.awaitStep(t, task, step, "error")
			require.Regexp(t, "1,?000 levels", *failed.LastError)
			require.EqualValues(t, 1, failed.Attempts)
		}
	}
	p.stop(t)
}

// registersAgain has the server refuse the first registration.
func registersAgain(t *testing.T, w Worker) {
	s := newSite(t)
	s.register(t, "echo", `[{"name": "echo"}]`)
	s.path = "/v1/workers"
	s.answer.Store(503)
	p := s.start(t, w, "10")
	require.Eventually(t, func() bool { return s.answered.Load() >= 1 }, within, 10*time.Millisecond)
	s.answer.Store(0)
	require.Eventually(t, func() bool {
		workers, err := s.e.ListWorkers(t.Context(), time.Hour)
		return err == nil && len(workers) > 0 && strings.HasSuffix(workers[0].Name, "conformance")
	}, 20*time.Second, 10*time.Millisecond, "it waits for its next heartbeat, in 30 s")
	p.stop(t)
}

// isNotHeldUp has the server refuse one of four results that the worker reports together. The other results must be recorded,
// and no claim may wait.
func isNotHeldUp(t *testing.T, w Worker) {
	s := newSite(t)
	s.register(t, "zero", `[{"name": "zero"}]`)
	s.register(t, "slow", `[{"name": "slow"}]`)
	s.register(t, "echo", `[{"name": "echo"}]`)
	p := s.run(t, w, "10")
	zero := s.another(t, "zero", `{"seconds": 0.3}`)
	s.awaitStep(t, zero, "zero", "in_progress")
	var slow []uuid.UUID
	for i := range 3 {
		slow = append(slow, s.another(t, "slow", fmt.Sprintf(`{"seconds": 0.2, "n": %d}`, i)))
	}
	for _, task := range slow {
		s.awaitBegun(t, task)
	}
	s.answer.Store(503)
	require.Eventually(t, func() bool { return s.answered.Load() >= 6 }, within, 10*time.Millisecond)
	s.answer.Store(0)
	s.awaitStep(t, zero, "zero", "error")
	for _, task := range slow {
		require.JSONEq(t, `{"slow": true}`, s.result(t, task, "slow"))
	}
	s.await(t, s.another(t, "echo", "{}"), "complete")
	p.stop(t)
	require.NotContains(t, p.output.String(), "claim was refused")
}

// owes has handlers end while the server can neither record nor refuse results, because it fails or has no partition. Package
// faulttest tests other causes.
func owes(t *testing.T, w Worker) {
	for _, status := range []int32{500, 507} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.register(t, "slow", `[{"name": "slow", "retry": {"max_attempts": 5}}]`)
			p := s.run(t, w, "10")
			var made []uuid.UUID
			for i := range 3 {
				made = append(made, s.another(t, "slow", fmt.Sprintf(`{"seconds": 0.3, "n": %d}`, i)))
			}
			for _, task := range made {
				s.awaitBegun(t, task)
			}
			s.answer.Store(status)
			require.Eventually(t, func() bool { return s.answered.Load() >= 4 }, within, 10*time.Millisecond)
			s.answer.Store(0)
			for _, task := range made {
				require.JSONEq(t, `{"slow": true}`, s.result(t, task, "slow"))
				step := s.step(t, task, "slow")
				require.EqualValues(t, 1, step.Attempts)
				require.Zero(t, step.LostCount)
			}
			require.Eventually(t, func() bool { return strings.Contains(p.output.String(), "the proxy says so") }, within, 10*time.Millisecond,
				"the worker's log has the server's words")
			p.stop(t)
		})
	}
}

// undoes has the results of two steps undone. One result is too large for a claim.
func undoes(t *testing.T, w Worker) {
	s := newSite(t)
	bytes := "10000"
	_, err := s.e.SetSetting(t.Context(), "claim_bytes", &bytes)
	require.NoError(t, err)
	const steps = `[{"name": "large", "compensate": "undo"}, {"name": "final", "dependencies": ["large"]}]`
	tasks := map[int]uuid.UUID{5: s.create(t, "undone", steps, `{"bytes": 5}`), 20_000: s.another(t, "undone", `{"bytes": 20000}`)}
	p := s.start(t, w, "10")
	for length, task := range tasks {
		s.awaitStep(t, task, "final", "error")
		_, err := s.e.GiveUpTask(t.Context(), task, "no", "")
		require.NoError(t, err)
		s.await(t, task, "error")
		undo := s.step(t, task, "undo large")
		require.JSONEq(t, fmt.Sprintf(`{"step": "large", "length": %d}`, length), string(undo.Results))
	}
	p.stop(t)
}

// functionResult is the result of handler function.
type functionResult struct {
	Keys       []uuid.UUID `json:"keys"` // of the two calls "charge"
	SameTime   bool        `json:"same_time"`
	SameNumber bool        `json:"same_number"`
	Changed    bool        `json:"changed"`
	By         string      `json:"by"`
	Payload    any         `json:"payload"`
	SentAt     time.Time   `json:"sent_at"`
}

func runsFunctions(t *testing.T, w Worker) {
	s := newSite(t)
	one := func(handler string) string {
		return `[{"name": "` + handler + `", "retry": {"max_attempts": 3, "base_seconds": 0.01}}]`
	}
	function := s.create(t, "function", one("function"), "{}")
	refund := s.create(t, "refund", one("refund"), "{}")
	rounds := s.create(t, "rounds", one("rounds"), "{}")
	p := s.start(t, w, "10")
	step := s.awaitStep(t, function, "function", "suspended")
	p.kill() // another process continues
	s.start(t, w, "10")
	diverge := s.create(t, "diverge", one("diverge"), "{}")
	s.signal(t, function, "approved", `{"ok": true, "n": 123456789012345678901234567890}`)
	raw := s.result(t, function, "function")
	var result functionResult
	require.NoError(t, json.Unmarshal([]byte(raw), &result))
	require.Equal(t, []uuid.UUID{key(step.WorkflowStepUUID, "charge/1"), key(step.WorkflowStepUUID, "charge/2")}, result.Keys)
	require.True(t, result.SameTime && result.SameNumber && result.Changed, raw)
	require.Equal(t, "signal", result.By)
	var sentAt time.Time
	require.NoError(t, s.pool.QueryRow(t.Context(), "select g.sent_at from tasker.list_signals($1) as g", function).Scan(&sentAt))
	require.True(t, sentAt.Equal(result.SentAt), "the function knows when the signal was sent, to the microsecond: %s, not %s", result.SentAt, sentAt)
	require.Contains(t, raw, "123456789012345678901234567890")
	var slept string
	require.NoError(t, s.pool.QueryRow(t.Context(), "select k.value::text from tasker.get_kept_results($1) as k where k.name = '$sleep'",
		step.WorkflowStepUUID).Scan(&slept))
	require.JSONEq(t, `{"by": "for"}`, slept, "a short sleep suspends the step, too: the database has ended it")

	s.awaitStep(t, refund, "refund", "suspended")
	s.signal(t, refund, "go", "{}")
	require.Contains(t, s.result(t, refund, "refund"), "the bank refuses")

	state := s.result(t, rounds, "rounds")
	of := s.step(t, rounds, "rounds").WorkflowStepUUID
	require.JSONEq(t, fmt.Sprintf(`{"n": 3, "keys": [%q, %q, %q]}`, key(of, "key/1"), key(of, "key/1/1"), key(of, "key/1/2")), state)

	s.awaitStep(t, diverge, "diverge", "suspended")
	s.signal(t, diverge, "go", "{}")
	require.Eventually(t, func() bool {
		var text string
		err := s.pool.QueryRow(t.Context(), "select to_jsonb(e)::text from tasker.explain_step($1) as e", s.step(t, diverge, "diverge").WorkflowStepUUID).Scan(&text)
		return err == nil && strings.Contains(text, "call-")
	}, within, 10*time.Millisecond, "the step does not say that its function has diverged")
	require.Zero(t, s.step(t, diverge, "diverge").LostCount)
}

// key is the key of a call: the UUID of version 5 from its step and its name.
func key(step uuid.UUID, call string) uuid.UUID { return uuid.NewSHA1(step, []byte(call)) }

func (s *site) signal(t *testing.T, task uuid.UUID, name, payload string) {
	t.Helper()
	_, err := s.e.SendSignal(t.Context(), task, executor.Signal{Name: name, Payload: json.RawMessage(payload)})
	require.NoError(t, err)
}

// stops has the worker stop while it runs a step that ends soon and a step that does not.
func stops(t *testing.T, w Worker) {
	s := newSite(t)
	long := s.create(t, "slow", `[{"name": "slow"}]`, `{"seconds": 600}`)
	short := s.another(t, "slow", `{"seconds": 1}`)
	p := s.start(t, w, "3")
	s.awaitBegun(t, long)
	s.awaitBegun(t, short)
	late := make(chan uuid.UUID, 1)
	p.signal(t, syscall.SIGTERM)
	go func() {
		time.Sleep(300 * time.Millisecond)
		late <- s.another(t, "slow", `{"seconds": 0}`)
	}()
	p.stop(t)
	require.JSONEq(t, `{"slow": true}`, s.result(t, short, "slow"))
	step := s.step(t, long, "slow")
	require.Equal(t, "enqueued", string(step.State), "it is handed back")
	require.Zero(t, step.Attempts, "and the attempt does not count")
	require.Equal(t, "enqueued", string(s.step(t, <-late, "slow").State), "a worker that stops claims nothing")
}

// keepsLeases runs a step that takes longer than its lease, and then freezes the worker until another worker has its step.
func keepsLeases(t *testing.T, w Worker) {
	s := newSite(t)
	long := s.create(t, "slow", `[{"name": "slow", "retry": {"max_attempts": 5}}]`, `{"seconds": 4.5}`)
	p := s.start(t, w, "10")
	require.JSONEq(t, `{"slow": true}`, s.result(t, long, "slow"))
	require.EqualValues(t, 1, s.step(t, long, "slow").Attempts, "its lease was renewed")

	frozen := s.another(t, "slow", `{"seconds": 2}`)
	s.awaitBegun(t, frozen)
	p.signal(t, syscall.SIGSTOP)
	var claimed []gen.ClaimedStep
	require.Eventually(t, func() bool {
		var err error
		claimed, err = s.e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1, Namespaces: []string{namespace}, Lease: time.Minute})
		return err == nil && len(claimed) == 1
	}, within, 20*time.Millisecond)
	p.signal(t, syscall.SIGCONT)
	cancelled := s.another(t, "slow", `{"seconds": 600}`)
	s.awaitBegun(t, cancelled)
	_, err := s.e.CancelTask(t.Context(), cancelled, "", "")
	require.NoError(t, err)
	// A worker that stops sends its last results. The frozen handler's result arrives, and is refused. The cancelled handler has
	// ended, so the worker stops at once.
	began := time.Now()
	p.stop(t)
	require.Less(t, time.Since(began), 5*time.Second)
	answers, err := s.e.CompleteSteps(t.Context(), []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: claimed[0].StepUUID, ClaimNo: claimed[0].ClaimNo}, Results: json.RawMessage(`"other"`),
	}})
	require.NoError(t, err)
	require.Equal(t, gen.ResultAnswerCompleted, answers[0].Answer)
	require.JSONEq(t, `"other"`, s.result(t, frozen, "slow"))
}

// computes has a handler compute for longer than a lease. Another handler of the worker waits, and another worker would take
// steps whose leases have ended.
func computes(t *testing.T, w Worker) {
	s := newSite(t)
	s.lease = "3"
	s.register(t, "compute", `[{"name": "compute"}]`)
	s.register(t, "slow", `[{"name": "slow"}]`)
	p := s.run(t, w, "10")
	slow := s.another(t, "slow", `{"seconds": 7}`)
	s.awaitBegun(t, slow)
	compute := s.another(t, "compute", `{"seconds": 6}`)
	require.Eventually(t, func() bool { return string(s.step(t, compute, "compute").Checkpoint) == `"began"` }, within, 10*time.Millisecond)
	other := s.run(t, w, "10")
	require.JSONEq(t, `{"computed": 1}`, s.result(t, compute, "compute"))
	require.JSONEq(t, `{"slow": true}`, s.result(t, slow, "slow"))
	require.Zero(t, s.step(t, compute, "compute").LostCount)
	require.Zero(t, s.step(t, slow, "slow").LostCount)
	p.stop(t)
	other.stop(t)
}

// hearsCancellations cancels a task while all handlers of the worker are busy, long before it renews a lease.
func hearsCancellations(t *testing.T, w Worker) {
	s := newSite(t)
	s.lease = "600"
	s.register(t, "slow", `[{"name": "slow"}]`)
	p := s.run(t, w, "1")
	var tasks []uuid.UUID
	for i := range 4 { // keeps all handlers of the worker busy
		tasks = append(tasks, s.another(t, "slow", fmt.Sprintf(`{"seconds": 600, "n": %d}`, i)))
	}
	for _, task := range tasks {
		s.awaitBegun(t, task)
	}
	for i, task := range tasks { // one after another, since the worker waits for the places that the first steps leave
		_, err := s.e.CancelTask(t.Context(), task, "", "")
		require.NoError(t, err)
		require.Eventually(t, func() bool { return strings.Count(p.output.String(), "cancelled") > i }, 15*time.Second, 10*time.Millisecond, "task %d", i)
	}
	p.stop(t)
}

// survivesLostAnswers loses one in three answers of the server.
func survivesLostAnswers(t *testing.T, w Worker) {
	s := newSite(t)
	const tasks = 30
	s.register(t, "chain", `[{"name": "first", "handler": "echo"}, {"name": "second", "handler": "echo", "dependencies": ["first"]}]`)
	s.losing.Store(true)
	p := s.start(t, w, "10")
	var made []uuid.UUID
	for i := range tasks {
		made = append(made, s.another(t, "chain", fmt.Sprintf(`{"n": %d}`, i)))
	}
	for _, task := range made {
		s.await(t, task, "complete")
	}
	s.losing.Store(false)
	p.stop(t)
	require.Positive(t, s.lost.Load())
	var results int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*)::int from tasker.workflow_step_result_audit").Scan(&results))
	require.Equal(t, 2*tasks, results, "each result is recorded once")
}
